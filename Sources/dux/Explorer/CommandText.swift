import DuxJSON
import DuxProtocol

/// What is typed on the explorer's line: the actions of a step.
///
/// An action's type and its payload, a step as `dux dispatch` reads it from standard input, or, for
/// the app `document`, a verb of the command line with its path: `set /a 1`.
enum CommandText {
  /// Why a line is no step.
  struct Problem: Error, Equatable {
    let message: String
    /// Where in the line, in bytes of UTF-8, if it is one place.
    let offset: Int?
  }

  /// The verbs of the app `document`, as `dux` knows them.
  static let documentVerbs = ["append", "increment", "insert", "merge", "patch", "remove", "set"]

  /// Reads a line.
  static func read(_ line: String, app: String) throws(Problem) -> [JSON] {
    var words = Words(line)
    guard let first = words.peek() else {
      throw Problem(message: "type an action and its payload, such as \(example(app))", offset: 0)
    }
    if first.hasPrefix("{") || first.hasPrefix("[") { return try step(line) }
    let type = words.next()?.text ?? ""
    if app == "document", documentVerbs.contains(type) {
      return [["type": .string("doc/" + type), "payload": try payload(of: type, &words)]]
    }
    let rest = words.rest()
    guard !rest.text.isEmpty else { return [["type": .string(type)]] }
    return [["type": .string(type), "payload": try value(rest, as: "the payload")]]
  }

  private static func example(_ app: String) -> String {
    app == "document" ? "set /a 1" : "todos/add {\"title\":\"milk\"}"
  }

  private static func step(_ line: String) throws(Problem) -> [JSON] {
    let bytes = Array(line.utf8)
    do throws(JSONParseError) {
      _ = try JSON(parsing: bytes, maximumDepth: .max)
    } catch {
      throw Problem(message: "no JSON: \(error)", offset: error.offset)
    }
    let read = bytes.withUnsafeBytes { bytes in
      Result { () throws(Failure) in try StepLine.read(bytes) }
    }
    switch read {
    case .success(let actions): return actions ?? []
    case .failure(let failure): throw Problem(message: "the line " + failure.message, offset: nil)
    }
  }

  private static func payload(of verb: String, _ words: inout Words) throws(Problem) -> JSON {
    if verb == "patch" { return ["ops": try value(words.rest(), as: "the operations")] }
    var payload: JSONObject = ["path": .string(try path(words.next(), after: verb))]
    switch verb {
    case "remove": break
    case "increment":
      let rest = words.rest()
      if !rest.text.isEmpty { payload["by"] = try value(rest, as: "the number") }
      return .object(payload)
    case "insert":
      guard let word = words.next(), let index = Int64(word.text), index >= 0 else {
        throw Problem(
          message: "insert PATH INDEX VALUE needs an index, from 0", offset: words.offset)
      }
      payload["index"] = .integer(index)
      payload["value"] = try value(words.rest(), as: "the value")
    default: payload["value"] = try value(words.rest(), as: "the value")
    }
    let rest = words.rest()
    guard rest.text.isEmpty else {
      throw Problem(message: "nothing may follow here", offset: rest.offset)
    }
    return .object(payload)
  }

  private static func path(_ word: Words.Word?, after verb: String) throws(Problem) -> String {
    guard let word else {
      throw Problem(message: "\(verb) needs a path, such as /a", offset: nil)
    }
    do throws(Failure) {
      return try PathText.read(word.text).description
    } catch {
      throw Problem(message: error.message, offset: word.offset)
    }
  }

  private static func value(_ word: Words.Word, as name: String) throws(Problem) -> JSON {
    guard !word.text.isEmpty else {
      throw Problem(message: "\(name) is missing", offset: word.offset)
    }
    do throws(JSONParseError) {
      return try JSON(parsing: word.text, maximumDepth: .max)
    } catch {
      guard let bare = try? ValueText.read(word.text, as: name) else {
        throw Problem(message: "\(name) is no JSON: \(error)", offset: word.offset + error.offset)
      }
      return bare
    }
  }
}

/// The words of a line, parted by blanks; one that begins with a quotation mark is a JSON string.
struct Words {
  /// A word and where it begins, in bytes of UTF-8.
  struct Word {
    let text: String
    let offset: Int
  }

  private let bytes: [UInt8]
  private(set) var offset = 0

  init(_ line: String) {
    bytes = Array(line.utf8)
    skipBlanks()
  }

  /// What is left of the line, without blanks at its end.
  func peek() -> String? {
    offset < bytes.count ? text(offset..<bytes.count) : nil
  }

  /// The next word.
  mutating func next() -> Word? {
    guard offset < bytes.count else { return nil }
    let start = offset
    if let word = quoted() { return word }
    while offset < bytes.count, !Self.isBlank(bytes[offset]) { offset += 1 }
    let word = Word(text: text(start..<offset), offset: start)
    skipBlanks()
    return word
  }

  /// All that is left, as one.
  mutating func rest() -> Word {
    let start = offset
    offset = bytes.count
    var end = bytes.count
    while end > start, Self.isBlank(bytes[end - 1]) { end -= 1 }
    return Word(text: text(start..<end), offset: start)
  }

  private mutating func quoted() -> Word? {
    guard bytes[offset] == UInt8(ascii: "\"") else { return nil }
    var end = offset + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard end < bytes.count, case .string(let string)? = try? JSON(parsing: text(offset..<end + 1))
    else { return nil }
    let word = Word(text: string, offset: offset)
    offset = end + 1
    skipBlanks()
    return word
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  private mutating func skipBlanks() {
    while offset < bytes.count, Self.isBlank(bytes[offset]) { offset += 1 }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
