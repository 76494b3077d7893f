import DuxJSON

/// Paths as they are typed: JSON Pointers.
enum PathText {
  /// Reads a path.
  ///
  /// - Throws: with a suggestion where the slash at the start is missing.
  static func read(_ text: String) throws(Failure) -> JSONPointer {
    do throws(JSONPointerError) {
      return try JSONPointer(text)
    } catch {
      switch error.reason {
      case .missingSlash:
        throw Failure(
          .usage,
          "\"\(text.printable)\" is no path, a path starts with a slash: did you mean"
            + " \(suggestion(for: text).printable)?")
      case .malformedEscape:
        throw Failure(
          .usage,
          "\"\(text.printable)\" is no path: a ~ is written ~0, and a slash inside a name ~1")
      }
    }
  }

  /// What somebody may have meant who typed a path in another notation.
  static func suggestion(for text: String) -> String {
    var path = Substring(text)
    for prefix in ["$.", "$", "./", "."] where path.hasPrefix(prefix) {
      path = path.dropFirst(prefix.count)
      break
    }
    guard !path.hasPrefix("/") else { return String(path) }
    guard !path.contains("/") else { return "/" + path }
    let names = path.split { $0 == "." || $0 == "[" || $0 == "]" }
    return "/" + names.joined(separator: "/")
  }

  /// The path as a sentence names it.
  static func name(_ path: JSONPointer) -> String {
    path.isRoot ? "the whole state" : path.description.printable
  }
}
