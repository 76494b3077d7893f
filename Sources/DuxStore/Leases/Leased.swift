public import DuxJSON

/// An app with leases beside its state: names that one client at a time holds, for as long as it
/// renews them.
///
/// The app itself does not notice. Clients see the leases as a member `@leases` of the state while
/// there are any, and send three actions more: `@lease/acquire`, `@lease/renew`, `@lease/release`.
/// They can be one step with the app's own actions, and conditions can look at them. Until the first
/// lease is granted the app's states, views and patches are what they are without this.
public struct Leased<Hosted: App>: App {
  /// The app's state with the leases beside it.
  public struct State: Sendable {
    /// The app's own.
    public internal(set) var hosted: Hosted.State
    /// The leases.
    public internal(set) var leases = Leases()
    var obstacle: Obstacle?
  }

  /// What may be asked of the app, or of the leases.
  public enum Action: Sendable {
    /// An action of the app.
    case hosted(Hosted.Action)
    /// An action of the leases.
    case lease(LeaseAction)
  }

  /// What stands where leases would be, from before there were any.
  enum Obstacle {
    /// The app's own data, which the app can take away.
    case content
    /// A slice that nobody knows.
    case unknownSlice
  }

  /// The app.
  public let hosted: Hosted
  private let leasing = Leasing()

  /// Gives an app leases.
  public init(_ hosted: Hosted) {
    self.hosted = hosted
  }

  /// The app's.
  public var name: String { hosted.name }
  /// The app's.
  public var version: Int { hosted.version }
  /// The app's, without leases.
  public var initialState: State { State(hosted: hosted.initialState) }
  /// The app's.
  public var dependencies: DependencyValues { hosted.dependencies }
  /// The app's.
  public var startAction: Action? { hosted.startAction.map(Action.hosted) }

  /// The app's stages; what is asked of the leases passes them unseen.
  public var middleware: [any Middleware<State, Action>] {
    hosted.middleware.map { LeasedStage<Hosted>(stage: $0) }
  }

  /// The app's, and the timer of the leases.
  public var commands: [CommandHandler<Action>] {
    [LeaseTimer.handler.map(Action.lease)] + hosted.commands.map { $0.map(Action.hosted) }
  }

  /// Runs the app, or changes a lease.
  public func reduce(into state: inout State, action: Action) throws -> Effect<Action> {
    switch action {
    case .hosted(let action):
      let effect = try hosted.reduce(into: &state.hosted, action: action)
      if state.obstacle != nil { state.obstacle = try obstacle(in: state) }
      return effect.isNone ? .none : effect.map(Action.hosted)
    case .lease(let action):
      guard state.obstacle == nil else { throw Rejection.obstructed }
      return try leasing.reduce(into: &state.leases, action: action)
        .lifted(by: Action.lease, to: [Leases.Member.leases])
    }
  }

  /// What went from the app.
  public func departures(from old: State, to new: State) -> [EffectScope] {
    hosted.departures(from: old.hosted, to: new.hosted)
  }

  /// The app's slices, and the leases.
  public func describe(in outline: inout ReducerOutline) {
    hosted.describe(in: &outline)
    outline.slice(named: Leases.Member.leases, leasing)
  }

  /// Brings the app's part on; leases have the same shape in all versions.
  public func migrate(_ state: JSON, from version: Int) throws -> JSON {
    guard let leases = Leases(inView: state) else {
      return try hosted.migrate(state, from: version)
    }
    return leases.added(to: try hosted.migrate(Leases.removed(from: state), from: version))
  }

  /// Reads an action, of the leases or of the app.
  public func action(from wire: WireAction) throws(Refusal) -> Action {
    LeaseAction.isType(wire.type)
      ? .lease(try LeaseAction(wire)) : .hosted(try hosted.action(from: wire))
  }

  /// Writes an action.
  public func wireAction(of action: Action) throws(Refusal) -> WireAction {
    switch action {
    case .hosted(let action): try hosted.wireAction(of: action)
    case .lease(let action): action.wire
    }
  }

