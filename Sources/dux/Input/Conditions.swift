import DuxCommandLine
import DuxJSON

/// What must hold of the state for a write to happen.
enum Conditions {
  static let equal = Option(
    "if", .values("PATH=VALUE"),
    summary: "Write only if the value at PATH equals VALUE, checked in the same step")
  static let missing = Option(
    "if-missing", .values("PATH"),
    summary: "Write only if there is nothing at PATH, checked in the same step")

  static let options = [equal, missing]

  /// The conditions of a command line, as the protocol's `if`.
  static func read(_ given: [String: [String]]) throws(Failure) -> [JSON] {
    var conditions: [JSON] = []
    for text in given[equal.name] ?? [] { conditions.append(try readEqual(text)) }
    for text in given[missing.name] ?? [] {
      let path = try PathText.read(text)
      conditions.append(["path": .string(path.description), "missing": true])
    }
    return conditions
  }

  private static func readEqual(_ text: String) throws(Failure) -> JSON {
    guard let sign = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
      throw Failure(
        .usage,
        "--if \"\(text.printable)\" lacks its value: write --if PATH=VALUE,"
          + " or --if-missing PATH if nothing may be there")
    }
    let path = try PathText.read(String(text[..<sign]))
    let value = String(text[text.utf8.index(after: sign)...])
    guard !value.isEmpty else {
      throw Failure(
        .usage,
        "--if \"\(text.printable)\" lacks its value: write --if-missing"
          + " \(path.isRoot ? "''" : path.description.printable) if nothing may be there, or"
          + " --if '\(path.description.printable)=\"\"' for the empty string")
    }
    return [
      "path": .string(path.description),
      "value": try ValueText.read(value, as: "the value of --if"),
    ]
  }
}
