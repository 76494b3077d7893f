import DuxStore
public import Testing

extension TestStore {
  /// Sends an action, which must be accepted, and says what it changes.
  ///
  /// - Parameters:
  ///   - action: what is asked for.
  ///   - author: who asks; by default the store's author.
  ///   - sourceLocation: where the test is.
  ///   - change: makes the state after the action of that before it; without one the state must stay
  ///     as it is. See ``Exhaustivity`` for what it means in partial mode.
  /// - Returns: the way to the effects that it set going.
  @discardableResult
  public func send(
    _ action: Action, by author: String? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    assert change: ((inout State) throws -> Void)? = nil
  ) async -> SentAction<State, Action> {
    await send(action, by: author, .accepted(change), sourceLocation)
  }

  /// Sends an action that must be rejected, and leave the state as it is.
  ///
  /// - Parameters:
  ///   - action: what is asked for.
  ///   - reason: the rejection's reason.
  ///   - message: the rejection's message, where it matters.
  ///   - author: who asks; by default the store's author.
  ///   - sourceLocation: where the test is.
  public func send(
    _ action: Action, rejected reason: String, message: String? = nil, by author: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    _ = await send(action, by: author, .rejected(reason, message), sourceLocation)
  }

  private func send(
    _ action: Action, by author: String?, _ expected: ExpectedOutcome<State>,
    _ location: SourceLocation
  ) async -> SentAction<State, Action> {
    let text = actionText(action)
    desk.move(to: location)
    guard checkIsOpen("\(text) was sent") else {
      return SentAction(store: self, activity: nil, text: text)
    }
    await handleWaiting(before: "sending \(text)")
    let before = state
    let receipt = await executor.holding { held.dispatch(action, by: author ?? self.author) }
    let outcome = await receipt.value
    note(outcome, of: text, at: location)
    check(
      outcome, before: before, expected, Operation(verb: "send", action: text), at: location)
    await executor.settle()
    return SentAction(store: self, activity: receipt.activity, text: text)
  }

  /// Says that a test goes on without having received what waits, and lets it in.
  func handleWaiting(before what: String) async {
    await executor.settle()
    let skipped = await admitAll(until: .now + Self.defaultTimeout)
    guard !skipped.isEmpty else { return }
    let lines = waitingLines(skipped)
    switch exhaustivity {
    case .strict:
      desk.fail(
        """
        \(counted(skipped.count, "action")) of effects must be received before \(what):
        \(lines)
        Write before it: await store.receive(\(actionText(skipped[0].action)))
        """)
    case .partial: break
    case .partialReporting:
      desk.report("not received before \(what):\n\(lines)")
    }
  }

  /// Lets everything in that waits, and what comes of it.
  func admitAll(until deadline: ContinuousClock.Instant) async -> [WaitingAction<Action>] {
    var admitted: [WaitingAction<Action>] = []
    while let (waiting, outcome) = await executor.holding({ await held.admit() }) {
      admitted.append(waiting)
      note(outcome, of: actionText(waiting.action), at: desk.location)
      await executor.settle(until: deadline)
      if ContinuousClock.now >= deadline {
        desk.fail("actions of effects keep coming: \(admitted.count) so far")
        break
      }
    }
    return admitted
  }

  func checkIsOpen(_ what: String) -> Bool {
    guard held.isClosed else { return true }
    desk.fail("\(what) after the test store was \(isFinished ? "finished" : "closed")")
    return false
  }

  /// Remembers where a step comes from.
  func note(_ outcome: DispatchOutcome<Action>, of text: String, at location: SourceLocation) {
    if let seq = outcome.seq { origins[seq] = StepOrigin(action: text, location: location) }
  }

  /// Looks again after each change, until there is something to see or the time is over.
  func wait<R>(
    until deadline: ContinuousClock.Instant, for look: () async -> R?
  ) async -> R? {
    while true {
      let version = changes.version
      await executor.settle(until: deadline)
      if let found = await look() { return found }
      guard await changes.next(after: version, until: deadline) else { return nil }
    }
  }
}

/// Where in a test a step was sent or received.
struct StepOrigin {
  let action: String
  let location: SourceLocation
}

/// What set going what a test sent, as ``TestStore/send(_:by:sourceLocation:assert:)`` returns it.
public struct SentAction<State: Equatable & Sendable, Action: Sendable> {
  let store: TestStore<State, Action>
  let activity: Activity?
  let text: String

  /// Whether it was cancelled.
  public var isCancelled: Bool { activity?.isCancelled ?? false }

  /// Cancels the action's effects and those of all that came of it.
  public func cancel() async {
    activity?.cancel()
    await store.executor.settle()
  }

  /// Waits until the action's effects and those of all that came of it have ended.
  ///
  /// What they send must be received before, since they wait for it.
  public func finish(
    timeout: Duration = TestStore<State, Action>.defaultTimeout,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    guard let activity else { return }
    store.desk.move(to: sourceLocation)
    await store.finish(activity, of: text, until: .now + timeout)
  }
}
