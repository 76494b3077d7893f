import Synchronization

/// Which values a selection passes over.
public struct Duplicates<Value: Sendable>: Sendable {
  let areEqual: (@Sendable (Value, Value) -> Bool)?

  /// None: the listener is called for each step, whether it changed anything or not.
  public static var kept: Duplicates { Duplicates(areEqual: nil) }

  /// Those that `areEqual` says are equal to the last one that this listener was given.
  public static func removed(
    by areEqual: @escaping @Sendable (Value, Value) -> Bool
  ) -> Duplicates {
    Duplicates(areEqual: areEqual)
  }
}

extension Duplicates where Value: Equatable {
  /// Those that equal the last one that this listener was given.
  public static var removed: Duplicates { removed(by: ==) }
}

extension Store {
  /// Calls a listener with a part of the state, now and whenever it has changed.
  ///
  /// ```swift
  /// let subscription = store.select(\.user?.name) { name in show(name) }
  /// ```
  ///
  /// The listener is called by whoever carries out the step, after those that subscribed before it.
  /// It may dispatch, subscribe and cancel; what it dispatches is carried out after all listeners
  /// were told of this step. When steps are being carried out elsewhere, the initial call comes from
  /// there, soon, and in any case before that of a later step.
  ///
  /// - Parameters:
  ///   - value: a key path or a closure.
  ///   - duplicates: which values are passed over.
  ///   - initial: whether the listener is called at once.
  ///   - listener: what is called.
  /// - Returns: the subscription; it ends with its last reference.
  public func select<Value: Equatable & Sendable>(
    _ value: @escaping @Sendable (State) -> Value, duplicates: Duplicates<Value> = .removed,
    initial: InitialValue = .current, _ listener: @escaping @Sendable (Value) -> Void
  ) -> Subscription {
    core.listen(initial: initial, Self.selecting(value, duplicates, listener, storeClosed: {}))
  }

  /// Calls a listener with a part of the state that need not be `Equatable`.
  public func select<Value: Sendable>(
    _ value: @escaping @Sendable (State) -> Value, duplicates: Duplicates<Value>,
    initial: InitialValue = .current, _ listener: @escaping @Sendable (Value) -> Void
  ) -> Subscription {
    core.listen(initial: initial, Self.selecting(value, duplicates, listener, storeClosed: {}))
  }

  /// Calls a listener for each step, whether it changed the state or not.
  public func subscribe(
    initial: InitialValue = .current,
    _ listener: @escaping @Sendable (StateChange<State, Action>) -> Void
  ) -> Subscription {
    core.listen(initial: initial, .init(deliver: listener, storeClosed: {}))
  }

  static func selecting<Value: Sendable>(
    _ value: @escaping @Sendable (State) -> Value, _ duplicates: Duplicates<Value>,
    _ listener: @escaping @Sendable (Value) -> Void, storeClosed: @escaping @Sendable () -> Void
  ) -> Listener<State, Action>.Calls {
    guard let areEqual = duplicates.areEqual else {
      return .init(deliver: { listener(value($0.state)) }, storeClosed: storeClosed)
    }
    let last = LastValue<Value>()
    return .init(
      deliver: { change in
        guard change.isChanged else { return }
        let next = value(change.state)
        if let former = last.value ?? change.previous.map(value) {
          last.value = former
          if areEqual(former, next) { return }
        }
        last.value = next
        listener(next)
      }, storeClosed: storeClosed)
  }
}

/// The last value that a listener was given.
///
/// Its calls never overlap; the lock is for the hand-over between the threads that make them.
private final class LastValue<Value: Sendable>: Sendable {
  private let content = Mutex<Value?>(nil)

  var value: Value? {
    get { content.withLock { $0 } }
    set {
      let former = content.withLock { content in
        defer { content = newValue }
        return content
      }
      _ = consume former
    }
  }
}
