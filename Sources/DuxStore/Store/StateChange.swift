/// One step of a store, as a subscriber is told of it.
///
/// The steps that a subscriber sees have no hole and no repeat: the `previous` of one is the `state`
/// of that before, and each `seq` is one more.
public struct StateChange<State: Sendable, Action: Sendable>: Sendable {
  /// The state before the step; `nil` in the initial call, which tells of no step.
  public let previous: State?
  /// The state after it.
  public let state: State
  /// The step's sequence number; in the initial call that of the last step, 0 before the first.
  public let seq: Int64
  /// The action that was reduced; `nil` in the initial call.
  public let action: Action?
  /// Who asked for it.
  public let author: String
  /// Whether the state after it differs from that before it, as far as the store can compare.
  public let isChanged: Bool
}

/// A state and the number of the step that made it.
public struct Snapshot<State: Sendable>: Sendable {
  /// The state.
  public let state: State
  /// The step's sequence number, 0 before the first.
  public let seq: Int64

  /// Makes a snapshot.
  public init(state: State, seq: Int64) {
    self.state = state
    self.seq = seq
  }
}

extension Snapshot: Equatable where State: Equatable {}
