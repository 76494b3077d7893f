public import DuxJSON

/// An app with its state and the view of it, as the daemon holds it.
public struct HostedApp<Hosted: App>: HostedStore {
  /// The app that reduces.
  public var app: Hosted { setting.app }
  /// How large the state may become.
  public var limits: StateLimits { setting.limits }
  /// What reducers and effects get of the world.
  public var dependencies: DependencyValues { setting.dependencies }
  /// The app's own state.
  public var state: Hosted.State {
    if let held { return held }
    guard let editor = setting.editor else { preconditionFailure("only editors leave no state") }
    return editor.state(view)
  }
  /// The state as clients see it.
  public private(set) var view: JSON
  private let setting: HostedSetting<Hosted>
  /// How an action is carried out on the view; nothing where actions must be reduced.
  private let edit: ViewEditor<Hosted.State>.Edit?
  /// The app's own state; nothing after the view was edited.
  private var held: Hosted.State?
  private var isStateStale = false
  private var unknown: [(name: String, value: JSON)] = []

  /// Makes a store in the app's initial state.
  ///
  /// - Parameters:
  ///   - app: the app.
  ///   - limits: how large the state may become.
  ///   - dependencies: what reducers and effects get of the world; by default what the app says.
  /// - Throws: ``AppFault`` when the app can't be hosted as it is.
  public init(
    _ app: Hosted, limits: StateLimits, dependencies: DependencyValues? = nil
  ) throws(AppFault) {
    view = try Self.checkedView(of: app)
    setting = HostedSetting(
      app, limits: limits, dependencies: dependencies ?? app.dependencies, initialView: view)
    edit = setting.editor?.edit
    held = app.initialState
  }

  /// The app's name.
  public var appName: String { app.name }

  /// The version of the shape of the app's state.
  public var appVersion: Int { app.version }

  /// The app's own state.
  public var anyState: any Sendable { (state as? any StateAround)?.inner ?? state }

  /// The middleware by name, then the reducer.
  public var pipeline: [String] { setting.stages.names + ["reduce"] }

  /// Members of the state that the app does not know.
  public var unknownSlices: [String] { unknown.map(\.name) }

  /// The app's commands.
  public var commands: [CommandHandler<HostedAction>] {
    let app = app
    return app.commands.map { $0.map { app.hostedAction(of: $0) } }
  }

  /// The app's action for each start of the daemon.
  public var startAction: HostedAction? {
    app.startAction.map { app.hostedAction(of: $0) }
  }

  /// Takes one action as a step.
  public mutating func dispatch(
    _ action: WireAction, _ context: DispatchContext
  ) throws(Refusal) -> HostedStep {
    guard let edit, isStateStale || openView(), var change = edit(action, &view) else {
      return try reduce([action], context)
    }
    // Taken out rather than copied: most steps come this way.
    let undo = change.undo.take().map { HostedUndo.edit($0) } ?? .nothing
    return HostedStep(
      patch: change.patch, loggedActions: nil, effect: .none, departed: [], undo: undo)
  }

  /// Takes actions as one step.
  public mutating func dispatch(
    _ actions: [WireAction], _ context: DispatchContext
  ) throws(Refusal) -> HostedStep {
    try actions.count == 1 ? dispatch(actions[0], context) : reduce(actions, context)
  }

  private mutating func reduce(
    _ actions: [WireAction], _ context: DispatchContext
  ) throws(Refusal) -> HostedStep {
    let before = state
    var next = before
    // Most steps ask for nothing and are logged as they came: these stay empty.
    var effects: [Effect<Hosted.Action>] = []
    var logged: [WireAction]?
    for (index, wire) in actions.enumerated() {
      do throws(Refusal) {
        let taken = try take(wire, into: &next, context)
        if !taken.effect.isNone { effects.append(taken.effect) }
        if let other = taken.logged {
          if logged == nil { logged = actions }
          logged?[index] = other
        }
      } catch {
        throw actions.count == 1 ? error : error.prefixed("action \(index): ")
      }
    }
    let former = self
    let patch = try advance(to: next)
    let app = app
    return HostedStep(
      patch: patch, loggedActions: logged,
      effect: effects.isEmpty ? .none : Effect.merge(effects).map { app.hostedAction(of: $0) },
      departed: app.departures(from: before, to: next),
      undo: .store(former))
  }

  /// Goes back to before a step.
  public mutating func undo(_ undo: HostedUndo) {
    switch undo {
    case .nothing: break
    case .edit(let operation):
      isStateStale = true
      held = nil
      do throws(JSONPatchError) {
        try operation.applyInPlace(to: &view)
      } catch {
        preconditionFailure("what undoes a step fits the state after it: \(error)")
      }
    case .store(let former):
      guard let former = former as? Self else { preconditionFailure("a step of another app") }
      self = former
    }
  }

  /// Whether the view may be edited; the state, which may share nodes with it, is let go then.
  private mutating func openView() -> Bool {
    guard let held, let editor = setting.editor, unknown.isEmpty, editor.isOpen(held) else {
      return false
    }
    isStateStale = true
    self.held = nil
    return true
  }

  /// Takes the logged actions of a step again.
  public mutating func replay(
    _ actions: [WireAction], author: String
  ) throws(Refusal) -> JSONPatch {
    var next = state
    for wire in actions {
      let record = InputRecord(replaying: wire.inputs)
      _ = try reduce(try app.action(from: wire), into: &next, author: author, record)
      if let fault = record.fault { throw .badAction("\(wire.type): \(fault)") }
    }
    return try advance(to: next)
  }

