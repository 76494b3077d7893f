/// What a terminal shows: lines of cells, and where the cursor stands.
///
/// A grid is a value. Whatever is written to it, each wide character has both its halves and no cell
/// holds anything that could move a terminal's cursor elsewhere.
public struct Grid: Sendable {
  /// How many cells there are.
  public let size: Size
  /// Where text is being typed, or `nil` where the cursor is hidden.
  public internal(set) var cursor: Position?
  /// What was laid out where, for clicks and scrolling; it is no part of what is shown.
  public internal(set) var layout = Layout()
  private(set) var cells: [Cell]

  /// Makes a grid of blanks.
  public init(size: Size) {
    self.size = size
    cells = Array(repeating: .blank, count: size.columns * size.rows)
  }

  /// The cell at a place; a blank outside of the grid.
  public subscript(row: Int, column: Int) -> Cell {
    index(row, column).map { cells[$0] } ?? .blank
  }

  private func index(_ row: Int, _ column: Int) -> Int? {
    guard row >= 0, row < size.rows, column >= 0, column < size.columns else { return nil }
    return row * size.columns + column
  }

  /// Writes one unit of text.
  ///
  /// One that is wide and reaches over the right border becomes a blank; a wide one that it covers
  /// by half becomes a blank in its other half.
  mutating func put(_ unit: TextUnit, style: TextStyle, row: Int, column: Int) {
    guard let place = index(row, column) else { return }
    guard unit.width == 2 else {
      return put(Cell(text: unit.text, style: style, part: .whole), place)
    }
    guard column + 1 < size.columns else { return put(.blank(style), place) }
    put(Cell(text: unit.text, style: style, part: .left), place)
    put(Cell(text: "", style: style, part: .right), place + 1, follows: true)
  }

  private mutating func put(_ cell: Cell, _ place: Int, follows: Bool = false) {
    switch cells[place].part {
    case .whole: break
    case .left: cells[place + 1] = .blank(cells[place + 1].style)
    case .right where !follows: cells[place - 1] = .blank(cells[place - 1].style)
    case .right: break
    }
    cells[place] = cell
  }

  /// Changes the style of a cell, and of its other half with it.
  mutating func restyle(row: Int, column: Int, _ change: (TextStyle) -> TextStyle) {
    guard let place = index(row, column) else { return }
    let style = change(cells[place].style)
    cells[place].style = style
    switch cells[place].part {
    case .whole: break
    case .left: cells[place + 1].style = style
    case .right: cells[place - 1].style = style
    }
  }
}

extension Grid: Equatable {
  /// Tells whether both show the same.
  public static func == (left: Grid, right: Grid) -> Bool {
    left.size == right.size && left.cursor == right.cursor && left.cells == right.cells
  }
}

extension Grid {
  /// The lines as text, blanks at the ends of lines left out, one line feed between two lines.
  public var text: String { lines.joined(separator: "\n") }

  /// The lines as text, blanks at their ends left out.
  public var lines: [String] {
    (0..<size.rows).map { row in
      let line = self[row: row]
      let end = line.lastIndex { $0.text != " " }.map { $0 + 1 } ?? line.startIndex
      return line[..<end].map(\.text).joined()
    }
  }

  /// The cells of a line; none where there is no such line.
  public subscript(row row: Int) -> ArraySlice<Cell> {
    guard row >= 0, row < size.rows else { return [] }
    return cells[row * size.columns..<(row + 1) * size.columns]
  }
}
