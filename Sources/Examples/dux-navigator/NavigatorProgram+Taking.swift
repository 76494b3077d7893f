import DuxClient
import DuxStore
import DuxTerminal
import Navigator

extension NavigatorProgram {
  mutating func take(
    _ event: InputEvent, _ shared: Shared<State>, _ dispatch: Dispatch<Action>
  ) -> Reaction {
    let moment = Moment(shared)
    if case .key = event { refusal = nil }
    if let overlay { return take(event, over: overlay, shared, moment, dispatch) }
    let typed = moment.entered
    let keys = typed.isEmpty ? NavigatorKeys.letters : NavigatorKeys.everywhere
    if let command = keys[event] { return obey(command, moment, shared.status, dispatch) }
    switch moment.top?.screen {
    case .menu: return takeMenu(event, moment, dispatch)
    case .numberList: return takeList(event, shared, moment, dispatch)
    case .number: return takeNumber(event, moment, dispatch)
    case .step(let step): return takeStep(step, event, shared, moment, dispatch)
    case nil: return .nothing
    }
  }

  /// Does what a key means on every screen.
  private mutating func obey(
    _ command: KeyCommand, _ moment: Moment, _ status: ConnectionStatus,
    _ dispatch: Dispatch<Action>
  ) -> Reaction {
    switch command {
    case .back:
      // The id of a screen that the daemon has not confirmed is a guess, and no condition to make.
      let seen = movesOnTheirWay == 0 ? moment.top?.id : nil
      return send(.navigators(.here(.back(from: seen))), dispatch)
    case .root: return send(.navigators(.here(.nav(.goBackToRoot()))), dispatch)
    case .link: overlay = .link(Draft())
    case .follow: overlay = .follow(ListPosition())
    case .unfollow: return send(.navigators(.unfollow), dispatch)
    case .help: overlay = .help
    case .leave:
      guard case .live = status else { return .quit }
      isLeaving = true
      dispatch(.navigators(.leave))
    default: return .quit
    }
    return .redraw
  }

  /// Dispatches, and counts what leads to other screens.
  mutating func send(_ action: Action, _ dispatch: Dispatch<Action>) -> Reaction {
    // An action of this app has no value that could not be written.
    if let type = try? ActionCoder.encode(action).type, Self.isMove(type) { movesOnTheirWay += 1 }
    dispatch(action)
    return .redraw
  }

  private mutating func take(
    _ event: InputEvent, over overlay: Overlay, _ shared: Shared<State>, _ moment: Moment,
    _ dispatch: Dispatch<Action>
  ) -> Reaction {
    guard event != .key(Key(.escape)) else { return close() }
    guard event != .key(.control("c")) else { return .quit }
    let isEntered = event == .key(Key(.enter))
    switch overlay {
    case .help:
      if case .key = event { return close() }
      return .nothing
    case .link(var draft):
      if isEntered {
        _ = close()
        return send(.navigators(.here(.open(link: draft.text))), dispatch)
      }
      guard draft.take(event) else { return .nothing }
      self.overlay = .link(draft)
    case .follow(var position):
      let rows = ArrayRows(FollowChoice.all(in: shared.state, but: moment.client))
      if isEntered, let chosen = position.selection(in: rows) {
        _ = close()
        return send(.navigators(.follow(chosen)), dispatch)
      }
      guard position.take(event, in: rows, shared.layout, name: "follow") else { return .nothing }
      self.overlay = .follow(position)
    }
    return .redraw
  }

  private mutating func close() -> Reaction {
    overlay = nil
    return .redraw
  }
}

extension NavigatorProgram {
  private mutating func takeMenu(
    _ event: InputEvent, _ moment: Moment, _ dispatch: Dispatch<Action>
  ) -> Reaction {
    let chosen: HomeScreen.MenuAction
    switch event {
    case .key("1"), .key(Key(.enter)): chosen = .numbers
    case .key("2"): chosen = .signUp
    default: return .nothing
    }
    return tell(.menu(chosen), moment, dispatch)
  }

  private mutating func takeList(
    _ event: InputEvent, _ shared: Shared<State>, _ moment: Moment, _ dispatch: Dispatch<Action>
  ) -> Reaction {
    if case .showRandom? = NavigatorKeys.list[event] {
      return tell(.number(.list(.random)), moment, dispatch)
    }
    if event == .key(Key(.enter)), let row = number.selection(in: NumberRows.all) {
      return tell(.number(.list(.picked(row + 1))), moment, dispatch)
    }
    return number.take(event, in: NumberRows.all, shared.layout, name: "numbers")
      ? .redraw : .nothing
  }

  private mutating func takeNumber(
    _ event: InputEvent, _ moment: Moment, _ dispatch: Dispatch<Action>
  ) -> Reaction {
    switch NavigatorKeys.number[event] {
    case .increment: tell(.number(.detail(.increment)), moment, dispatch)
    case .incrementLater: tell(.number(.detail(.incrementLater)), moment, dispatch)
    case .showDouble: tell(.number(.detail(.showDouble)), moment, dispatch)
    case .showRandom: tell(.number(.detail(.showRandom)), moment, dispatch)
    case .goToList: tell(.number(.detail(.goBackToList)), moment, dispatch)
    default: .nothing
    }
  }

  /// Tells the screen that is seen what was done on it.
  ///
  /// It is addressed by its id, so that nobody's step in between gives it to another screen; but where the
  /// daemon has not confirmed this terminal's own last moves, the id is a guess, and it is told to
  /// whatever they lead to.
  mutating func tell(
    _ action: SeenAction, _ moment: Moment, _ dispatch: Dispatch<Action>
  ) -> Reaction {
    var told = Home.Action.seen(action)
    if movesOnTheirWay == 0, let top = moment.top {
      switch (action, top.inner) {
      case (.menu(let action), _): told = .route(id: top.outer, action: .menu(action))
      case (.number(let action), let inner?):
        told = .route(id: top.outer, action: .numbers(.route(id: inner, action: action)))
      case (.step(let action), let inner?):
        told = .route(id: top.outer, action: .signUp(.route(id: inner, action: action)))
      case (_, nil): break
      }
    }
    return send(.navigators(.here(told)), dispatch)
  }
}

/// The numbers to pick from.
enum NumberRows {
  static var all: IndexRows<Int> { IndexRows(count: 100) { $0 + 1 } }
}
