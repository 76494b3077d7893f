/// Rows in columns, under a header.
///
/// Like ``List`` it makes the rows that are seen. Text too long for its column ends in an `…`.
public struct TableView<Row>: View {
  /// One column of a table.
  public struct Column {
    /// How wide a column is.
    public enum Width: Hashable, Sendable {
      /// So many cells.
      case fixed(Int)
      /// What the fixed ones leave, shared equally with the others of this kind; so many cells at least.
      case flexible(min: Int = 1)
    }

    let title: String
    let extent: Extent
    let alignment: HorizontalAlignment
    let text: (Row) -> Text

    /// Describes a column.
    public init(
      _ title: String, _ width: Width = .flexible(), alignment: HorizontalAlignment = .leading,
      _ text: @escaping (Row) -> Text
    ) {
      self.title = title
      extent =
        switch width {
        case .fixed(let length): .fixed(length)
        case .flexible(let least): .flexible(min: least)
        }
      self.alignment = alignment
      self.text = text
    }
  }

  private let columns: [Column]
  private let makeList: (@escaping (Row) -> TableLine) -> List

  /// Shows rows; parameters as those of ``List``.
  public init<Rows: RowSource>(
    _ rows: Rows, _ position: ListPosition<Rows.ID>, columns: [Column], name: String = "table",
    isFocused: Bool = true
  ) where Rows.Row == Row {
    self.columns = columns
    makeList = { line in
      List(rows, position, name: name, isFocused: isFocused) { row, _ in line(row) }
    }
  }

  /// The header and the rows.
  public var body: some View {
    VStack {
      TableHeader(line: line(columns.map { Text($0.title) }))
      Divider()
      makeList { row in line(columns.map { $0.text(row) }) }.keepingRoomForBar().priority(1)
    }
  }

  private func line(_ texts: [Text]) -> TableLine {
    TableLine(
      cells: zip(columns, texts).map { column, text in
        TableLine.Cell(
          text: text.truncated(), extent: column.extent, alignment: column.alignment)
      })
  }
}

/// A row or the header of a table.
struct TableLine: DrawnView {
  struct Cell {
    var text: Text
    var extent: Extent
    var alignment: HorizontalAlignment
  }

  var cells: [Cell]

  var width: Extent {
    cells.reduce(.fixed(max(cells.count - 1, 0))) { $0.followed(by: $1.extent) }
  }

  func height(columns: Int) -> Extent { .fixed(1) }

  func draw(into canvas: inout Canvas) {
    let division = Division(
      extents: cells.map(\.extent), priorities: cells.map { _ in 0 })
    let room = max(canvas.size.columns - max(cells.count - 1, 0), 0)
    var column = 0
    for (cell, width) in zip(cells, division.lengths(room)) {
      let used = min(cell.text.width.ideal, width)
      canvas.draw(
        cell.text,
        in: Rect(
          row: 0, column: column + cell.alignment.offset(used, in: width),
          size: Size(columns: used, rows: 1)))
      column += width + 1
    }
  }
}

/// A line over a list that keeps room for its bar.
private struct TableHeader: DrawnView {
  var line: TableLine

  var width: Extent { line.width }
  func height(columns: Int) -> Extent { .fixed(1) }

  func draw(into canvas: inout Canvas) {
    let columns = canvas.size.columns
    let part = Rect(
      row: 0, column: 0, size: Size(columns: columns > 3 ? columns - 1 : columns, rows: 1))
    canvas.within(part, style: canvas.theme[.title]) { line.draw(into: &$0) }
  }
}
