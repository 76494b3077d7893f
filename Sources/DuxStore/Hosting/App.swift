public import DuxJSON

/// A reducer that the daemon can host.
///
/// With a `State` and an `Action` that are `Codable`, an app needs no more than a name, an initial
/// state and the reducer:
///
/// ```swift
/// struct CounterApp: App {
///   let name = "counter"
///   let initialState = Counter.State()
///   var body: some Reducer<Counter.State, Counter.Action> { Counter() }
/// }
/// ```
public protocol App: Reducer {
  /// The app's name, told to each client; data of one app is refused by another.
  var name: String { get }
  /// The version of the shape of its state, 1 or more; 1 unless said.
  var version: Int { get }
  /// The state before the first action.
  var initialState: State { get }
  /// What looks at each action before it is reduced, in order; nothing unless said.
  @MiddlewareBuilder<State, Action> var middleware: [any Middleware<State, Action>] { get }
  /// What does the work of commands; nothing unless said.
  var commands: [CommandHandler<Action>] { get }
  /// What reducers, stages and effects get of the world where a daemon runs them; the live values
  /// unless said.
  ///
  /// ```swift
  /// struct WeatherApp: App {
  ///   let server: URL
  ///   var dependencies: DependencyValues {
  ///     DependencyValues(.live).setting { $0.weather = .live(server: server) }
  ///   }
  /// }
  /// ```
  var dependencies: DependencyValues { get }
  /// An action for each start of the daemon, so that the app can go on with what a stop broke off;
  /// none unless said.
  var startAction: Action? { get }

  /// Brings a state one version on: from `version` to the next.
  ///
  /// It is asked for step by step until the state has the app's version, before anybody is served.
  ///
  /// - Throws: any error when it can't; the daemon then refuses to start and nothing was changed.
  func migrate(_ state: JSON, from version: Int) throws -> JSON

  /// Reads an action.
  ///
  /// - Throws: ``Refusal/unknownAction(_:)`` or ``Refusal/badAction(_:)``, naming the input.
  func action(from wire: WireAction) throws(Refusal) -> Action

  /// Writes an action, for the log and for whoever reads it.
  ///
  /// - Throws: ``Refusal/badAction(_:)`` when it can't be written.
  func wireAction(of action: Action) throws(Refusal) -> WireAction

  /// The state as clients see it.
  ///
  /// - Throws: ``Refusal/badAction(_:)`` when it can't be seen as JSON, naming the place.
  /// - Complexity: should be O(change) between two states that share structure.
  func view(of state: State) throws(Refusal) -> JSON

  /// The state that a view was made from: what a checkpoint or a patched view is read back with.
  ///
  /// - Throws: ``Refusal/badAction(_:)`` when it is no view of this app's state.
  func state(fromView view: JSON) throws(Refusal) -> State
}

extension App {
  /// 1.
  public var version: Int { 1 }

  /// Nothing.
  public var middleware: [any Middleware<State, Action>] { [] }

  /// Nothing.
  public var commands: [CommandHandler<Action>] { [] }

  /// The live values.
  public var dependencies: DependencyValues { DependencyValues(.live) }

  /// None.
  public var startAction: Action? { nil }

  /// No version but the app's own is known.
  public func migrate(_ state: JSON, from version: Int) throws -> JSON {
    throw MissingMigration(app: name, from: version)
  }
}

extension App where Action: Codable {
  /// Reads an action through its `Codable`.
  public func action(from wire: WireAction) throws(Refusal) -> Action {
    do throws(CodingFailure) {
      return try ActionCoder.decode(Action.self, type: wire.type, payload: wire.payload)
    } catch {
      throw Refusal(error)
    }
  }

  /// Writes an action through its `Codable`.
  public func wireAction(of action: Action) throws(Refusal) -> WireAction {
    do throws(CodingFailure) {
      let (type, payload) = try ActionCoder.encode(action)
      return WireAction(type: type, payload: payload)
    } catch {
      throw Refusal(error)
    }
  }
}

extension App where State: Codable {
  /// The state through its `Codable`.
  public func view(of state: State) throws(Refusal) -> JSON {
    do throws(CodingFailure) {
      return try StateCoder.encode(state)
    } catch {
      throw Refusal(error)
    }
  }

  /// Reads a state through its `Codable`.
  public func state(fromView view: JSON) throws(Refusal) -> State {
    do throws(CodingFailure) {
      return try StateCoder.decode(State.self, from: view)
    } catch {
      throw Refusal(error)
    }
  }
}

/// A state is of a version that the app knows no way from.
public struct MissingMigration: Error, Hashable, CustomStringConvertible {
  /// The app's name.
  public let app: String
  /// The version there is no way from.
  public let from: Int

  /// What is missing, and who has to write it.
  public var description: String {
    "the app \(app) has no migration from version \(from) to \(from + 1) of its state"
  }
}
