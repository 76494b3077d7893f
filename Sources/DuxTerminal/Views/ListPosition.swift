/// Which row of a list is selected, and which rows are seen.
///
/// It belongs to the program. The selected row is known by its id: it stays selected, and where it was on
/// the screen, when rows come and go above it; when it goes itself, the row that takes its place is
/// selected. It holds a few words, whatever the number of rows.
public struct ListPosition<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The row that keys act on; the first where none has been chosen.
  private(set) var chosen: ID?
  /// Where it was when it was chosen.
  private(set) var index = 0
  /// The first row that was seen then.
  private(set) var top = 0

  /// Begins at the first row.
  public init() {}

  /// Begins at a row, wherever it is.
  public init(selecting id: ID) { chosen = id }

  /// Where the selected row is now; `nil` where there are no rows.
  ///
  /// - Complexity: That of the source's `index(of:)` where rows have moved, O(1) where not.
  public func index(in rows: some RowSource<ID, some Any>) -> Int? {
    let count = rows.count
    guard count > 0 else { return nil }
    if let chosen {
      if rows.id(at: index) == chosen { return index }
      if let moved = rows.index(of: chosen) { return min(max(moved, 0), count - 1) }
    }
    return min(index, count - 1)
  }

  /// The selected row's id; `nil` where there are no rows.
  public func selection(in rows: some RowSource<ID, some Any>) -> ID? {
    index(in: rows).flatMap { rows.id(at: $0) }
  }

  /// The first row to draw where there is room for so many, and the selected one among them.
  func window(in rows: some RowSource<ID, some Any>, height: Int) -> (top: Int, selected: Int?) {
    guard height > 0, let selected = index(in: rows) else { return (0, nil) }
    let shifted = top + (selected - index)
    let least = max(selected - height + 1, 0)
    let most = min(selected, max(rows.count - height, 0))
    return (min(max(shifted, least), max(most, least)), selected)
  }
}

extension ListPosition {
  /// Selects the row so many further down, or further up; the first or the last where there are not so
  /// many.
  ///
  /// The viewport is what was drawn last, from ``Layout/viewports``: with it the list scrolls no further
  /// than it must, without it when it is drawn.
  public mutating func move(
    by distance: Int, in rows: some RowSource<ID, some Any>, _ viewport: Viewport? = nil
  ) {
    guard let current = index(in: rows) else { return }
    let (sum, overflow) = current.addingReportingOverflow(distance)
    select(at: overflow ? (distance < 0 ? 0 : .max) : sum, in: rows, viewport)
  }

  /// Selects the row a screen further down for 1, further up for -1.
  public mutating func movePage(
    _ direction: Int, in rows: some RowSource<ID, some Any>, _ viewport: Viewport? = nil
  ) {
    guard let current = index(in: rows) else { return }
    let distance = direction.signum() * max((viewport?.height ?? 10) - 1, 1)
    var moved = viewport
    if let viewport {
      moved?.top = min(max(viewport.top + distance, 0), max(rows.count - viewport.height, 0))
    }
    select(at: current + distance, in: rows, moved)
  }

  /// Selects the first row.
  public mutating func moveToStart(
    in rows: some RowSource<ID, some Any>, _ viewport: Viewport? = nil
  ) {
    select(at: 0, in: rows, viewport)
  }

  /// Selects the last row.
  public mutating func moveToEnd(
    in rows: some RowSource<ID, some Any>, _ viewport: Viewport? = nil
  ) {
    select(at: .max, in: rows, viewport)
  }

  /// Selects a row; nothing changes where there is none with that id.
  public mutating func select(
    _ id: ID, in rows: some RowSource<ID, some Any>, _ viewport: Viewport? = nil
  ) {
    guard let index = rows.index(of: id) else { return }
    select(at: index, in: rows, viewport)
  }

  /// Selects the row at a place, or the first or the last where the place is beyond them.
  public mutating func select(
    at place: Int, in rows: some RowSource<ID, some Any>, _ viewport: Viewport? = nil
  ) {
    let seen = viewport?.top ?? top + ((index(in: rows) ?? index) - index)
    index = min(max(place, 0), max(rows.count - 1, 0))
    chosen = rows.id(at: index)
    top = viewport.map { Self.top(seen, showing: index, height: $0.height) } ?? seen
  }

  /// Takes note of where the selected row and what is seen around it are now.
  ///
  /// A program that calls it when rows have changed keeps what is seen where it is even when the
  /// selected row is removed after others were.
  public mutating func settle(in rows: some RowSource<ID, some Any>, _ viewport: Viewport? = nil) {
    guard let current = index(in: rows) else { return }
    let height = viewport?.height ?? 1
    let top = viewport == nil ? top + (current - index) : window(in: rows, height: height).top
    index = current
    chosen = rows.id(at: current)
    self.top = top
  }

  /// Moves what is seen by so many rows, and the selection only as far as it must to be seen.
  public mutating func scroll(
    by distance: Int, in rows: some RowSource<ID, some Any>, _ viewport: Viewport?
  ) {
    guard let viewport, viewport.height > 0, let current = index(in: rows) else { return }
    let last = max(rows.count - viewport.height, 0)
    let (sum, overflow) = viewport.top.addingReportingOverflow(distance)
    let top = min(max(overflow ? (distance < 0 ? 0 : .max) : sum, 0), last)
    index = min(max(current, top), top + viewport.height - 1)
    chosen = rows.id(at: index)
    self.top = top
  }

  private static func top(_ top: Int, showing index: Int, height: Int) -> Int {
    max(min(top, index), index - max(height, 1) + 1, 0)
  }
}
