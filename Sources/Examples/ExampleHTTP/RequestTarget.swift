import Foundation

/// The first line's path and query, taken apart.
struct RequestTarget {
  let path: String
  let query: [String: String]

  /// Reads a target; nothing where it is not percent-encoded UTF-8.
  init?(_ text: String) {
    let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = halves.first.flatMap({ String($0).removingPercentEncoding }),
      !path.utf8.contains(0)
    else { return nil }
    self.path = path
    var query: [String: String] = [:]
    for pair in (halves.count > 1 ? halves[1] : "").split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(sides[0]),
        let value = Self.decoded(sides.dropFirst().first ?? "")
      else { return nil }
      query[name] = value
    }
    self.query = query
  }

  /// In a query a plus is a blank, as forms send it.
  private static func decoded(_ text: Substring) -> String? {
    text.replacing("+", with: " ").removingPercentEncoding
  }
}
