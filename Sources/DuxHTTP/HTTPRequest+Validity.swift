import Foundation

extension HTTPRequest {
  /// Refuses what would not arrive as it is meant, before anything is sent.
  ///
  /// Above all a line break in a header, which would let its value add headers, or a second request.
  func checkValidity() throws(HTTPError) {
    if let problem = urlProblem ?? methodProblem ?? headerProblem {
      throw HTTPError(self, .invalidRequest(problem))
    }
  }

  private var urlProblem: String? {
    guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme) else {
      return "the URL is neither http nor https"
    }
    return (url.host() ?? "").isEmpty ? "the URL names no host" : nil
  }

  private var methodProblem: String? {
    guard method.rawValue.isToken else { return "the method is no HTTP token" }
    let isBodiless = method == .get || method == .head
    return isBodiless && body?.isEmpty == false ? "a \(method.rawValue) sends no body" : nil
  }

  private var headerProblem: String? {
    for name in headers.names {
      guard name.isToken else { return "the name of a header is no HTTP token" }
      guard !Self.framing.contains(name) else {
        return "the header '\(name)' is not for the caller to set"
      }
      guard headers[name]?.isFieldValue ?? true else {
        return "the header '\(name)' has a line break or another control character"
      }
    }
    return nil
  }

  /// What says where a message ends.
  private static let framing: Set<String> = ["content-length", "transfer-encoding"]
}

extension String {
  /// Whether this is a `token` of RFC 9110 §5.6.2.
  fileprivate var isToken: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: tokenMarks.contains(byte)
        }
      }
  }

  /// Whether this may be the value of a header: no control character but the tabulator.
  fileprivate var isFieldValue: Bool {
    utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }
}

private let tokenMarks = Array("!#$%&'*+-.^_`|~".utf8)
