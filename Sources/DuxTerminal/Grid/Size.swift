/// How many columns and rows a terminal, or a part of it, has.
public struct Size: Hashable, Sendable {
  /// Cells side by side, 0 at least.
  public let columns: Int
  /// Lines, 0 at least.
  public let rows: Int

  /// More than any terminal has: what is asked for beyond it is cut, so that nobody can make a grid
  /// that memory does not hold, and sums of lengths never overflow.
  public static let longest = 2_000

  /// Makes a size within 0 and ``longest`` in both directions.
  public init(columns: Int, rows: Int) {
    self.columns = min(max(columns, 0), Self.longest)
    self.rows = min(max(rows, 0), Self.longest)
  }

  /// No cell at all.
  public static let zero = Size(columns: 0, rows: 0)
}

extension Int {
  /// As a length that something on a screen can have.
  var length: Int { Swift.min(Swift.max(self, 0), Size.longest) }

  /// As a place from which sums don't overflow, however deep views lie in each other; all that is
  /// further away is as far out of sight.
  var onScreen: Int { Swift.min(Swift.max(self, -(1 << 32)), 1 << 32) }
}

/// A cell's place, counted from 0 at the upper left.
public struct Position: Hashable, Sendable {
  /// The line, from the top.
  public var row: Int
  /// The cell within the line, from the left.
  public var column: Int

  /// Makes a position, which may lie outside of any grid.
  public init(row: Int, column: Int) {
    self.row = row
    self.column = column
  }
}

/// A part of a grid.
public struct Rect: Hashable, Sendable {
  /// The upper left cell; it may lie outside of the grid.
  public internal(set) var origin: Position
  /// How far it goes to the right and down.
  public internal(set) var size: Size

  /// Makes a rectangle; one that would begin further away than any screen reaches begins there.
  public init(row: Int, column: Int, size: Size) {
    origin = Position(row: row.onScreen, column: column.onScreen)
    self.size = size
  }

  /// The rows it covers.
  var rows: Range<Int> { origin.row..<origin.row + size.rows }
  /// The columns it covers.
  var columns: Range<Int> { origin.column..<origin.column + size.columns }

  /// Tells whether a cell lies inside.
  public func contains(_ position: Position) -> Bool {
    rows.contains(position.row) && columns.contains(position.column)
  }

  /// What this one and another share; without cells where they share none.
  func intersection(_ other: Rect) -> Rect {
    let rows = rows.clamped(to: other.rows)
    let columns = columns.clamped(to: other.columns)
    return Rect(
      row: rows.lowerBound, column: columns.lowerBound,
      size: Size(columns: columns.count, rows: rows.count))
  }
}
