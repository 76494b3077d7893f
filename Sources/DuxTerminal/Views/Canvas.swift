/// The part of a grid that a view draws itself in.
///
/// Places count from the part's upper left. What lies outside of it is not written, so a view may draw
/// without asking how much room there is.
public struct Canvas {
  /// How much room there is.
  public var size: Size { area.size }
  /// How roles look.
  public let theme: Theme
  /// How text looks that says nothing else.
  public private(set) var style = TextStyle.plain
  private(set) var grid: Grid
  private var area: Rect
  private var clip: Rect

  init(size: Size, theme: Theme) {
    grid = Grid(size: size)
    area = Rect(row: 0, column: 0, size: size)
    clip = area
    self.theme = theme
  }

  /// Writes one line of text from a column to the right, in the style that holds here with another
  /// on top.
  ///
  /// - Returns: The column after the text, were there room for all of it.
  @discardableResult
  public mutating func write(
    _ text: some StringProtocol, row: Int, column: Int, style: TextStyle = .plain
  ) -> Int {
    let style = self.style.overlaid(with: style)
    let row = row.onScreen
    var column = column.onScreen
    for character in text where column < size.columns {
      TextUnit.forEach(in: character) { put($0, style: style, row: row, column: &column) }
    }
    return column
  }

  /// Writes a line whose pieces know their styles.
  mutating func write(_ line: StyledLine, row: Int, column: Int) {
    var column = column
    for piece in line.pieces where column < size.columns {
      put(piece.unit, style: piece.style, row: row, column: &column)
    }
  }

  private mutating func put(_ unit: TextUnit, style: TextStyle, row: Int, column: inout Int) {
    let place = Position(row: area.origin.row + row, column: area.origin.column + column)
    column += unit.width
    guard clip.rows.contains(place.row), clip.columns.contains(place.column) else {
      if unit.width == 2, clip.contains(Position(row: place.row, column: place.column + 1)) {
        grid.put(.space, style: style, row: place.row, column: place.column + 1)
      }
      return
    }
    let isWhole = unit.width == 1 || clip.columns.contains(place.column + 1)
    grid.put(isWhole ? unit : .space, style: style, row: place.row, column: place.column)
  }

  /// Fills the whole canvas with one character, blank if none is given; one that is wide or nothing
  /// is a blank too.
  public mutating func fill(_ character: Character = " ", style: TextStyle = .plain) {
    let units = TextUnit.units(of: character)
    let unit = units.count == 1 && units.first?.width == 1 ? units.first ?? .space : .space
    let style = self.style.overlaid(with: style)
    for row in clip.rows {
      for column in clip.columns { grid.put(unit, style: style, row: row, column: column) }
    }
  }

  /// Changes the style of all that was written to the canvas.
  public mutating func restyle(_ change: (TextStyle) -> TextStyle) {
    for row in clip.rows {
      for column in clip.columns where grid[row, column].part != .right {
        grid.restyle(row: row, column: column, change)
      }
    }
  }

  /// Draws in a part of this canvas, in the style that holds here with another on top.
  public mutating func within(
    _ part: Rect, style: TextStyle = .plain, _ body: (inout Canvas) -> Void
  ) {
    let (area, clip, before) = (area, clip, self.style)
    self.area = Rect(
      row: area.origin.row + part.origin.row, column: area.origin.column + part.origin.column,
      size: part.size)
    self.clip = clip.intersection(self.area)
    self.style = before.overlaid(with: style)
    body(&self)
    (self.area, self.clip, self.style) = (area, clip, before)
  }

  /// Draws a view in a part of this canvas.
  public mutating func draw(_ view: some View, in part: Rect) {
    let drawn = view.drawn
    within(part) { drawn.draw(into: &$0) }
  }

  /// Shows the terminal's cursor, where it lies within the canvas.
  public mutating func showCursor(row: Int, column: Int) {
    let place = Position(
      row: area.origin.row + row.onScreen, column: area.origin.column + column.onScreen)
    if clip.contains(place) { grid.cursor = place }
  }

  /// Hides the cursor that something below has shown, and what could be clicked there.
  mutating func cover() {
    grid.cursor = nil
    grid.layout = Layout()
  }

  /// Names the whole canvas for clicks.
  public mutating func name(_ target: Target) {
    grid.layout.add(target, at: clip)
  }

  mutating func note(_ viewport: Viewport, of name: String) {
    grid.layout.viewports[name] = viewport
  }
}

/// Draws a view: what it shows goes in, cells come out.
///
/// A view that wants less than the whole stands at the upper left.
public func render(_ view: some View, size: Size, theme: Theme = .standard) -> Grid {
  var canvas = Canvas(size: size, theme: theme)
  let drawn = view.drawn
  canvas.draw(drawn, in: drawn.size(in: size).place(.topLeading, in: size))
  return canvas.grid
}

extension DrawnView {
  /// What it takes of a room.
  func size(in room: Size) -> Size {
    let columns = min(room.columns, width.max)
    return Size(columns: columns, rows: min(room.rows, height(columns: columns).max))
  }
}

extension Size {
  func place(_ alignment: Alignment, in room: Size) -> Rect { alignment.place(self, in: room) }
}
