import DuxProtocol
import Glibc

/// The names that clients may have.
enum ClientName {
  /// A name that was given, or one that nobody else has.
  static func checked(_ given: String?) throws(ClientError) -> String {
    guard let given else { return unique() }
    guard (1...longestBytes).contains(given.utf8.count), given.unicodeScalars.allSatisfy(isPlain)
    else {
      throw .name("a client's name has 1 to \(longestBytes) bytes and no control characters")
    }
    guard !given.utf8.starts(with: ReservedWords.clientPrefix.utf8) else {
      throw .name("the client's name \"\(given)\" begins with @, as only the daemon's own do")
    }
    return given
  }

  private static let longestBytes = 128

  private static func unique() -> String {
    var host = [CChar](repeating: 0, count: 65)
    gethostname(&host, host.count - 1)
    let name = String(
      decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    let plain = String(String.UnicodeScalarView(name.unicodeScalars.filter(isPlain)))
    let random = String(UInt32.random(in: .min ... .max), radix: 36)
    return "\(plain)-\(getpid())-\(random)"
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory != .control
  }
}
