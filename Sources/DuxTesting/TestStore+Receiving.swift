public import DuxStore
public import Testing

extension TestStore {
  /// Receives the next action of an effect, which must be this one; it is reduced now.
  ///
  /// - Parameters:
  ///   - action: what the effect sends.
  ///   - timeout: how long it may take on the real clock.
  ///   - sourceLocation: where the test is.
  ///   - change: makes the state after the action of that before it; without one the state must stay
  ///     as it is.
  public func receive(
    _ action: Action, timeout: Duration = TestStore.defaultTimeout,
    sourceLocation: SourceLocation = #_sourceLocation,
    assert change: ((inout State) throws -> Void)? = nil
  ) async where Action: Equatable {
    _ = await receive(
      ExpectedAction(text: actionText(action)) { $0 == action }, .accepted(change), timeout,
      sourceLocation)
  }

  /// Receives the next action of an effect, which must be this one and be rejected.
  public func receive(
    _ action: Action, rejected reason: String, message: String? = nil,
    timeout: Duration = TestStore.defaultTimeout,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async where Action: Equatable {
    _ = await receive(
      ExpectedAction(text: actionText(action)) { $0 == action }, .rejected(reason, message),
      timeout, sourceLocation)
  }

  /// Receives the next action of an effect, which must fit.
  ///
  /// - Returns: the action; `nil` when none that fits was received.
  @discardableResult
  public func receive(
    where fits: @escaping (Action) -> Bool, timeout: Duration = TestStore.defaultTimeout,
    sourceLocation: SourceLocation = #_sourceLocation,
    assert change: ((inout State) throws -> Void)? = nil
  ) async -> Action? {
    await receive(
      ExpectedAction(text: "an action that fits", matches: fits), .accepted(change), timeout,
      sourceLocation)
  }

  /// Receives the next action of an effect, which must be of this case.
  ///
  /// - Returns: what the case holds; `nil` when no action of it was received.
  @discardableResult
  public func receive<Value: Sendable>(
    case path: CasePath<Action, Value>, timeout: Duration = TestStore.defaultTimeout,
    sourceLocation: SourceLocation = #_sourceLocation,
    assert change: ((inout State) throws -> Void)? = nil
  ) async -> Value? {
    let name = path.name.map { "an action of the case \($0)" } ?? "an action of the given case"
    let action = await receive(
      ExpectedAction(text: name) { path.extract($0) != nil }, .accepted(change), timeout,
      sourceLocation)
    return action.flatMap { path.extract($0) }
  }

  private func receive(
    _ expected: ExpectedAction<Action>, _ outcome: ExpectedOutcome<State>, _ timeout: Duration,
    _ location: SourceLocation
  ) async -> Action? {
    desk.move(to: location)
    guard checkIsOpen("\(expected.text) was expected") else { return nil }
    let deadline = ContinuousClock.now + timeout
    var skipped: [WaitingAction<Action>] = []
    defer { report(skipped, before: expected) }
    while let arrival = await nextArrival(until: deadline) {
      guard case .action(let next) = arrival else {
        desk.fail("expected to receive \(expected.text), but no effect runs and no action waits")
        return nil
      }
      if expected.matches(next.action) { return await admit(outcome, at: location) }
      if exhaustivity == .strict {
        return await mismatch(next, expected, outcome, at: location)
      }
      if let (former, result) = await executor.holding({ await held.admit() }) {
        skipped.append(former)
        note(result, of: actionText(former.action), at: location)
      }
    }
    desk.fail(await overdueText(expected, after: timeout))
    return nil
  }

  private enum Arrival {
    case action(WaitingAction<Action>)
    case nothingRuns
  }

  private func nextArrival(until deadline: ContinuousClock.Instant) async -> Arrival? {
    await wait(until: deadline) {
      if let next = await held.firstWaiting() { return .action(next) }
      return await held.standing().running.isEmpty ? .nothingRuns : nil
    }
  }

  /// Lets the next action in and compares what comes of it.
  private func admit(
    _ expected: ExpectedOutcome<State>, at location: SourceLocation
  ) async -> Action? {
    let before = state
    guard let (next, outcome) = await executor.holding({ await held.admit() }) else { return nil }
    let text = actionText(next.action)
    note(outcome, of: text, at: location)
    check(
      outcome, before: before, expected, Operation(verb: "receive", action: text), at: location)
    await executor.settle()
    return next.action
  }

  /// Says that another action is next.
  ///
  /// When the expected one comes later, those before it are let in;
  /// else the next one is taken in its place.
  private func mismatch(
    _ next: WaitingAction<Action>, _ expected: ExpectedAction<Action>,
    _ outcome: ExpectedOutcome<State>, at location: SourceLocation
  ) async -> Action? {
    let waiting = await held.standing().waiting
    let place = waiting.firstIndex { expected.matches($0.action) }
    let before = waiting.prefix(place ?? 1)
    let text = actionText(next.action)
    desk.fail(
      place == nil
        ? """
        expected to receive \(expected.text), but the next action is another one:
        \(waitingLines(before))
        """
        : """
        expected to receive \(expected.text), but before it comes:
        \(waitingLines(before))
        Write before it: await store.receive(\(text))
        """)
    for _ in before {
      guard let (former, result) = await executor.holding({ await held.admit() }) else { break }
      note(result, of: actionText(former.action), at: location)
    }
    await executor.settle()
    guard let first = await held.firstWaiting(), expected.matches(first.action), place != nil
    else { return nil }
    return await admit(outcome, at: location)
  }

  private func report(
    _ skipped: [WaitingAction<Action>], before expected: ExpectedAction<Action>
  ) {
    guard exhaustivity == .partialReporting, !skipped.isEmpty else { return }
    desk.report("not received before \(expected.text):\n\(waitingLines(skipped))")
  }

  private func overdueText(
    _ expected: ExpectedAction<Action>, after timeout: Duration
  ) async -> String {
    let running = await held.standing().running
    var text = "expected to receive \(expected.text) within \(timeout); "
    text += "\(counted(running.count, "effect")) still in flight:\n\(runningLines(running))"
    return ([text] + clockHint).joined(separator: "\n")
  }
}

/// Which action a test waits for.
struct ExpectedAction<Action> {
  let text: String
  let matches: (Action) -> Bool
}
