import DuxEngine
import DuxJSON
import DuxLog
import DuxProtocol
import DuxTerminal

/// What comes from the terminal.
extension Explorer {
  /// Takes an event; `plan` tells where things lie on the screen.
  mutating func take(_ event: InputEvent, _ plan: ScreenPlan, _ session: RemoteSession) {
    showState()
    switch event {
    case .key(let key):
      take(key, plan, session)
    case .paste(let text):
      if prompt == nil { open(Prompt(.dispatch)) }
      prompt?.paste(text)
      searchAsTyped()
    case .mouse(let mouse):
      take(mouse, plan, session)
    case .resize, .focusGained, .focusLost:
      break
    }
  }

  private mutating func take(_ key: Key, _ plan: ScreenPlan, _ session: RemoteSession) {
    if key == .control("c") { return wishes.append(.quit) }
    if sheet != nil { return take(inSheet: key, session) }
    if prompt != nil { return take(inPrompt: key, plan, session) }
    message = nil
    if let pane = ExplorerKeys.pane(of: key) { return self.pane = pane }
    guard let command = ExplorerKeys.map[key] else { return }
    carryOut(command, plan, session)
  }

  private mutating func carryOut(
    _ command: ExplorerCommand, _ plan: ScreenPlan, _ session: RemoteSession
  ) {
    let page = max(1, (plan.height(of: pane)) - 1)
    switch command {
    case .up: move(by: -1, session)
    case .down: move(by: 1, session)
    case .pageUp: move(by: -page, session)
    case .pageDown: move(by: page, session)
    case .top: select(row: 0, session)
    case .bottom: select(row: rowCount - 1, session)
    case .enter: enter()
    case .leave: leave()
    case .act: act(session)
    case .openEverything: if pane == .state, search == nil { tree.openEverything() }
    case .closeEverything: if pane == .state, search == nil { tree.closeEverything() }
    case .nextPane: turn(by: 1)
    case .previousPane: turn(by: -1)
    case .pane(let pane): self.pane = pane
    case .dispatch: open(Prompt(.dispatch))
    case .filter: open(Prompt(.filter, search?.query ?? ""))
    case .jump: open(Prompt(.jump, (selectedPath ?? tree.selection).description))
    case .past: open(Prompt(.past))
    case .earlier: lookAt((past?.seq ?? head).previous, session)
    case .later: if let past { lookAt(past.seq.next, session) }
    case .present: returnToPresent()
    case .showValue: showSelected()
    case .copyPath: copy(selectedPath?.description, "path")
    case .copyValue: copy(selectedValue?.description, "value")
    case .pause: if log.isPaused { log.follow() } else { log.pause() }
    case .cancelEffect: askToCancel()
    case .help: sheet = .help(top: 0)
    case .redraw: wishes.append(.redraw)
    case .back: back()
    case .quit: wishes.append(.quit)
    }
  }

  private mutating func turn(by step: Int) {
    let count = ExplorerPane.allCases.count
    pane = ExplorerPane(rawValue: (pane.rawValue + step + count) % count) ?? .state
  }

  private mutating func back() {
    if search != nil { return search = nil }
    if past != nil { return returnToPresent() }
    if log.isPaused { log.follow() }
  }

  mutating func open(_ prompt: Prompt) {
    self.prompt = prompt
    history.leave()
  }

  /// Looks at the state as it was after a step.
  mutating func lookAt(_ seq: SequenceNumber, _ session: RemoteSession) {
    guard seq <= head else { return returnToPresent() }
    // One at a time, for it may be long; whoever holds the key down sees fewer of them.
    guard past?.isFetching != true else { return }
    past = PastState(seq: seq, value: past?.value)
    reads[session.get(.root, at: seq)] = .past(seq)
  }

  mutating func returnToPresent() {
    past = nil
    shownVersion = -1
  }

  private mutating func take(_ mouse: Mouse, _ plan: ScreenPlan, _ session: RemoteSession) {
    switch mouse.action {
    case .wheelUp: wheel(by: -Self.wheelRows, mouse, plan, session)
    case .wheelDown: wheel(by: Self.wheelRows, mouse, plan, session)
    case .press(.left): click(plan.hit(mouse.position), session)
    default: break
    }
  }

  private static let wheelRows = 3

  private mutating func wheel(
    by distance: Int, _ mouse: Mouse, _ plan: ScreenPlan, _ session: RemoteSession
  ) {
    guard sheet == nil else { return scrollSheet(by: distance) }
    if case .row(let pane, _)? = plan.hit(mouse.position) { self.pane = pane }
    move(by: distance, session)
  }

  private mutating func click(_ hit: ScreenPlan.Hit?, _ session: RemoteSession) {
    guard sheet == nil else { return sheet = nil }
    switch hit {
    case .pane(let pane)?: self.pane = pane
    case .row(let pane, let offset)?:
      let row = top(of: pane) + offset
      let isSelected = self.pane == pane && selectedRow(in: pane) == row
      self.pane = pane
      if isSelected { act(session) } else if row < rowCount { select(row: row, session) }
    case nil: break
    }
  }
}
