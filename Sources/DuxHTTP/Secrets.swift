import DuxJSON
import Foundation

extension URL {
  /// Scheme, host, port and path; that there is a query is told by `?…`.
  var withoutSecrets: String {
    guard let parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return "?" }
    let host = (parts.encodedHost ?? "") + (parts.port.map { ":\($0)" } ?? "")
    let path = String(parts.percentEncodedPath.prefix(400))
    return "\(parts.scheme ?? "")://\(host)\(path)" + (parts.percentEncodedQuery == nil ? "" : "?…")
  }
}

extension HTTPHeaders {
  /// The names of the headers that prove who is asking.
  var secretNames: [String] {
    names.filter { name in
      ["auth", "cookie", "key", "token", "secret", "password"].contains { name.contains($0) }
    }
  }
}

extension HTTPResponse {
  /// The beginning of the body for a message: one line, printable, and without what the request kept
  /// private, which servers like to echo.
  var excerpt: String {
    // Cut behind the replacing: a secret cut in two would not be found.
    let start = String(decoding: body.prefix(Self.excerptBytes * 8), as: UTF8.self)
    var text = start
    for secret in request?.secrets ?? [] { text = text.replacing(secret, with: "…") }
    let shown = text.printable.prefix(Self.excerptBytes)
    return String(shown) + (shown.count < text.count || body.count > start.utf8.count ? "…" : "")
  }

  private static let excerptBytes = 160
}

extension HTTPRequest {
  /// Texts of this request that no message may quote, the longest first.
  var secrets: [String] {
    var found: [String] = []
    if let parts = URLComponents(url: url, resolvingAgainstBaseURL: true) {
      let items = (parts.queryItems ?? []) + (parts.percentEncodedQueryItems ?? [])
      found += items.compactMap(\.value)
      found += [parts.user, parts.password, parts.percentEncodedQuery].compactMap { $0 }
    }
    for name in headers.secretNames {
      let value = headers[name] ?? ""
      found += [value] + value.split(separator: " ").map { String($0) }
    }
    if let body, body.count <= Self.largestBodySearched {
      found.append(String(decoding: body, as: UTF8.self))
      if let json = try? JSON(parsing: [UInt8](body)) { json.collectStrings(into: &found) }
    }
    return found.filter { $0.count >= Self.shortestSecret }.sorted { $0.count > $1.count }
  }

  /// Shorter texts, such as a page's number, are found in any answer.
  private static let shortestSecret = 4
  private static let largestBodySearched = 64 << 10
}

extension JSON {
  fileprivate func collectStrings(into found: inout [String]) {
    switch self {
    case .string(let text): found.append(text)
    case .array(let elements): for element in elements { element.collectStrings(into: &found) }
    case .object(let members): for member in members { member.value.collectStrings(into: &found) }
    default: break
    }
  }
}

extension String {
  /// The text on one line: each run of white space is one blank, other controls are left out.
  var printable: String {
    split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
      .filter { $0.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } }
  }
}
