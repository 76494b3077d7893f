package import DuxJSON
package import DuxStore

/// What a client knows of the app that a daemon serves: how states and actions are written, and how
/// an action will probably change the state.
package struct ClientModel<State: Sendable, Action: Sendable>: Sendable {
  /// The app that the daemon must serve; `nil`: any.
  package let appName: String?
  /// The app's version, as this program knows it.
  package let appVersion: Int?
  /// The state before anything is known.
  package let initialState: State
  let read: @Sendable (JSON?) throws(Refusal) -> State
  let view: @Sendable (State) throws(Refusal) -> JSON
  let write: @Sendable (Action) throws(Refusal) -> JSON
  let parse: @Sendable (WireAction) throws(Refusal) -> Action
  /// Foresees a step.
  let predict: @Sendable (inout State, [Action], Foresight) -> Void

  /// The model of an app that the daemon serves with the same types.
  ///
  /// Its reducer runs here too; what it asks for beside the state is left to the daemon, and so is
  /// what its middleware does.
  package init<Served: App>(_ app: Served) where Served.State == State, Served.Action == Action {
    appName = app.name
    appVersion = app.version
    initialState = app.initialState
    read = { (view) throws(Refusal) in
      guard let view else { throw .badAction("the value is missing") }
      return try app.state(fromView: view)
    }
    view = { (state) throws(Refusal) in try app.view(of: state) }
    write = { (action) throws(Refusal) in try app.wireAction(of: action).json }
    parse = { (wire) throws(Refusal) in try app.action(from: wire) }
    predict = { state, actions, foresight in
      app.foresee(actions, in: &state, foresight)
    }
  }
}

/// What is known while a step is foreseen.
struct Foresight {
  /// The app that the daemon serves; `nil`: not known yet.
  let servedApp: String?
  let author: String
  let record: InputRecord
}

extension App {
  fileprivate func foresee(
    _ actions: [Action], in state: inout State, _ foresight: Foresight
  ) {
    var values = dependencies
    values.author = foresight.author
    values.record = foresight.record
    var next = state
    do {
      try DependencyValues.$current.withValue(values) {
        for action in actions { _ = try reduce(into: &next, action: action) }
      }
    } catch {
      // The daemon decides; until then the step shows nothing.
      return
    }
    state = next
  }
}

extension ClientModel where State == JSON, Action == WireAction {
  /// The model of any app, by its JSON: steps are foreseen where the whole of a `document` is
  /// followed.
  package static func untyped(at path: JSONPointer) -> ClientModel {
    ClientModel(untypedAt: path)
  }

  private init(untypedAt path: JSONPointer) {
    let document = DocumentApp(limits: .init(maximumDepth: 512, maximumBytes: .max))
    appName = nil
    appVersion = nil
    initialState = .null
    read = { $0 ?? .null }
    view = { $0 }
    write = { $0.json }
    parse = { $0 }
    predict = { state, wires, foresight in
      guard path.isRoot, foresight.servedApp == document.name,
        let actions = try? wires.map({ try document.action(from: $0) })
      else { return }
      document.foresee(actions, in: &state, foresight)
    }
  }
}
