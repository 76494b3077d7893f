public import DuxJSON

/// One step as a recording store keeps it.
public struct StoreLogEntry<Action: Sendable>: Sendable {
  /// The step's sequence number.
  public let seq: Int64
  /// The action as it was reduced, after all stages.
  public let action: Action
  /// Who asked for it, and what it comes from.
  public let context: DispatchContext
  /// What sources gave while it was reduced, by the source's name, in order.
  public let inputs: [String: [JSON]]
  /// Whether it changed the state.
  public let isChanged: Bool

  init(
    seq: Int64, action: Action, context: DispatchContext, inputs: [String: [JSON]],
    isChanged: Bool
  ) {
    self.seq = seq
    self.action = action
    self.context = context
    self.inputs = inputs
    self.isChanged = isChanged
  }
}

extension StoreLogEntry: Equatable where Action: Equatable {}

extension Reducer {
  /// Reduces what a store recorded once more, from the state that it began with.
  ///
  /// The result is the state that the store had after the last entry. No effects run.
  ///
  /// - Throws: ``ReplayFailure`` when the reducer does not do what it did.
  public func replay(_ log: [StoreLogEntry<Action>], from state: State) throws -> State {
    var state = state
    for entry in log {
      let record = InputRecord(replaying: entry.inputs)
      do {
        let dependencies = DependencyValues.current.setting { values in
          values.author = entry.context.author
          values.record = record
        }
        _ = try DependencyValues.$current.withValue(dependencies) {
          try reduce(into: &state, action: entry.action)
        }
      } catch {
        throw ReplayFailure(seq: entry.seq, reason: String(describing: error))
      }
      if let fault = record.fault { throw ReplayFailure(seq: entry.seq, reason: fault) }
    }
    return state
  }
}

/// A reducer that did not do in a replay what it did before.
public struct ReplayFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The step where it differs.
  public let seq: Int64
  /// What differs.
  public let reason: String

  /// The step and what differs there.
  public var description: String { "step \(seq) can't be replayed: \(reason)" }
}
