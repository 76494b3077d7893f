import DuxNetwork

/// One connection of a load run: sends what it is given, and hands on what comes.
final class LoadConnection {
  /// Which one of the run's it is.
  enum Role: Hashable {
    case writer(Int)
    case subscriber(Int)

    /// Its name in messages.
    var name: String {
      switch self {
      case .writer(let index): "writer \(index)"
      case .subscriber(let index): "subscriber \(index)"
      }
    }
  }

  let role: Role
  /// What it was sent that is no whole line yet.
  var cutter = LineCutter()
  /// Bytes to be sent with the next ``flush()``, those before `sent` left out.
  var outgoing: [UInt8] = []
  private var sent = 0
  private var connecting: Connecting?
  private var connection: Connection?

  /// Bytes already sent that may stand before those to be sent.
  private static let greatestSent = 1 << 16

  /// Makes one that has not begun.
  init(_ role: Role) {
    self.role = role
  }

  /// Connects, sends what is to be sent, and calls back with what comes; `ended` comes at most once.
  func start(
    to endpoint: Endpoint, loop: EventLoop,
    received: @escaping (UnsafeRawBufferPointer) -> Void, ended: @escaping (String) -> Void
  ) {
    connecting = Connection.connect(to: endpoint, loop: loop) { [weak self] result in
      guard let self else { return }
      connecting = nil
      switch result {
      case .failure(let error):
        ended(error.description)
      case .success(let connection):
        self.connection = connection
        connection.onBytes = received
        connection.onEnd = { ended($0?.description ?? "the daemon closed the connection") }
        connection.onWritable = { [weak self] in self?.flush() }
        connection.startReading()
        flush()
      }
    }
  }

  /// Sends as much as the system takes; the rest goes as soon as it takes more.
  func flush() {
    guard let connection, connection.isWritable, sent < outgoing.count else { return }
    sent += outgoing.withUnsafeBytes {
      connection.write(UnsafeRawBufferPointer(rebasing: $0[sent...]))
    }
    if sent == outgoing.count {
      outgoing.removeAll(keepingCapacity: true)
      sent = 0
    } else if sent > Self.greatestSent {
      outgoing.removeFirst(sent)
      sent = 0
    }
  }

  /// Ends it; nothing is called back any more.
  func close() {
    connecting?.cancel()
    connecting = nil
    connection?.close()
    connection = nil
  }
}
