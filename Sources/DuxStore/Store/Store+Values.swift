extension Store {
  /// A part of the state as a sequence: its value now, and later ones that differ from the one
  /// before.
  ///
  /// Who reads slowly gets the newest values: of those that wait to be read, the `buffering` newest
  /// are kept. Nothing is kept for a reader that has not begun. The sequence ends with the store, or
  /// when the reading task is cancelled; each iteration has a subscription of its own.
  public func values<Value: Equatable & Sendable>(
    of value: @escaping @Sendable (State) -> Value, duplicates: Duplicates<Value> = .removed,
    initial: InitialValue = .current, buffering: Int = 1
  ) -> StateValues<Value> {
    StateValues { [weak core] in
      let (stream, continuation) = AsyncStream.makeStream(
        of: Value.self, bufferingPolicy: .bufferingNewest(max(1, buffering)))
      guard let core else {
        continuation.finish()
        return (stream, nil)
      }
      let calls = Self.selecting(
        value, duplicates, { continuation.yield($0) }, storeClosed: { continuation.finish() })
      return (stream, core.listen(initial: initial, calls))
    }
  }

  /// A part of the state as a sequence that leaves out no value.
  ///
  /// It is for readers that must see each one: when `limit` values wait to be read and another one
  /// comes, the sequence throws ``ValuesOverflow`` behind those that wait, and ends.
  public func allValues<Value: Equatable & Sendable>(
    of value: @escaping @Sendable (State) -> Value, duplicates: Duplicates<Value> = .removed,
    initial: InitialValue = .current, limit: Int = 1_024
  ) -> AllStateValues<Value> {
    AllStateValues { [weak core] in
      let (stream, continuation) = AsyncThrowingStream.makeStream(
        of: Value.self, bufferingPolicy: .bufferingOldest(max(1, limit)))
      guard let core else {
        continuation.finish()
        return (stream, nil)
      }
      let calls = Self.selecting(
        value, duplicates,
        { value in
          guard case .dropped = continuation.yield(value) else { return }
          continuation.finish(throwing: ValuesOverflow(limit: limit))
        }, storeClosed: { continuation.finish() })
      return (stream, core.listen(initial: initial, calls))
    }
  }
}

/// Parts of a state, the newest for whoever reads slowly.
public struct StateValues<Value: Sendable>: AsyncSequence, Sendable {
  let start: @Sendable () -> (AsyncStream<Value>, Subscription?)

  /// Subscribes.
  public func makeAsyncIterator() -> Iterator {
    let (stream, subscription) = start()
    return Iterator(base: stream.makeAsyncIterator(), subscription: subscription)
  }

  /// Reads values; the subscription ends with it.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: AsyncStream<Value>.Iterator
    fileprivate let subscription: Subscription?

    /// The next value; `nil` when the store was closed or the task cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      let value = await base.next(isolation: actor)
      if value == nil { subscription?.cancel() }
      return value
    }
  }
}

/// Parts of a state, all of them.
public struct AllStateValues<Value: Sendable>: AsyncSequence, Sendable {
  let start: @Sendable () -> (AsyncThrowingStream<Value, any Error>, Subscription?)

  /// Subscribes.
  public func makeAsyncIterator() -> Iterator {
    let (stream, subscription) = start()
    return Iterator(base: stream.makeAsyncIterator(), subscription: subscription)
  }

  /// Reads values; the subscription ends with it.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: AsyncThrowingStream<Value, any Error>.Iterator
    fileprivate let subscription: Subscription?

    /// The next value; `nil` when the store was closed or the task cancelled.
    ///
    /// - Throws: ``ValuesOverflow`` when values came faster than they were read.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
      do {
        let value = try await base.next(isolation: actor)
        if value == nil { subscription?.cancel() }
        return value
      } catch {
        subscription?.cancel()
        throw error
      }
    }
  }
}

/// Values came faster than they were read.
public struct ValuesOverflow: Error, Hashable, Sendable, CustomStringConvertible {
  /// How many values waited.
  public let limit: Int

  /// How many values waited.
  public var description: String { "more than \(limit) values waited to be read" }
}
