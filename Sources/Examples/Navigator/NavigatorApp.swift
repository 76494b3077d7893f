public import DuxStore

/// Two flows of screens, which each client goes through by itself, or several together.
///
/// One flow wanders among numbers, the other asks for what a new account needs, step by step. Both are stacks
/// within a screen of a third stack, the home. Where each client stands is in the state: so one may watch what
/// another does, and all of it is there after a restart.
public struct NavigatorApp: App {
  /// Where all clients stand.
  public struct State: Codable, Equatable, Sendable {
    /// By the clients' names, and what several go through together.
    public var navigators = Navigators<Home.State>()

    /// What a client sees; what one begins with where it has not come yet.
    public func home(seenBy client: String) -> Home.State {
      navigators.content(seenBy: client) ?? Home.State()
    }
  }

  /// What may be asked.
  public enum Action: Codable, Equatable, Sendable {
    /// For the home that the client sees, or of whom it follows.
    case navigators(NavigatorsAction<Home.Action>)
    /// The daemon has started.
    case started
  }

  /// `navigator`.
  public let name = "navigator"
  /// Nobody is there.
  public let initialState = State()
  /// Tells what a stop broke off.
  public let startAction: Action? = .started

  /// Makes the app.
  public init() {}

  /// A home for each client, and what is shared.
  public var body: some Reducer<State, Action> {
    Reduce { state, action in
      guard case .started = action else { return .none }
      return .merge(
        state.navigators.clients.map { .send(.navigators(.client(id: $0.id, action: .resume))) }
          + state.navigators.shared.map { .send(.navigators(.shared(id: $0.id, action: .resume))) })
    }
    .forEachNavigator(\.navigators, action: Action.navigators, initial: Home.State()) { Home() }
  }
}
