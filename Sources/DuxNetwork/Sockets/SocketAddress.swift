import CLibUV
import Glibc

/// The binary form of an IPv4, IPv6 or Unix socket address.
struct SocketAddress {
  private var storage = sockaddr_storage()
  private(set) var length: socklen_t

  /// An address as the system wrote it.
  init(_ address: UnsafePointer<sockaddr>, length: socklen_t) {
    let size = min(Int(length), MemoryLayout<sockaddr_storage>.size)
    self.length = socklen_t(size)
    // Every kind of address fits into `sockaddr_storage`, which is made for that.
    withUnsafeMutableBytes(of: &storage) { target in
      target.copyMemory(from: UnsafeRawBufferPointer(start: address, count: size))
    }
  }

  /// What `getsockname` or `getpeername` says of a socket; `nil` when it says nothing.
  init?(
    of descriptor: Int32,
    asking ask: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let status = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { ask(descriptor, $0, &length) }
    }
    guard status == 0 else { return nil }
    self.storage = storage
    self.length = length
  }

  /// `AF_INET`, `AF_INET6` or `AF_UNIX`.
  var family: Int32 {
    Int32(storage.ss_family)
  }

  /// The port of a TCP address, 0 for others.
  var port: UInt16 {
    withPointer { pointer in
      let raw = UnsafeRawPointer(pointer)
      switch family {
      case AF_INET: return raw.loadUnaligned(as: sockaddr_in.self).sin_port.bigEndian
      case AF_INET6: return raw.loadUnaligned(as: sockaddr_in6.self).sin6_port.bigEndian
      default: return 0
      }
    }
  }

  /// The endpoint of a TCP address, its host in numbers; `nil` for others.
  var endpoint: Endpoint? {
    guard family == AF_INET || family == AF_INET6 else { return nil }
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let status = withPointer { pointer in
      getnameinfo(pointer, length, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
    }
    guard status == 0 else { return nil }
    let bytes = host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
    return .tcp(host: String(decoding: bytes, as: UTF8.self), port: port)
  }

  /// Lends the address to a system call.
  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
    withUnsafePointer(to: storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
    }
  }

  /// The addresses in a list of `getaddrinfo`, in its order, which is that of RFC 6724.
  static func list(_ first: UnsafePointer<addrinfo>?) -> [SocketAddress] {
    var addresses: [SocketAddress] = []
    var next = first
    while let entry = next {
      if let address = entry.pointee.ai_addr {
        addresses.append(SocketAddress(address, length: entry.pointee.ai_addrlen))
      }
      next = entry.pointee.ai_next.map { UnsafePointer($0) }
    }
    return addresses
  }

  /// What `getaddrinfo` is asked for: TCP addresses.
  static func lookupHints(_ flags: Int32) -> addrinfo {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = flags | AI_NUMERICSERV
    return hints
  }

  /// The addresses of a host, by asking and waiting for the name service.
  ///
  /// - Throws: the failure of the lookup; never returns an empty list.
  static func resolve(
    host: String, port: UInt16, flags: Int32
  ) throws(NetworkError) -> [SocketAddress] {
    var hints = lookupHints(flags)
    var first: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, String(port), &hints, &first)
    defer { first.map { freeaddrinfo($0) } }
    let addresses = list(first)
    guard status == 0, !addresses.isEmpty else {
      throw NetworkError(.resolve, host, status: libuvStatus(ofLookup: status))
    }
    return addresses
  }

  /// The number by which libuv, and so ``NetworkError``, knows a failure of `getaddrinfo`.
  private static func libuvStatus(ofLookup status: Int32) -> Int32 {
    switch status {
    case EAI_AGAIN: UV_EAI_AGAIN.rawValue
    case EAI_FAIL: UV_EAI_FAIL.rawValue
    case EAI_FAMILY: UV_EAI_FAMILY.rawValue
    case EAI_MEMORY: UV_EAI_MEMORY.rawValue
    case EAI_SERVICE: UV_EAI_SERVICE.rawValue
    case EAI_SYSTEM: -errno
    default: UV_EAI_NONAME.rawValue
    }
  }
}

/// The address of a Unix socket.
struct UnixSocketAddress {
  private var storage = sockaddr_un()

  /// Bytes that a path may have: the field of the address less its terminating NUL.
  static let longestPathBytes = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// The address of a path; `nil` when it is empty, too long or holds a NUL.
  init?(path: String) {
    let bytes = Array(path.utf8)
    guard !bytes.isEmpty, bytes.count <= Self.longestPathBytes, !bytes.contains(0) else {
      return nil
    }
    storage.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &storage.sun_path) { $0.copyBytes(from: bytes) }
  }

  /// Lends the address to a system call.
  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
