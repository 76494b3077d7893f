import DuxStore
public import Testing

extension TestStore {
  /// Ends the test: waits for the effects, and fails for what was not received and what still runs.
  ///
  /// Effects that still run are then cancelled; nothing can be sent any more. In partial mode
  /// nothing is waited for and nothing fails.
  public func finish(
    timeout: Duration = TestStore.defaultTimeout, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    desk.move(to: sourceLocation)
    isFinished = true
    guard !held.isClosed else { return }
    let deadline = ContinuousClock.now + timeout
    switch exhaustivity {
    case .strict: await waitForEnd(until: deadline)
    case .partial, .partialReporting: await executor.settle(until: deadline)
    }
    let lines = unfinishedText(await held.standing())
    if !lines.isEmpty {
      switch exhaustivity {
      case .strict: desk.fail(lines.joined(separator: "\n"))
      case .partial: break
      case .partialReporting: desk.report(lines.joined(separator: "\n"))
      }
    }
    await close()
  }

  /// Closes the store as an app would: effects are cancelled, nothing can be sent any more.
  ///
  /// The test still ends with ``finish(timeout:sourceLocation:)``.
  public func close() async {
    held.close()
    await executor.settle()
  }

  /// Lets in what waits, and what comes of it, without saying what it is and what it changes.
  ///
  /// - Returns: the actions.
  @discardableResult
  public func skipReceivedActions(
    _ demand: SkipDemand = .required, timeout: Duration = TestStore.defaultTimeout,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> [Action] {
    desk.move(to: sourceLocation)
    await executor.settle()
    let skipped = await admitAll(until: .now + timeout)
    if skipped.isEmpty, demand == .required {
      desk.fail("there are no received actions to skip")
    } else if exhaustivity == .partialReporting, !skipped.isEmpty {
      desk.report("skipped:\n\(waitingLines(skipped))")
    }
    return skipped.map(\.action)
  }

  /// Cancels all effects, commands too; nothing of theirs reaches the state any more.
  ///
  /// - Returns: what was cancelled, with the actions that started it.
  @discardableResult
  public func skipEffects(
    _ demand: SkipDemand = .required, sourceLocation: SourceLocation = #_sourceLocation
  ) async -> [String] {
    desk.move(to: sourceLocation)
    await executor.settle()
    let running = await held.standing().running
    await held.cancelAll()
    await executor.settle()
    if running.isEmpty, demand == .required {
      desk.fail("there are no effects to skip")
    } else if exhaustivity == .partialReporting, !running.isEmpty {
      desk.report("cancelled:\n\(runningLines(running))")
    }
    return running.map { effectText($0) }
  }

  /// Waits until nothing goes back to a sent action any more.
  func finish(
    _ activity: Activity, of text: String, until deadline: ContinuousClock.Instant
  ) async {
    let isFinished: Bool? = await wait(until: deadline) {
      if activity.isFinished { return true }
      return await held.firstWaiting() == nil ? nil : false
    }
    if isFinished == true { return }
    let lines = unfinishedText(await held.standing())
    desk.fail(
      (["\(text) has not come to its end:"] + lines).joined(separator: "\n"))
  }

  private func waitForEnd(until deadline: ContinuousClock.Instant) async {
    _ = await wait(until: deadline) {
      if await held.firstWaiting() != nil { return true }
      let standing = await held.standing()
      // A command without a handler can't end by itself.
      let isOver = standing.running.allSatisfy { effect in
        effect.command.map { !held.isHandled($0, in: standing) } ?? false
      }
      return isOver ? true : Bool?.none
    }
  }
}
