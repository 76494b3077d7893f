/// Where a program listens, or connects to.
package enum Endpoint: Hashable, Sendable, CustomStringConvertible {
  /// A TCP port on a host name, an IPv4 or an IPv6 address (written without brackets here).
  case tcp(host: String, port: UInt16)
  /// A Unix socket at a path in the file system.
  case unix(path: String)

  /// Reads `HOST:PORT`, `[IPv6]:PORT` or `unix:PATH`; the reverse of ``description``.
  ///
  /// A host is never made up: `:7389` could mean this machine or every interface, which differ
  /// in who may connect, so it is refused.
  package init(_ text: String) throws(EndpointError) {
    if text.utf8.starts(with: Self.unixPrefix.utf8) {
      self = try Self.unixEndpoint(text)
    } else if text.utf8.first == UInt8(ascii: "[") {
      self = try Self.bracketedEndpoint(text)
    } else {
      self = try Self.plainEndpoint(text)
    }
  }

  package var description: String {
    switch self {
    case .tcp(let host, let port):
      host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path):
      Self.unixPrefix + path
    }
  }

  private static let unixPrefix = "unix:"

  private static func unixEndpoint(_ text: String) throws(EndpointError) -> Endpoint {
    let path = String(Substring(text.utf8.dropFirst(unixPrefix.utf8.count)))
    guard !path.isEmpty else {
      throw EndpointError(input: text, problem: .missingPath)
    }
    guard !path.utf8.contains(0) else {
      throw EndpointError(input: text, problem: .unusableCharacter)
    }
    guard path.utf8.count <= UnixSocketAddress.longestPathBytes else {
      throw EndpointError(input: text, problem: .pathTooLong(bytes: path.utf8.count))
    }
    return .unix(path: path)
  }

  private static func bracketedEndpoint(_ text: String) throws(EndpointError) -> Endpoint {
    let bytes = text.utf8
    guard let close = bytes.lastIndex(of: UInt8(ascii: "]")) else {
      throw EndpointError(input: text, problem: .unclosedBracket)
    }
    let rest = bytes[bytes.index(after: close)...]
    guard rest.first == UInt8(ascii: ":") else {
      throw EndpointError(input: text, problem: .missingPort)
    }
    let host = String(text[bytes.index(after: bytes.startIndex)..<close])
    guard host.utf8.contains(UInt8(ascii: ":")) else {
      throw EndpointError(input: text, problem: .bracketsWithoutIPv6)
    }
    return .tcp(host: try checked(host, in: text), port: try port(rest.dropFirst(), in: text))
  }

  private static func plainEndpoint(_ text: String) throws(EndpointError) -> Endpoint {
    let parts = text.utf8.split(
      separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count < 3 else {
      throw EndpointError(input: text, problem: .bareIPv6)
    }
    guard let first = parts.first, let last = parts.last, parts.count == 2 else {
      throw EndpointError(input: text, problem: .missingPort)
    }
    return .tcp(
      host: try checked(String(Substring(first)), in: text), port: try port(last, in: text))
  }

  private static func checked(_ host: String, in text: String) throws(EndpointError) -> String {
    guard !host.isEmpty else {
      throw EndpointError(input: text, problem: .missingHost)
    }
    let isPrintable = host.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f }
    guard isPrintable, !host.utf8.contains(where: { $0 == UInt8(ascii: "/") }) else {
      throw EndpointError(input: text, problem: .unusableCharacter)
    }
    return host
  }

  private static func port(
    _ digits: Substring.UTF8View, in text: String
  ) throws(EndpointError) -> UInt16 {
    let isDecimal = digits.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    guard !digits.isEmpty else {
      throw EndpointError(input: text, problem: .missingPort)
    }
    guard isDecimal, let port = UInt16(Substring(digits)) else {
      throw EndpointError(input: text, problem: .unusablePort)
    }
    return port
  }
}

/// Why a text names no endpoint.
package struct EndpointError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong with the text.
  package enum Problem: Equatable, Sendable {
    /// Nothing stands before the colon.
    case missingHost
    /// No `:PORT` at the end.
    case missingPort
    /// The port is no decimal number from 0 to 65535.
    case unusablePort
    /// An IPv6 address without the brackets that part it from the port.
    case bareIPv6
    /// A `[` without its `]`.
    case unclosedBracket
    /// Brackets around something other than an IPv6 address.
    case bracketsWithoutIPv6
    /// A blank, a control character or a slash in a host, or a NUL in a path.
    case unusableCharacter
    /// Nothing after `unix:`.
    case missingPath
    /// The path does not fit into a socket address, which holds 107 bytes.
    case pathTooLong(bytes: Int)
  }

  /// The text as given.
  package let input: String
  /// What is wrong with it.
  package let problem: Problem

  package var description: String {
    "\"\(input)\" is no endpoint: \(reason); write HOST:PORT, [IPv6]:PORT or unix:PATH"
  }

  private var reason: String {
    switch problem {
    case .missingHost:
      "the host is missing (127.0.0.1 for this machine alone, 0.0.0.0 for every interface)"
    case .missingPort: "the port is missing"
    case .unusablePort: "the port is no number from 0 to 65535"
    case .bareIPv6: "an IPv6 address needs brackets"
    case .unclosedBracket: "the bracket is not closed"
    case .bracketsWithoutIPv6: "brackets hold an IPv6 address only"
    case .unusableCharacter: "it holds a character that cannot stand there"
    case .missingPath: "the path is missing"
    case .pathTooLong(let bytes):
      "the path has \(bytes) bytes, a socket path at most \(UnixSocketAddress.longestPathBytes)"
    }
  }
}
