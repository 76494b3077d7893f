import DuxJSON
import DuxTerminal

/// Pieces of a line, each in its look, drawn until the line is full.
struct RowText {
  private(set) var pieces: [(text: String, role: Role?)] = []
  private let limit: Int

  /// Makes a line for so many columns.
  init(_ columns: Int) {
    limit = columns
  }

  /// Adds a piece, unless the line is full already.
  mutating func add(_ text: String, _ role: Role? = nil) {
    if used < limit { pieces.append((text, role)) }
    used += text.utf8.count
  }

  /// Whether more can be seen.
  var hasRoom: Bool { used < limit }

  /// At least the columns that are used: a character has a byte or more for each but for a few.
  private var used = 0

  /// Draws the line in a row, with an ellipsis where it is too long.
  func draw(into canvas: inout Canvas, row: Int, style: TextStyle = .plain) {
    var line = Text("")
    for piece in pieces {
      let text = Text(piece.text)
      line = line + (piece.role.map { text.role($0) } ?? text)
    }
    let rect = Rect(row: row, column: 0, size: Size(columns: canvas.size.columns, rows: 1))
    canvas.within(rect, style: style) { canvas in
      if style != .plain { canvas.fill() }
      line.truncated().draw(into: &canvas)
    }
  }
}
