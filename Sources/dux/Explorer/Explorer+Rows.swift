import DuxEngine
import DuxJSON
import DuxTerminal

/// The rows of the parts of the screen, and what is selected in them.
extension Explorer {
  /// The rows of the part of the screen that keys go to.
  var rowCount: Int { rowCount(of: pane) }

  /// The rows of a part of the screen.
  func rowCount(of pane: ExplorerPane) -> Int {
    switch pane {
    case .state: search?.matches.count ?? tree.rowCount
    case .log: log.rowCount
    case .people: people.people.count
    case .effects: effects.effects.count
    }
  }

  /// The selected row in it.
  func selectedRow(in pane: ExplorerPane) -> Int {
    switch pane {
    case .state: search?.selectedRow ?? tree.selectedRow
    case .log: log.selectedRow
    case .people: people.selectedRow
    case .effects: effects.selectedRow
    }
  }

  mutating func move(by distance: Int, _ session: RemoteSession) {
    select(row: selectedRow(in: pane) + distance, session)
  }

  mutating func select(row: Int, _ session: RemoteSession) {
    switch pane {
    case .state: if search != nil { search?.select(row: row) } else { tree.select(row: row) }
    case .log:
      log.select(row: row)
      if log.selectedRow + ActionLog.pageSize / 2 >= log.rowCount { askForOlder(session) }
    case .people: people.select(row: row)
    case .effects: effects.select(row: row)
    }
  }

  mutating func enter() {
    switch pane {
    case .state: if search == nil { tree.enter() } else { goToMatch() }
    case .log: if log.opened == nil { log.toggleDetails() }
    case .people, .effects: break
    }
  }

  mutating func leave() {
    switch pane {
    case .state: if search == nil { tree.leave() } else { search = nil }
    case .log: if log.opened != nil { log.toggleDetails() }
    case .people, .effects: break
    }
  }

  mutating func act(_ session: RemoteSession) {
    switch pane {
    case .state where search != nil: goToMatch()
    case .state: if tree.selected?.isContainer == true { tree.toggle() } else { showSelected() }
    case .log: log.toggleDetails()
    case .people, .effects: showSelected()
    }
  }

  private mutating func goToMatch() {
    guard let path = search?.selected else { return }
    search = nil
    if !tree.jump(to: path) { tell("\(path) is gone", isFailure: true) }
  }

  /// The first row of a part that is seen.
  func top(of pane: ExplorerPane) -> Int { tops[pane] ?? 0 }

  /// Scrolls each part so far that its selected row is seen.
  mutating func scroll(_ plan: ScreenPlan) {
    visiblePanes = Set(plan.parts.map(\.pane))
    for part in plan.parts {
      let selected = selectedRow(in: part.pane)
      let height = max(1, part.rows.size.rows)
      let count = rowCount(of: part.pane)
      var top = min(self.top(of: part.pane), max(0, count - height))
      top = max(min(top, selected), selected - height + 1, 0)
      tops[part.pane] = top
    }
  }
}
