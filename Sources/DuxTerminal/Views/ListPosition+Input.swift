extension ListPosition {
  /// Moves as an event asks: by arrows, page keys, Home and End, the wheel, and a click on a row.
  ///
  /// - Returns: Whether the event was one of the list's, even if there was nowhere to go.
  @discardableResult
  public mutating func take(
    _ event: InputEvent, in rows: some RowSource<ID, some Any>, _ layout: Layout,
    name: String = "list"
  ) -> Bool {
    let viewport = layout.viewports[name]
    switch event {
    case .key(let key) where !key.control && !key.alt:
      return take(key.code, rows, viewport)
    case .mouse(let mouse):
      guard let target = layout.target(at: mouse.position), target.name == name,
        let row = target.row
      else { return false }
      switch mouse.action {
      case .press(.left): select(at: row, in: rows, viewport)
      case .wheelUp: scroll(by: -3, in: rows, viewport)
      case .wheelDown: scroll(by: 3, in: rows, viewport)
      default: return false
      }
      return true
    default: return false
    }
  }

  private mutating func take(
    _ code: Key.Code, _ rows: some RowSource<ID, some Any>, _ viewport: Viewport?
  ) -> Bool {
    switch code {
    case .up: move(by: -1, in: rows, viewport)
    case .down: move(by: 1, in: rows, viewport)
    case .pageUp: movePage(-1, in: rows, viewport)
    case .pageDown: movePage(1, in: rows, viewport)
    case .home: moveToStart(in: rows, viewport)
    case .end: moveToEnd(in: rows, viewport)
    default: return false
    }
    return true
  }
}
