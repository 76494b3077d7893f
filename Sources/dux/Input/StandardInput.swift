import DuxNetwork
import Glibc
import Synchronization

/// Standard input, read on a thread of its own, for a read may wait for ever.
///
/// One piece is read each time one is asked for, so input that nobody is ready for stays outside.
final class StandardInput {
  /// What a read brought.
  enum Piece: Sendable {
    case bytes([UInt8])
    case end
    /// The `errno` of a failure.
    case failure(Int32)
  }

  private let thread: SerialThread
  private let wakeup: Wakeup
  private let mailbox: Mailbox

  private final class Mailbox: Sendable {
    let piece = Mutex<Piece?>(nil)
  }

  /// Makes a reader; `receive` is called on the loop with each piece asked for.
  init(on loop: EventLoop, _ receive: @escaping (Piece) -> Void) throws(NetworkError) {
    let mailbox = Mailbox()
    self.mailbox = mailbox
    thread = try SerialThread(named: "input")
    wakeup = try loop.makeWakeup {
      let piece = mailbox.piece.withLock { piece in
        defer { piece = nil }
        return piece
      }
      if let piece { receive(piece) }
    }
  }

  /// Asks for a piece; not again before it has come.
  func ask() {
    let (mailbox, wakeup) = (mailbox, wakeup)
    thread.submit {
      let piece = Self.read()
      mailbox.piece.withLock { $0 = piece }
      wakeup.wake()
    }
  }

  /// Reads everything up to the end.
  static func readAll() throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      switch read() {
      case .bytes(let more): bytes += more
      case .end: return bytes
      case .failure(let code): throw failure(code)
      }
    }
  }

  static func failure(_ code: Int32) -> Failure {
    Failure(.usage, "cannot read standard input: \(String(cString: strerror(code)))")
  }

  static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  private static let pieceBytes = 1 << 16

  private static func read() -> Piece {
    while true {
      var count = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: pieceBytes) { buffer, initializedCount in
        count = Glibc.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
        initializedCount = max(0, count)
      }
      if count > 0 { return .bytes(bytes) }
      if count == 0 { return .end }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        poll(&request, 1, -1)
      case let code: return .failure(code)
      }
    }
  }
}
