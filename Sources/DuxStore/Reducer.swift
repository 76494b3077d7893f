/// Turns a state and an action into the next state, and does nothing else.
///
/// A reducer sees no clock, no randomness and no I/O: the same state and action give the same
/// next state, on every machine and in every replay. It cannot dispatch.
public protocol Reducer<State, Action>: Sendable {
  /// What the store holds.
  associatedtype State: Sendable
  /// What may be asked of it.
  associatedtype Action: Sendable

  /// Changes `state` as `action` asks.
  ///
  /// - Throws: ``Rejection`` when the action may not happen; the store then keeps the old state,
  ///   whatever was already changed here.
  func reduce(into state: inout State, action: Action) throws(Rejection)
}

/// Why a reducer refuses an action: the app's own reason, and a sentence for people.
public struct Rejection: Error, Hashable, Sendable {
  /// A stable word that programs can compare, as `missing` or `overflow`.
  public var reason: String
  /// What was refused and by which rule, naming the input.
  public var message: String

  /// Makes a rejection.
  public init(reason: String, message: String) {
    self.reason = reason
    self.message = message
  }
}
