public import DuxStore
public import Foundation

/// A client's home: a stack whose screens hold the flows, and what was filled in on the way.
///
/// The drafts lie beside the stack, by the flow's id. A screen that is left is gone; what was entered on it
/// is not.
public struct Home: Reducer {
  /// Where somebody stands, and what they entered.
  public struct State: Codable, Equatable, Sendable {
    /// The menu, and the flow that is open over it.
    public var routes = Routes(root: HomeScreen.menu)
    /// What was entered, by the flow it was entered in.
    public var drafts = Table<UUID, SignUpDraft>()

    /// Makes a home with nothing but the menu.
    public init() {}
  }

  /// What may be asked of a home.
  public enum Action: Codable, Equatable, Sendable {
    case route(id: RouteID, action: HomeScreen.Action)
    /// For the screen that is seen.
    case seen(SeenAction)
    case nav(NavigationAction<HomeScreen>)
    /// Goes back from the screen that is seen, in whichever stack that is.
    ///
    /// With `from`, the id of a ``TrailStop``, only if that is still what is seen: the key of somebody who saw
    /// another screen is refused.
    case back(from: TrailStop.ID? = nil)
    /// Goes where a link leads, as `numbers/2/4` or `signUp/job`, in one step.
    case open(link: String)
    /// A draft was taken; by whom sends it in alone.
    case submitted(draft: UUID)
    /// What was on its way when the daemon stopped is not any more.
    case resume
  }

  @Dependency(\.uuid) private var uuid
  @Dependency(\.clock) private var clock

  /// How long it takes to send a draft in.
  public static let pretendedDelay = Duration.seconds(1)

  /// The screens first, then the home that knows what comes after them.
  public var body: some Reducer<State, Action> {
    Addressing {
      Reduce(follow)
        .forEachRoute(\.routes, routes: Action.route(id:action:), nav: Action.nav) {
          ShowingHomeScreen()
        }
    }
  }

  @Sendable private func follow(_ state: inout State, _ action: Action) throws -> Effect<Action> {
    switch action {
    case .route(_, .menu(.numbers)):
      try state.routes.present(.numbers(NumberFlow.State()), as: .cover)
    case .route(_, .menu(.signUp)): try openSignUp(&state)
    case .route(let id, .signUp(.route(_, let step))):
      return try fill(&state, from: id, step)
    case .back(let id): try state.goBack(from: id)
    case .open(let link): try open(Link(link), &state)
    case .submitted(let draft): state.drafts.update(draft) { $0.status = .submitted }
    case .resume:
      for draft in state.drafts where draft.status == .submitting {
        state.drafts[id: draft.id]?.status = .failed
      }
    case .route, .nav, .seen: break
    }
    return .none
  }

  /// Opens the form where somebody left it, or a new one.
  private func openSignUp(_ state: inout State) throws {
    let draft = try currentDraft(of: &state)
    try state.routes.present(.signUp(SignUpFlow.State(draft: draft.id)), as: .cover)
  }

  private func currentDraft(of state: inout State) throws -> SignUpDraft {
    if let open = state.drafts.rows.last(where: { $0.status != .submitted }) { return open }
    let draft = SignUpDraft(id: uuid())
    try state.drafts.append(draft)
    return draft
  }

  private func open(_ link: Link, _ state: inout State) throws {
    switch link {
    case .home: state.routes.goBackToRoot()
    case .numbers(let numbers):
      try state.routes.set([.present(.numbers(try NumberFlow.State(numbers)), as: .cover)])
    case .signUp(let step):
      let draft = try currentDraft(of: &state)
      let flow = try SignUpFlow.State(draft: draft.id, at: step)
      try state.routes.set([.present(.signUp(flow), as: .cover)])
    }
  }
}

extension Home {
  /// Keeps what a step of the form says, and sends it in at the end.
  private func fill(
    _ state: inout State, from route: RouteID, _ step: SignUpStep.Action
  ) throws -> Effect<Action> {
    guard case .signUp(let flow)? = state.routes[id: route]?.screen,
      var draft = state.drafts[id: flow.draft]
    else { return .none }
    let effect = try draft.take(step) ? submit(draft) : .none
    state.drafts[id: draft.id] = draft
    if case .final(.done) = step {
      guard draft.status == .submitted else {
        throw Rejection(reason: "not_submitted", message: "the form was not sent in yet")
      }
      state.drafts.remove(id: draft.id)
      state.routes.goBackToRoot()
    }
    return effect
  }

  /// Sends a draft in; it belongs to the home, so it goes on when the form is closed.
  private func submit(_ draft: SignUpDraft) -> Effect<Action> {
    .run("submit") { send in
      try await clock.sleep(for: Self.pretendedDelay)
      await send(.submitted(draft: draft.id))
    }
    .cancellable("submit \(draft.id)", .takeFirst)
  }
}
