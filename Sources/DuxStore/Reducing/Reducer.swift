/// Turns a state and an action into the next state, and says what is to be done beside it.
///
/// A reducer sees no clock, no chance and no I/O: the same state, action and recorded inputs give
/// the same next state, on every machine and in every replay. It cannot dispatch: what should follow
/// is an ``Effect``.
///
/// Write either ``reduce(into:action:)`` or ``body-swift.property``:
///
/// ```swift
/// struct Counter: Reducer {
///   struct State: Codable, Equatable, Sendable { var count = 0 }
///   enum Action: Codable, Equatable, Sendable { case increment, decrement }
///
///   func reduce(into state: inout State, action: Action) throws -> Effect<Action> {
///     switch action {
///     case .increment: state.count += 1
///     case .decrement: state.count -= 1
///     }
///     return .none
///   }
/// }
/// ```
public protocol Reducer<State, Action>: Sendable {
  /// What the store holds.
  associatedtype State: Sendable
  /// What may be asked of it.
  associatedtype Action: Sendable
  /// What ``body-swift.property`` is made of; `Never` for a reducer that has none.
  associatedtype Body

  /// Changes `state` as `action` asks.
  ///
  /// - Returns: what is to be done once the change is made.
  /// - Throws: any error when the action may not happen, best a ``Rejection``; the store then keeps
  ///   the old state, whatever was already changed here.
  func reduce(into state: inout State, action: Action) throws -> Effect<Action>

  /// The reducers that this one is made of; each sees what those before it left.
  @ReducerBuilder<State, Action> var body: Body { get }

  /// The owners of effects that were there in `old` and are not in `new`: removed elements, and
  /// optional children that became `nil`.
  ///
  /// The store cancels their effects in the same step, whatever made them go. A reducer that has a
  /// body, or none inside it, need not write this; one that calls others by hand must ask them.
  ///
  /// - Complexity: O(change) between the two.
  func departures(from old: State, to new: State) -> [EffectScope]

  /// Enters the slices that this reducer is made of, with their names.
  ///
  /// A reducer that has a body, or none inside it, need not write this; one that calls others by
  /// hand lets them enter theirs.
  func describe(in outline: inout ReducerOutline)
}

extension Reducer where Body == Never {
  /// A reducer that has no body is never asked for it.
  public var body: Never {
    preconditionFailure("\(Self.self) writes reduce(into:action:) and has no body")
  }

  /// A reducer without others inside it owns nothing that could go.
  public func departures(from old: State, to new: State) -> [EffectScope] { [] }

  /// A reducer without others inside it has no slices.
  public func describe(in outline: inout ReducerOutline) {}
}

extension Reducer where Body: Reducer, Body.State == State, Body.Action == Action {
  /// Runs the body.
  public func reduce(into state: inout State, action: Action) throws -> Effect<Action> {
    try body.reduce(into: &state, action: action)
  }

  /// What went from the body's parts.
  public func departures(from old: State, to new: State) -> [EffectScope] {
    body.departures(from: old, to: new)
  }

  /// The slices of the body's parts.
  public func describe(in outline: inout ReducerOutline) {
    body.describe(in: &outline)
  }
}
