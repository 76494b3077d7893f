import Glibc

/// Why a server can't listen.
package struct ListeningError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The address asked for.
  package let host: String
  /// The port asked for.
  package let port: UInt16
  private let reason: String

  init(host: String, port: UInt16, errno code: Int32) {
    self.init(host: host, port: port, reason: String(cString: strerror(code)))
  }

  init(host: String, port: UInt16, reason: String) {
    self.host = host
    self.port = port
    self.reason = reason
  }

  package var description: String { "cannot listen on \(host) port \(port): \(reason)" }
}

/// A socket that listens, and the port it was given.
struct ListeningSocket {
  let descriptor: Int32
  let port: UInt16

  private static let backlog: Int32 = 128

  init(host: String, port: UInt16) throws(ListeningError) {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &found) == 0, let address = found?.pointee else {
      throw ListeningError(host: host, port: port, reason: "it is no IPv4 or IPv6 address")
    }
    defer { freeaddrinfo(found) }
    let flags = Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(address.ai_family, Int32(SOCK_STREAM.rawValue) | flags, 0)
    var yes: Int32 = 1
    setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    guard descriptor >= 0, bind(descriptor, address.ai_addr, address.ai_addrlen) == 0,
      listen(descriptor, Self.backlog) == 0, let bound = Self.port(of: descriptor)
    else {
      let error = ListeningError(host: host, port: port, errno: errno)
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    self.port = bound
  }

  private static func port(of descriptor: Int32) -> UInt16? {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isKnown else { return nil }
    // The port has the same place in the addresses of both families.
    return withUnsafeBytes(of: address) { bytes in
      UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self))
    }
  }
}
