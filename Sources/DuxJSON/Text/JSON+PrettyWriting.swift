extension JSON {
  /// Appends a text for people: an entry a line, each level indented.
  ///
  /// - Parameters:
  ///   - bytes: where the text goes.
  ///   - indent: spaces a level.
  public func writePretty(into bytes: inout [UInt8], indent: Int) {
    writePretty(into: &bytes, indent: max(0, indent), level: 0)
  }

  private func writePretty(into bytes: inout [UInt8], indent: Int, level: Int) {
    func startLine(_ level: Int) {
      bytes.append(UInt8(ascii: "\n"))
      bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indent * level))
    }
    switch self {
    case .array(let array) where !array.isEmpty:
      var opening = UInt8(ascii: "[")
      for element in array {
        bytes.append(opening)
        startLine(level + 1)
        element.writePretty(into: &bytes, indent: indent, level: level + 1)
        opening = UInt8(ascii: ",")
      }
      startLine(level)
      bytes.append(UInt8(ascii: "]"))
    case .object(let object) where !object.isEmpty:
      var opening = UInt8(ascii: "{")
      for (key, value) in object {
        bytes.append(opening)
        startLine(level + 1)
        JSON.write(string: key, into: &bytes)
        bytes.append(contentsOf: ": ".utf8)
        value.writePretty(into: &bytes, indent: indent, level: level + 1)
        opening = UInt8(ascii: ",")
      }
      startLine(level)
      bytes.append(UInt8(ascii: "}"))
    default: write(into: &bytes)
    }
  }
}
