import Foundation
import Glibc
import Synchronization

/// A TCP server that does to its peer whatever a test says, HTTP or not.
final class RawServer: Sendable {
  let port: UInt16
  private let descriptor: Int32

  /// Starts a server that serves connections one after another, each with `serve`, which gets its
  /// descriptor and closes nothing.
  ///
  /// Without `serve` the system accepts connections, and nobody answers.
  init(_ serve: (@Sendable (Int32) -> Void)? = nil) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isListening else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    self.descriptor = descriptor
    port = UInt16(bigEndian: address.sin_port)
    guard let serve else { return }
    Thread.detachNewThread {
      while true {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { return }
        serve(connection)
        Glibc.close(connection)
      }
    }
  }

  /// Answers every request with the same bytes and closes.
  static func answering(_ text: String) throws -> RawServer {
    try RawServer { connection in
      readHead(connection)
      write(text, to: connection)
    }
  }

  var url: URL { URL(string: "http://127.0.0.1:\(port)/") ?? URL(filePath: "/") }

  /// Ends the listening; a thread that accepts ends with it.
  func stop() {
    shutdown(descriptor, Int32(SHUT_RDWR))
    Glibc.close(descriptor)
  }

  /// Reads up to the empty line.
  @discardableResult
  static func readHead(_ connection: Int32) -> String {
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8), recv(connection, &byte, 1, 0) == 1 {
      head.append(byte)
    }
    return String(decoding: head, as: UTF8.self)
  }

  /// Writes all of a text; false when the peer has gone.
  @discardableResult
  static func write(_ text: String, to connection: Int32) -> Bool {
    var left = Array(text.utf8)[...]
    while !left.isEmpty {
      let count = left.withUnsafeBytes {
        send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      left = left.dropFirst(count)
    }
    return true
  }
}
