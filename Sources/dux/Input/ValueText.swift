import DuxJSON

/// Values as they are typed: JSON, or a bare word that is a string.
enum ValueText {
  /// Reads a value, which errors call by its name in the help.
  ///
  /// - Throws: for text that begins like JSON and is none, and for a number that JSON can't hold.
  static func read(_ text: String, as name: String) throws(Failure) -> JSON {
    do throws(JSONParseError) {
      return try JSON(parsing: text, maximumDepth: .max)
    } catch {
      let start = text.utf8.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
      let isMeantAsJSON = start.map { "{[\"".utf8.contains($0) } ?? false
      guard isMeantAsJSON || error.reason == .numberOutOfRange || error.reason == .byteOrderMark
      else { return .string(text) }
      throw Failure(.usage, "\(name) is no JSON: \(place(error, in: Array(text.utf8)))")
    }
  }

  /// Reads JSON, and nothing else.
  static func readJSON(_ bytes: [UInt8], as name: String) throws(Failure) -> JSON {
    do throws(JSONParseError) {
      return try JSON(parsing: bytes, maximumDepth: .max)
    } catch {
      throw Failure(.usage, "\(name) is no JSON: \(place(error, in: bytes))")
    }
  }

  /// Where JSON is broken, with the text around it, and why.
  static func place(_ error: JSONParseError, in bytes: [UInt8]) -> String {
    let offset = min(max(0, error.offset), bytes.count)
    let before = String(decoding: bytes[max(0, offset - 20)..<offset], as: UTF8.self)
    let after = String(decoding: bytes[offset..<min(bytes.count, offset + 20)], as: UTF8.self)
    return "\(error), where the mark is: \(before.printable)▸\(after.printable)"
  }
}
