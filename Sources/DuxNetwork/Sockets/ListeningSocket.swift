import Glibc

/// A bound, listening, non-blocking socket, before an event loop watches it.
struct ListeningSocket {
  let descriptor: Int32
  let endpoint: Endpoint
  /// The socket file to remove on closing; `nil` for TCP.
  let file: UnixSocketFile?

  /// Opens the socket of an endpoint.
  init(_ endpoint: Endpoint, backlog: Int32) throws(NetworkError) {
    switch endpoint {
    case .tcp(let host, let port):
      self = try Self.tcp(host: host, port: port, backlog: backlog)
    case .unix(let path):
      self = try Self.unix(path: path, backlog: backlog)
    }
  }

  private init(descriptor: Int32, endpoint: Endpoint, file: UnixSocketFile?) {
    self.descriptor = descriptor
    self.endpoint = endpoint
    self.file = file
  }

  /// Closes the socket and removes its file.
  func close() {
    file?.remove()
    Glibc.close(descriptor)
  }

  /// Listens on the first address of the host that can be bound.
  private static func tcp(
    host: String, port: UInt16, backlog: Int32
  ) throws(NetworkError) -> ListeningSocket {
    let name = Endpoint.tcp(host: host, port: port).description
    let addresses = try SocketAddress.resolve(host: host, port: port, flags: AI_PASSIVE)
    var failure = NetworkError(.listen, name, errno: EADDRNOTAVAIL)
    for address in addresses {
      do throws(NetworkError) {
        return try tcp(address, name, backlog: backlog)
      } catch {
        failure = error
      }
    }
    throw failure
  }

  private static func tcp(
    _ address: SocketAddress, _ name: String, backlog: Int32
  ) throws(NetworkError) -> ListeningSocket {
    let descriptor = try openSocket(address.family, .listen, name)
    // A restarted daemon must not wait for connections of its former life to time out.
    setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    if address.family == AF_INET6 {
      // "[::]" takes IPv4 peers as well, whatever the system's default is.
      setOption(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0)
    }
    let isBound = address.withPointer { bind(descriptor, $0, address.length) } == 0
    guard isBound, listen(descriptor, backlog) == 0 else {
      let error = NetworkError(.listen, name, errno: errno)
      Glibc.close(descriptor)
      throw error
    }
    let bound = SocketAddress(of: descriptor) { getsockname($0, $1, $2) }?.endpoint
    guard let bound else {
      let error = NetworkError(.listen, name, errno: errno)
      Glibc.close(descriptor)
      throw error
    }
    return ListeningSocket(descriptor: descriptor, endpoint: bound, file: nil)
  }

  private static func unix(
    path: String, backlog: Int32
  ) throws(NetworkError) -> ListeningSocket {
    let endpoint = Endpoint.unix(path: path)
    let (descriptor, file) = try UnixSocketFile.bind(path, name: endpoint.description)
    guard listen(descriptor, backlog) == 0 else {
      let error = NetworkError(.listen, endpoint.description, errno: errno)
      file.remove()
      Glibc.close(descriptor)
      throw error
    }
    return ListeningSocket(descriptor: descriptor, endpoint: endpoint, file: file)
  }

  /// A non-blocking stream socket that no child process inherits.
  static func openSocket(
    _ family: Int32, _ operation: NetworkError.Operation, _ name: String
  ) throws(NetworkError) -> Int32 {
    let flags = Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | flags, 0)
    guard descriptor >= 0 else {
      throw NetworkError(operation, name, errno: errno)
    }
    return descriptor
  }

  /// Sets a socket option that is an integer; a kernel that refuses it goes without.
  static func setOption(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }
}
