/// A line around a view, with a title in its upper edge.
public struct Border: DrawnView {
  private let title: Text?
  private let content: any DrawnView

  /// Draws a line around views.
  public init(_ title: String? = nil, @ViewBuilder _ content: () -> ViewGroup) {
    self.title = title.map { Text($0).role(.title).truncated() }
    self.content = content().drawn
  }

  /// How many columns it wants.
  public var width: Extent {
    let titled = content.width.covering(.init(ideal: title.map { $0.width.ideal + 2 } ?? 0, max: 0))
    return Extent(
      min: content.width.min, ideal: titled.ideal, max: max(titled.ideal, content.width.max)
    ).extended(by: 2)
  }

  /// How many rows it wants at a width.
  public func height(columns: Int) -> Extent {
    content.height(columns: max(columns - 2, 0)).extended(by: 2)
  }

  /// Draws it.
  public func draw(into canvas: inout Canvas) {
    let size = canvas.size
    guard size.columns >= 2, size.rows >= 2 else { return }
    let style = canvas.theme[.border]
    let line = String(repeating: "─", count: size.columns - 2)
    canvas.write("┌" + line + "┐", row: 0, column: 0, style: style)
    for row in 1..<size.rows - 1 {
      canvas.write("│", row: row, column: 0, style: style)
      canvas.write("│", row: row, column: size.columns - 1, style: style)
    }
    canvas.write("└" + line + "┘", row: size.rows - 1, column: 0, style: style)
    if let title, size.columns > 4 {
      let room = Text(" ") + title + Text(" ")
      let columns = min(room.width.ideal, size.columns - 2)
      canvas.draw(
        room.truncated(), in: Rect(row: 0, column: 1, size: Size(columns: columns, rows: 1)))
    }
    let room = Size(columns: size.columns - 2, rows: size.rows - 2)
    canvas.draw(content, in: Rect(row: 1, column: 1, size: content.size(in: room)))
  }
}
