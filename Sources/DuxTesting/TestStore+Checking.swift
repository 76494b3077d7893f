import DuxStore
public import Testing

/// What should come of an action.
enum ExpectedOutcome<State> {
  case accepted(((inout State) throws -> Void)?)
  case rejected(_ reason: String, _ message: String?)
}

/// What the test does, for messages.
struct Operation {
  let verb: String
  let action: String
}

extension TestStore {
  /// Asserts what the state is now: `change` must leave it as it is.
  public func assert(
    sourceLocation: SourceLocation = #_sourceLocation, _ change: (inout State) throws -> Void
  ) {
    desk.move(to: sourceLocation)
    checkAbsolutely(change, after: state, "the state")
  }

  /// Compares what came of an action with what should.
  func check(
    _ outcome: DispatchOutcome<Action>, before: State, _ expected: ExpectedOutcome<State>,
    _ operation: Operation, at location: SourceLocation
  ) {
    switch (outcome, expected) {
    case (.accepted, .accepted(let change)): check(change, from: before, operation)
    case (.rejected(let rejection), .accepted):
      desk.fail(
        """
        \(operation.action) was rejected: \(rejection)
        If it should be, write: await store.\(operation.verb)(\(operation.action), \
        rejected: \(rejection.reason.debugDescription))
        """)
    case (.accepted, .rejected(let reason, _)):
      desk.fail(
        "\(operation.action) was accepted; expected it to be rejected: "
          + reason.debugDescription)
    case (.rejected(let rejection), .rejected(let reason, let message)):
      check("reason", reason, rejection.reason, operation)
      if let message { check("message", message, rejection.message, operation) }
      if state != before {
        desk.fail(
          "\(operation.action) was rejected and changed the state:\n"
            + Difference(from: before, to: state).text("was", "is"))
      }
    }
  }

  private func check(
    _ part: String, _ expected: String, _ actual: String, _ operation: Operation
  ) {
    guard expected != actual else { return }
    desk.fail(
      "\(operation.action) was rejected with the \(part) \(actual.debugDescription), "
        + "expected \(expected.debugDescription)")
  }

  private func check(
    _ change: ((inout State) throws -> Void)?, from before: State, _ operation: Operation
  ) {
    guard exhaustivity == .strict else {
      if exhaustivity == .partialReporting { reportChanges(from: before, operation) }
      if let change { checkAbsolutely(change, after: state, operation.action) }
      return
    }
    let after = state
    guard let change else { return checkUnchanged(before, after, operation) }
    var expected = before
    do {
      try change(&expected)
    } catch {
      return desk.fail("the closure for \(operation.action) throws: \(error)")
    }
    if expected != after {
      desk.fail(
        "\(operation.action) leads to another state:\n"
          + Difference(from: expected, to: after).text("expected", "actual"))
    } else if expected == before {
      desk.fail(
        "\(operation.action) changes nothing, and nor does its closure; "
          + "write: await store.\(operation.verb)(\(operation.action))")
    }
  }

  private func checkUnchanged(_ before: State, _ after: State, _ operation: Operation) {
    guard before != after else { return }
    let difference = Difference(from: before, to: after)
    let closure = difference.assignments(in: after) ?? "…"
    desk.fail(
      """
      \(operation.action) changes the state and the test says nothing of it:
      \(difference.text("was", "is"))
      Write: await store.\(operation.verb)(\(operation.action)) { \(closure) }
      """)
  }

  private func checkAbsolutely(
    _ change: (inout State) throws -> Void, after: State, _ what: String
  ) {
    var expected = after
    do {
      try change(&expected)
    } catch {
      return desk.fail("the closure for \(what) throws: \(error)")
    }
    guard expected != after else { return }
    desk.fail(
      "\(what == "the state" ? "the state is" : "\(what) leads to") another one:\n"
        + Difference(from: expected, to: after).text("expected", "actual"))
  }

  private func reportChanges(from before: State, _ operation: Operation) {
    guard before != state else { return }
    desk.report(
      "\(operation.action) changes, said by the test or not:\n"
        + Difference(from: before, to: state).text("was", "is"))
  }
}
