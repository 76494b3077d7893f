import DuxTerminal

/// Where the parts of the explorer lie on a screen of some size.
struct ScreenPlan: Equatable {
  /// A part of the screen: a line for its title, unless the tabs have it, and its rows below.
  struct Part: Equatable {
    let pane: ExplorerPane
    let title: Rect?
    let rows: Rect
  }

  let size: Size
  /// The line of the connection.
  let status: Rect
  /// The line that names the parts that are not seen.
  let tabs: Rect?
  let parts: [Part]
  /// The column between the parts at the left and those at the right.
  let divider: Rect?
  /// The line for what is typed and told.
  let bottom: Rect?

  private static let wideColumns = 100
  private static let wideRows = 14

  /// Plans a screen on which keys go to a part.
  init(_ size: Size, pane: ExplorerPane) {
    self.size = size
    let columns = size.columns
    status = Rect(row: 0, column: 0, size: Size(columns: columns, rows: 1))
    bottom =
      size.rows > 1
      ? Rect(row: size.rows - 1, column: 0, size: Size(columns: columns, rows: 1)) : nil
    let rows = max(0, size.rows - 2)
    guard columns < Self.wideColumns || size.rows < Self.wideRows else {
      let left = columns * 11 / 20
      divider = Rect(row: 1, column: left, size: Size(columns: 1, rows: rows))
      tabs = nil
      parts = Self.wide(left: left, columns: columns, rows: rows)
      return
    }
    divider = nil
    let hasTabs = rows > 1
    tabs = hasTabs ? Rect(row: 1, column: 0, size: Size(columns: columns, rows: 1)) : nil
    let room = Rect(
      row: hasTabs ? 2 : 1, column: 0,
      size: Size(columns: columns, rows: hasTabs ? rows - 1 : rows))
    parts = [Part(pane: pane, title: nil, rows: room)]
  }

  private static func wide(left: Int, columns: Int, rows: Int) -> [Part] {
    func part(_ pane: ExplorerPane, _ row: Int, _ column: Int, _ width: Int, _ height: Int) -> Part
    {
      Part(
        pane: pane, title: Rect(row: row, column: column, size: Size(columns: width, rows: 1)),
        rows: Rect(row: row + 1, column: column, size: Size(columns: width, rows: height - 1)))
    }
    let right = columns - left - 1
    let logRows = rows * 3 / 5
    let peopleRows = (rows - logRows) / 2
    return [
      part(.state, 1, 0, left, rows),
      part(.log, 1, left + 1, right, logRows),
      part(.people, 1 + logRows, left + 1, right, peopleRows),
      part(.effects, 1 + logRows + peopleRows, left + 1, right, rows - logRows - peopleRows),
    ]
  }

  /// The rows that a part has room for; 0 where it is not seen.
  func height(of pane: ExplorerPane) -> Int {
    parts.first { $0.pane == pane }?.rows.size.rows ?? 0
  }

  /// What lies at a cell.
  func hit(_ position: Position) -> Hit? {
    for part in parts {
      if part.rows.contains(position) {
        return .row(part.pane, offset: position.row - part.rows.origin.row)
      }
      if part.title?.contains(position) == true { return .pane(part.pane) }
    }
    if let tabs, tabs.contains(position) {
      return ExplorerPane.allCases.first { Self.tabColumns(of: $0).contains(position.column) }
        .map { .pane($0) }
    }
    return nil
  }

  /// What may be clicked.
  enum Hit: Equatable {
    case pane(ExplorerPane)
    /// A row, counted from the first that is seen.
    case row(ExplorerPane, offset: Int)
  }

  /// What a tab says.
  static func tabText(of pane: ExplorerPane) -> String { " \(pane.rawValue + 1) \(pane.title) " }

  /// The columns of a tab.
  static func tabColumns(of pane: ExplorerPane) -> Range<Int> {
    let start = ExplorerPane.allCases.prefix(pane.rawValue).reduce(0) { $0 + tabText(of: $1).count }
    return start..<start + tabText(of: pane).count
  }
}
