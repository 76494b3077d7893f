public import DuxJSON

/// A reducer that the daemon can host: its actions are read from JSON and its state is seen as
/// JSON.
public protocol App: Reducer {
  /// The app's name, told to each client; data of one app is refused by another.
  var name: String { get }
  /// The version of the shape of its state.
  var version: Int { get }
  /// The state before the first action.
  var initialState: State { get }

  /// Reads an action.
  ///
  /// - Throws: ``Refusal/unknownAction(_:)`` or ``Refusal/badAction(_:)``, naming the input.
  func action(from wire: WireAction) throws(Refusal) -> Action

  /// The state as clients see it.
  ///
  /// - Complexity: should be O(change) between two states that share structure.
  func view(of state: State) -> JSON

  /// The state that a view was made from: what a checkpoint or a patched view is read back with.
  ///
  /// - Throws: ``Refusal/badAction(_:)`` when it is no view of this app's state.
  func state(fromView view: JSON) throws(Refusal) -> State
}
