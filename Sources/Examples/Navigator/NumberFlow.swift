public import DuxStore

/// A stack of numbers: from the list to one of them, to its double, and back.
public struct NumberFlow: Reducer {
  /// The list, and the numbers above it.
  public struct State: Codable, Equatable, Sendable {
    /// The stack.
    public var routes = Routes(root: NumberScreen.list)

    init() {}

    /// Makes a stack of the list and these numbers.
    init(_ numbers: [Int]) throws {
      try routes.set(numbers.map { .push(.detail(NumberDetail.State(number: $0))) })
    }
  }

  /// What may be asked of it.
  public enum Action: Codable, Equatable, Sendable {
    case route(id: RouteID, action: NumberScreen.Action)
    case nav(NavigationAction<NumberScreen>)
  }

  @Dependency(\.random) private var random

  /// Makes the flow.
  public init() {}

  /// The screens say what was tapped; what comes after is known here alone.
  public var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .route(_, .list(.picked(let number))): try show(number, on: &state.routes)
      case .route(_, .list(.random)): try show(random(in: 1...100), on: &state.routes)
      case .route(let id, .detail(let action)): try follow(action, of: id, on: &state.routes)
      case .nav: break
      }
      return .none
    }
    .forEachRoute(\.routes, routes: Action.route(id:action:), nav: Action.nav) {
      EmptyReducer()
        .ifCaseLet(
          CasePath(case: NumberScreen.list), named: "list",
          action: CasePath(NumberScreen.Action.list)
        ) { Reduce { _, _ in .none } }
        .ifCaseLet(NumberScreen.detail, named: "detail", action: NumberScreen.Action.detail) {
          NumberDetail()
        }
    }
  }

  private func show(_ number: Int, on routes: inout Routes<NumberScreen>) throws {
    try routes.push(.detail(NumberDetail.State(number: number)))
  }

  private func follow(
    _ action: NumberDetail.Action, of id: RouteID, on routes: inout Routes<NumberScreen>
  ) throws {
    guard case .detail(let detail)? = routes[id: id]?.screen else { return }
    switch action {
    case .showDouble:
      let (double, overflows) = detail.number.multipliedReportingOverflow(by: 2)
      guard !overflows else { throw NumberDetail.tooLarge(detail.number) }
      try routes.present(.detail(NumberDetail.State(number: double)), stack: true)
    case .showRandom: try show(random(in: 1...100), on: &routes)
    case .goBack: try routes.goBack()
    case .goBackToList: try routes.goBack(to: .kind("list"))
    case .goBackTo(let number):
      try routes.goBack(to: .screen(.detail(NumberDetail.State(number: number))))
    case .goBackToRoot: routes.goBackToRoot()
    case .increment, .incrementLater: break
    }
  }
}

/// What the stack of numbers shows.
public enum NumberScreen: RouteScreen {
  /// What may be asked of a screen.
  public enum Action: Codable, Equatable, Sendable {
    case list(ListAction)
    case detail(NumberDetail.Action)
  }

  /// What somebody taps on the list.
  public enum ListAction: Codable, Equatable, Sendable {
    case picked(Int)
    case random
  }

  /// The numbers to pick from.
  case list
  case detail(NumberDetail.State)

  /// The names that the screens are kept under.
  public static let kinds: [ScreenKind<NumberScreen>] = [
    ScreenKind("list", case: .list), ScreenKind("detail", NumberScreen.detail),
  ]
  /// The list.
  public static let home: NumberScreen? = .list
}
