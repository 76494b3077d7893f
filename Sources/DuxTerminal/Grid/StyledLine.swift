/// One line of units, each in its style: what text is when it is drawn.
struct StyledLine {
  /// A unit in its style.
  struct Piece {
    var unit: TextUnit
    var style: TextStyle
    /// Whether a line may end before it: it is the first unit of its character.
    var isStart: Bool
  }

  private(set) var pieces: [Piece] = []
  private(set) var columns = 0

  init() {}

  /// Makes a line of as much of a text as any terminal has room for, and a little more, so that one
  /// that was cut shows it.
  init(_ text: some StringProtocol, style: TextStyle = .plain) {
    append(text, style: style)
  }

  mutating func append(_ text: some StringProtocol, style: TextStyle) {
    for character in text where columns <= Size.longest {
      append(character, style: style)
    }
  }

  mutating func append(_ character: Character, style: TextStyle) {
    var isStart = true
    TextUnit.forEach(in: character) { unit in
      append(Piece(unit: unit, style: style, isStart: isStart))
      isStart = false
    }
  }

  mutating func append(_ piece: Piece) {
    pieces.append(piece)
    columns += piece.unit.width
  }

  /// The text that is seen.
  var text: String { pieces.map(\.unit.text).joined() }

  /// As much of the line as there is room for, with an ellipsis where something was cut.
  func truncated(to limit: Int, _ part: Truncation = .tail) -> StyledLine {
    guard columns > limit else { return self }
    guard limit > 0 else { return StyledLine() }
    let room = limit - 1
    let headRoom =
      switch part {
      case .tail: room
      case .head: 0
      case .middle: (room + 1) / 2
      }
    let head = prefix(headRoom)
    let tail = suffix(part == .tail ? 0 : room - headRoom)
    var line = StyledLine()
    for piece in head { line.append(piece) }
    let style = (head.last ?? tail.first ?? pieces.first)?.style ?? .plain
    line.append(Piece(unit: .ellipsis, style: style, isStart: true))
    for piece in tail { line.append(piece) }
    return line
  }

  private func prefix(_ room: Int) -> ArraySlice<Piece> {
    var end = 0
    var used = 0
    for (index, piece) in pieces.enumerated() {
      if piece.isStart { end = index }
      used += piece.unit.width
      if used > room { return pieces[..<end] }
    }
    return pieces[...]
  }

  private func suffix(_ room: Int) -> ArraySlice<Piece> {
    var start = pieces.endIndex
    var used = 0
    for index in pieces.indices.reversed() {
      used += pieces[index].unit.width
      if used > room { break }
      if pieces[index].isStart { start = index }
    }
    return pieces[start...]
  }
}

/// What is left out of text that there is no room for.
public enum Truncation: Hashable, Sendable {
  /// The end.
  case tail
  /// The beginning.
  case head
  /// What is between both: for paths.
  case middle
}
