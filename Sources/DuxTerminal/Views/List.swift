/// Rows one below the other, of which those are made that are seen.
///
/// ```swift
/// List(state.todos, position, name: "todos") { todo, row in
///   HStack {
///     Text(todo.isDone ? "✓" : " ")
///     Text(todo.title).truncated()
///   }
/// }
/// ```
///
/// Drawing costs what the rows on the screen cost, with 1,000,000 rows as with 100.
public struct List: DrawnView {
  /// What a row is told beside what it shows.
  public struct RowContext: Hashable, Sendable {
    /// Its place among all.
    public let index: Int
    /// Whether it is the one that keys act on.
    public let isSelected: Bool
  }

  /// What is to be drawn at a height: found out then, since only then the height is known.
  private let window: (Int) -> (top: Int, selected: Int?)
  private let row: (RowContext) -> (any DrawnView)?
  private let count: Int
  private let name: String
  private let rowHeight: Int
  private let isFocused: Bool
  /// Whether the bar's column stays free where there is no bar.
  private var keepsRoomForBar = false

  /// Shows rows of some lines each.
  ///
  /// By its name clicks on its rows are told, and its viewport, in ``Layout``. The selected row looks
  /// otherwise where keys go to another part of the screen.
  public init<Rows: RowSource>(
    _ rows: Rows, _ position: ListPosition<Rows.ID>, name: String = "list", rowHeight: Int = 1,
    isFocused: Bool = true,
    @ViewBuilder row: @escaping (Rows.Row, RowContext) -> ViewGroup
  ) {
    count = max(rows.count, 0)
    window = { position.window(in: rows, height: $0) }
    self.row = { context in
      rows.row(at: context.index).map { row($0, context).drawn }
    }
    self.name = name
    self.rowHeight = min(max(rowHeight, 1), Size.longest)
    self.isFocused = isFocused
  }

  /// How many columns it wants.
  public var width: Extent { .flexible(min: 1, ideal: 10) }

  /// How many rows it wants at a width.
  public func height(columns: Int) -> Extent {
    .flexible(min: 1, ideal: min(count, Size.longest) * rowHeight)
  }

  /// Draws it.
  public func draw(into canvas: inout Canvas) {
    let size = canvas.size
    let visible = (size.rows + rowHeight - 1) / rowHeight
    let whole = max(size.rows / rowHeight, min(visible, 1))
    let (top, selected) = window(whole)
    canvas.note(Viewport(top: top, height: whole), of: name)
    let hasBar = count > whole && size.columns > 3
    let columns = hasBar || keepsRoomForBar && size.columns > 3 ? size.columns - 1 : size.columns
    for line in 0..<visible where top + line < count {
      let place = Rect(
        row: line * rowHeight, column: 0, size: Size(columns: columns, rows: rowHeight))
      draw(RowContext(index: top + line, isSelected: top + line == selected), place, &canvas)
    }
    if hasBar { drawBar(top: top, height: whole, into: &canvas) }
  }

  /// With rows as wide as beside a bar, whether there is one or not.
  func keepingRoomForBar() -> List {
    var list = self
    list.keepsRoomForBar = true
    return list
  }

  private func draw(_ context: RowContext, _ place: Rect, _ canvas: inout Canvas) {
    guard let content = row(context) else { return }
    let role: Role? = context.isSelected ? (isFocused ? .selection : .idleSelection) : nil
    let target = Target(name, row: context.index)
    canvas.within(place, style: role.map { canvas.theme[$0] } ?? .plain) { canvas in
      canvas.name(target)
      if role != nil { canvas.fill() }
      canvas.draw(content, in: content.size(in: canvas.size).place(.topLeading, in: canvas.size))
    }
  }

  /// A bar as long as the seen rows are to all of them, and where they are among them.
  private func drawBar(top: Int, height: Int, into canvas: inout Canvas) {
    let rows = canvas.size.rows
    let thumb = max(rows * height / count, 1)
    let room = rows - thumb
    let last = count - height
    var start = last > 0 ? min(top, last) * room / last : 0
    if top > 0, room > 0 { start = max(start, 1) }
    if top < last, room > 1 { start = min(start, room - 1) }
    for row in 0..<rows {
      let isThumb = row >= start && row < start + thumb
      canvas.write(
        isThumb ? "┃" : "│", row: row, column: canvas.size.columns - 1,
        style: isThumb ? .plain : canvas.theme[.border])
    }
  }
}
