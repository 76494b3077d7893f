import DuxJSON
import DuxProtocol

/// A line of `dux dispatch`'s standard input: the actions of one step.
enum StepLine {
  /// Reads a line.
  ///
  /// - Returns: `nil` for a blank one.
  /// - Throws: why it is no step, without the number of the line.
  static func read(_ line: UnsafeRawBufferPointer) throws(Failure) -> [JSON]? {
    guard line.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) else { return nil }
    let json: JSON
    do throws(JSONParseError) {
      json = try JSON(parsing: line, maximumDepth: .max)
    } catch {
      throw Failure(.usage, "is no JSON: \(ValueText.place(error, in: Array(line)))")
    }
    guard let array = json.arrayValue else {
      try check(json, "the line")
      return [json]
    }
    guard (1...Limits.maximumActions).contains(array.count) else {
      throw Failure(
        .usage,
        "is an array of \(array.count.grouped), a step has 1 to"
          + " \(Limits.maximumActions.grouped) actions")
    }
    for (index, action) in array.enumerated() { try check(action, "action \(index)") }
    return Array(array)
  }

  private static func check(_ action: JSON, _ name: String) throws(Failure) {
    guard action.objectValue != nil, action["type"]?.stringValue != nil else {
      throw Failure(
        .usage,
        "is no action: \(name) should be an object with \"type\", a string, such as"
          + " {\"type\":\"doc/increment\",\"payload\":{\"path\":\"/n\"}}")
    }
  }
}