  /// The app's view, with the leases.
  ///
  /// - Throws: ``Refusal/rejected(_:)`` with the reason `reserved` when the app's own view has a
  ///   member that only leases may have.
  public func view(of state: State) throws(Refusal) -> JSON {
    let view = try hosted.view(of: state.hosted)
    if case .object(let members) = view, Leases.isFound(in: members) {
      guard state.obstacle == .content else { throw .rejected(.reserved) }
      return view
    }
    return state.leases.isUnused ? view : state.leases.added(to: view)
  }

  /// Takes the leases out of a view, and gives the app the rest.
  ///
  /// A state from before there were leases may have a member of that name that is none of theirs. It
  /// stays what it was, the app's own, and leases are refused until it is gone.
  public func state(fromView view: JSON) throws(Refusal) -> State {
    guard let leases = Leases(inView: view) else {
      var state = State(hosted: try hosted.state(fromView: view))
      state.obstacle = try obstacle(in: state) ?? .unknownSlice
      return state
    }
    let rest = leases.isUnused ? view : Leases.removed(from: view)
    return State(hosted: try hosted.state(fromView: rest), leases: leases)
  }

  private func obstacle(in state: State) throws(Refusal) -> Obstacle? {
    if state.obstacle == .unknownSlice { return .unknownSlice }
    guard case .object(let members) = try hosted.view(of: state.hosted) else { return nil }
    return Leases.isFound(in: members) ? .content : nil
  }
}

/// The app's own actions leave the members of the leases alone, so they are carried out as they are
/// without leases.
extension Leased: ViewEditable {
  func viewEditor(within limits: StateLimits) -> ViewEditor<State>? {
    guard let editor = hosted.editorOfView(within: limits) else { return nil }
    return ViewEditor(
      edit: editor.edit,
      isOpen: { $0.obstacle == nil && editor.isOpen($0.hosted) },
      state: { view in
        guard let leases = Leases(inView: view), !leases.isUnused else {
          return State(hosted: editor.state(view))
        }
        return State(hosted: editor.state(Leases.removed(from: view)), leases: leases)
      })
  }
}

extension Leased.State: StateAround {
  var inner: any Sendable { hosted }
}

/// A state that holds an app's own, which is the one that the app's effects read.
protocol StateAround: Sendable {
  /// The app's own state.
  var inner: any Sendable { get }
}

/// A stage of an app that has leases: it sees what is the app's.
private struct LeasedStage<Hosted: App>: Middleware {
  let stage: any Middleware<Hosted.State, Hosted.Action>

  var name: String { stage.name }

  func process(
    _ action: Leased<Hosted>.Action, in state: Leased<Hosted>.State, _ context: DispatchContext
  ) throws -> Passage<Leased<Hosted>.Action> {
    guard case .hosted(let action) = action else { return .pass() }
    return switch try stage.process(action, in: state.hosted, context) {
    case .pass(let effect):
      .pass(effect.map(Leased<Hosted>.Action.hosted))
    case .replace(let other, let effect):
      .replace(with: .hosted(other), effect.map(Leased<Hosted>.Action.hosted))
    }
  }

  func finished(
    _ action: Leased<Hosted>.Action, before: Leased<Hosted>.State, after: Leased<Hosted>.State,
    _ context: DispatchContext, _ result: Result<Void, Rejection>
  ) {
    guard case .hosted(let action) = action else { return }
    stage.finished(action, before: before.hosted, after: after.hosted, context, result)
  }
}

extension Rejection {
  fileprivate static let reserved = Rejection(
    reason: "reserved",
    message: "the members \"@leases\" and \"@fence\" of the state are the daemon's own: they are"
      + " changed by @lease/acquire, @lease/renew and @lease/release alone")
  fileprivate static let obstructed = Rejection(
    reason: "reserved",
    message: "the state has a member \"@leases\" or \"@fence\" from before there were leases:"
      + " there are none until it is taken away")
}