  /// Puts a state in place of the store's.
  public mutating func restore(view stored: JSON, version: Int) throws(RestoreFailure) -> JSONPatch
  {
    let migrated = try app.migrating(stored, from: version)
    let complete = migrated.filled(from: setting.initialView)
    let restored: Hosted.State
    let known: JSON
    do throws(Refusal) {
      restored = try app.state(fromView: complete)
      known = try app.view(of: restored)
    } catch {
      throw .shape(app: app.name, error.message)
    }
    unknown = complete.members(beside: known)
    hold(restored)
    view = known.adding(unknown)
    return JSONPatch.diff(from: stored, to: view)
  }

  private mutating func hold(_ state: Hosted.State) {
    held = state
    isStateStale = false
  }

  private struct Taken {
    var effect: Effect<Hosted.Action>
    /// The action for the log where it is another than the one given.
    var logged: WireAction?
  }

  private func take(
    _ wire: WireAction, into state: inout Hosted.State, _ context: DispatchContext
  ) throws(Refusal) -> Taken {
    let action = try app.action(from: wire)
    let stages = setting.stages
    guard !stages.isEmpty else {
      return try finish(action, wire, isReplaced: false, into: &state, context)
    }
    let before = state
    let entry = enter(action, before, context)
    do throws(Refusal) {
      if let refusal = entry.refusal { throw Refusal(thrown: refusal) }
      var taken = try finish(
        entry.action, wire, isReplaced: entry.isReplaced, into: &state, context)
      stages.leave(entry, before: before, after: state, context, .success(()))
      taken.effect = .merge(entry.effects + [taken.effect])
      return taken
    } catch {
      stages.leave(entry, before: before, after: before, context, .failure(error.asRejection))
      throw error
    }
  }

  private func enter(
    _ action: Hosted.Action, _ state: Hosted.State, _ context: DispatchContext
  ) -> Pipeline<Hosted.State, Hosted.Action>.Entry {
    var values = dependencies
    values.author = context.author
    return DependencyValues.$current.withValue(values) {
      setting.stages.enter(action, in: state, context)
    }
  }

  private func finish(
    _ action: Hosted.Action, _ wire: WireAction, isReplaced: Bool, into state: inout Hosted.State,
    _ context: DispatchContext
  ) throws(Refusal) -> Taken {
    var logged = isReplaced ? try app.wireAction(of: action).noted(like: wire) : nil
    let record = InputRecord()
    let effect = try reduce(action, into: &state, author: context.author, record)
    if let fault = record.fault ?? effect.commandFailure {
      throw .rejected(Rejection(reason: "unencodable", message: fault))
    }
    let inputs = record.values
    if !inputs.isEmpty { logged = (logged ?? wire).recording(inputs) }
    return Taken(effect: effect, logged: logged)
  }

  private func reduce(
    _ action: Hosted.Action, into state: inout Hosted.State, author: String, _ record: InputRecord
  ) throws(Refusal) -> Effect<Hosted.Action> {
    var values = dependencies
    values.author = author
    values.record = record
    do {
      return try DependencyValues.$current.withValue(values) {
        try app.reduce(into: &state, action: action)
      }
    } catch {
      throw Refusal(thrown: error)
    }
  }

  private mutating func advance(to next: Hosted.State) throws(Refusal) -> JSONPatch {
    let nextView: JSON
    do throws(Refusal) {
      nextView = try app.view(of: next).adding(unknown)
    } catch .rejected(let rejection) {
      throw .rejected(rejection)
    } catch {
      throw .rejected(
        Rejection(reason: "unencodable", message: "the state would be no JSON: \(error.message)"))
    }
    try limits.check(nextView, after: view)
    let patch = JSONPatch.diff(from: view, to: nextView)
    hold(next)
    view = nextView
    return patch
  }
}

/// What stays the same while an app is hosted.
final class HostedSetting<Hosted: App>: Sendable {
  let app: Hosted
  let limits: StateLimits
  let dependencies: DependencyValues
  let stages: Pipeline<Hosted.State, Hosted.Action>
  let initialView: JSON
  /// What carries out actions on the view; nothing where each passes stages or must be reduced.
  let editor: ViewEditor<Hosted.State>?

  init(
    _ app: Hosted, limits: StateLimits, dependencies: DependencyValues, initialView: JSON
  ) {
    self.app = app
    self.limits = limits
    self.dependencies = dependencies
    self.initialView = initialView
    stages = Pipeline(app.middleware)
    editor = stages.isEmpty ? app.editorOfView(within: limits) : nil
  }
}

extension App {
  fileprivate func hostedAction(of action: Action) -> HostedAction {
    do throws(Refusal) {
      return .success(try wireAction(of: action))
    } catch {
      return .failure(error)
    }
  }

  fileprivate func migrating(_ stored: JSON, from version: Int) throws(RestoreFailure) -> JSON {
    guard version <= self.version else {
      throw .newerVersion(app: name, found: version, known: self.version)
    }
    var state = stored
    for step in version..<self.version {
      do {
        state = try migrate(state, from: step)
      } catch {
        throw .migration(app: name, from: step, String(describing: error))
      }
    }
    return state
  }
}
