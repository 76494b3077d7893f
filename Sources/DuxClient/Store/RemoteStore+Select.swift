import DuxEngine
import DuxJSON
import DuxProtocol
public import DuxStore

extension RemoteStore {
  /// Calls a listener with a part of the state, now and whenever it has changed.
  ///
  /// It is called for predictions as for what the daemon says, by whoever carries out the step; the
  /// rules are those of a local store's `select`.
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
    core.store.select(
      { value($0.optimistic.state) }, duplicates: duplicates, initial: initial, listener)
  }

  /// Calls a listener with a part of the state that need not be `Equatable`.
  public func select<Value: Sendable>(
    _ value: @escaping @Sendable (State) -> Value, duplicates: Duplicates<Value>,
    initial: InitialValue = .current, _ listener: @escaping @Sendable (Value) -> Void
  ) -> Subscription {
    core.store.select(
      { value($0.optimistic.state) }, duplicates: duplicates, initial: initial, listener)
  }

  /// Calls a listener whenever anything happened to the state or to where it stands.
  public func subscribe(
    initial: InitialValue = .current,
    _ listener: @escaping @Sendable (RemoteSnapshot<State>) -> Void
  ) -> Subscription {
    core.store.subscribe(initial: initial) { change in
      listener(change.state.snapshot)
    }
  }

  /// A part of the state as a sequence: its value now, and later ones that differ from the one
  /// before; the newest `buffering` for who reads slowly.
  public func values<Value: Equatable & Sendable>(
    of value: @escaping @Sendable (State) -> Value, duplicates: Duplicates<Value> = .removed,
    initial: InitialValue = .current, buffering: Int = 1
  ) -> StateValues<Value> {
    core.store.values(
      of: { value($0.optimistic.state) }, duplicates: duplicates, initial: initial,
      buffering: buffering)
  }

  /// A part of the state as a sequence that leaves out no value, or throws `ValuesOverflow` when
  /// `limit` values wait to be read.
  public func allValues<Value: Equatable & Sendable>(
    of value: @escaping @Sendable (State) -> Value, duplicates: Duplicates<Value> = .removed,
    initial: InitialValue = .current, limit: Int = 1_024
  ) -> AllStateValues<Value> {
    core.store.allValues(
      of: { value($0.optimistic.state) }, duplicates: duplicates, initial: initial, limit: limit)
  }

  /// Calls a listener with the connection's status, now and whenever it has changed.
  public func onStatus(
    _ listener: @escaping @Sendable (ConnectionStatus) -> Void
  ) -> Subscription {
    core.store.select(\.status, listener)
  }

  /// The connection's status as a sequence: now, and whenever it has changed.
  public var statuses: StateValues<ConnectionStatus> { core.store.values(of: \.status) }

  /// Says something of this client to all who watch presence; it is said again after each connection.
  ///
  /// - Throws: `CodingFailure` when the value has no JSON, ``ClientError/presence(_:)`` when that is
  ///   longer than 4 KiB.
  public func setPresence(_ state: some Encodable & Sendable) throws {
    let json = try StateCoder.encode(state)
    let bytes = json.encodedByteCount
    guard bytes <= Limits.maximumPresenceBytes else {
      throw ClientError.presence(
        "presence has \(bytes) bytes, daemons take at most \(Limits.maximumPresenceBytes)")
    }
    core.post(.presence(json))
  }

  /// Says nothing of this client any more.
  public func clearPresence() { core.post(.presence(nil)) }

  /// Who is connected, by name; empty until somebody has asked with ``onPresence(_:)``.
  public var presence: [Presence] { core.content.presence }

  /// Calls a listener with who is connected, now and whenever that has changed.
  public func onPresence(_ listener: @escaping @Sendable ([Presence]) -> Void) -> Subscription {
    core.post(.watchPresence)
    return core.store.select(\.presence, listener)
  }

  /// What becomes of steps, also of those that an offline queue kept from an earlier run: for these
  /// there is no receipt.
  ///
  /// Who begins to read gets what is settled from then on, and what earlier runs had left and was
  /// settled before.
  public var settlements: AsyncStream<Settlement> { core.settlements() }
}
