public import DuxStore

/// What the home's stack shows.
public enum HomeScreen: RouteScreen {
  /// What may be asked of a screen.
  public enum Action: Codable, Equatable, Sendable {
    case menu(MenuAction)
    case numbers(NumberFlow.Action)
    case signUp(SignUpFlow.Action)
  }

  /// What somebody chooses on the menu.
  public enum MenuAction: Codable, Equatable, Sendable {
    case numbers
    case signUp
  }

  /// Where everybody begins.
  case menu
  /// A stack of its own.
  case numbers(NumberFlow.State)
  /// Another.
  case signUp(SignUpFlow.State)

  /// The names that the screens are kept under.
  public static let kinds: [ScreenKind<HomeScreen>] = [
    ScreenKind("menu", case: .menu),
    ScreenKind("numbers", HomeScreen.numbers),
    ScreenKind("signUp", HomeScreen.signUp, formerly: ["form"]),
  ]
  /// The menu.
  public static let home: HomeScreen? = .menu
}

/// The reducers of the home's screens.
struct ShowingHomeScreen: Reducer {
  typealias State = HomeScreen
  typealias Action = HomeScreen.Action

  var body: some Reducer<State, Action> {
    EmptyReducer()
      .ifCaseLet(
        CasePath(case: HomeScreen.menu), named: "menu", action: CasePath(Action.menu)
      ) { Reduce { _, _ in .none } }
      .ifCaseLet(HomeScreen.numbers, named: "numbers", action: Action.numbers) { NumberFlow() }
      .ifCaseLet(HomeScreen.signUp, named: "signUp", action: Action.signUp) { SignUpFlow() }
  }
}
