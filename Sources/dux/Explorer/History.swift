/// Lines that were entered, to be had again.
struct History {
  /// The lines, oldest first.
  private(set) var lines: [String]
  /// The line shown instead of the one being written; `nil` while that is shown.
  private var position: Int?
  /// What was being written.
  private var unfinished = ""

  /// Lines that are kept.
  static let limit = 1_000

  /// Makes a history of lines from before, oldest first.
  init(_ lines: [String] = []) {
    self.lines = Array(lines.suffix(Self.limit))
  }

  /// Keeps a line.
  ///
  /// - Returns: whether it is another one than the last.
  @discardableResult
  mutating func append(_ line: String) -> Bool {
    position = nil
    guard !line.isEmpty, lines.last != line else { return false }
    lines.append(line)
    if lines.count > Self.limit { lines.removeFirst() }
    return true
  }

  /// The line before the one that is shown; `nil` where there is none.
  mutating func previous(showing text: String) -> String? {
    let place = position ?? lines.count
    guard place > 0 else { return nil }
    if position == nil { unfinished = text }
    position = place - 1
    return lines[place - 1]
  }

  /// The line after the one that is shown, at last what was being written.
  mutating func next() -> String? {
    guard let place = position else { return nil }
    guard place + 1 < lines.count else {
      position = nil
      return unfinished
    }
    position = place + 1
    return lines[place + 1]
  }

  /// Goes back to the line being written.
  mutating func leave() {
    position = nil
  }
}
