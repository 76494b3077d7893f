extension EffectRunner {
  /// Whether a handler does the work of a command.
  func handles(_ command: CommandEntry) -> Bool { handlers[command.name] != nil }

  /// Runs a command until it is done or given up.
  func perform(_ command: CommandEntry, age: Duration) async {
    guard let handler = handlers[command.name] else {
      return await report(.commandFailed(command.key, CommandEnd.unknownCommand, nil))
    }
    await perform(command, by: handler, age: age, on: dependencies.clock)
  }

  private func perform<C: Clock<Duration>>(
    _ command: CommandEntry, by handler: CommandHandler<Action>, age: Duration, on clock: C
  ) async {
    let end = clock.measuresTries ? clock.now.advanced(by: handler.retry.deadline - age) : nil
    // The number comes from the disk, and must leave room to count on.
    var attempts = min(max(0, command.attempts), .max - 1)
    if attempts == 0 { await tellStart(of: command, handler) }
    while !Task.isCancelled {
      let remaining = end.map { clock.now.duration(to: $0) }
      if let remaining, remaining <= .zero {
        return await giveUp(command, CommandEnd.deadlinePassed, after: attempts)
      }
      attempts += 1
      let context = CommandContext(key: command.key.text, attempt: attempts)
      let limit = remaining.map { min($0, handler.retry.timeout) }
      do {
        let action = try await value(within: limit, on: clock) {
          try await handler.run(command.payload, context)
        }
        if !Task.isCancelled { await report(.commandSucceeded(command.key, action)) }
        return
      } catch {
        guard !Task.isCancelled else { return }
        guard !(error is DoNotRetry), attempts < handler.retry.attempts else {
          return await giveUp(command, error, after: attempts)
        }
        let wait = handler.retry.wait(after: attempts, spread: jitter())
        if let end, clock.now.advanced(by: wait) >= end {
          return await giveUp(command, CommandEnd.deadlinePassed, after: attempts)
        }
        await report(.commandTryFailed(command.key, attempts: attempts, error, wait: wait))
        try? await clock.sleep(for: wait)
      }
    }
  }

  private func tellStart(of command: CommandEntry, _ handler: CommandHandler<Action>) async {
    let context = CommandContext(key: command.key.text, attempt: 1)
    // A payload that can't be read fails the first try, and is told as its failure.
    if let action = try? handler.started(command.payload, context) {
      await report(.commandStarted(command.key, action))
    }
  }

  private func giveUp(_ command: CommandEntry, _ error: any Error, after attempts: Int) async {
    let reason = (error as? DoNotRetry)?.reason ?? error
    let context = CommandContext(key: command.key.text, attempt: max(1, attempts))
    let action = handlers[command.name]?.failed(reason, command.payload, context)
    await report(.commandFailed(command.key, reason, action))
  }

  /// What a body gives, unless it takes longer than allowed or the task is cancelled: then the body
  /// is cancelled and let go, whether it notices or not.
  private func value<C: Clock<Duration>>(
    within limit: Duration?, on clock: C, of body: @escaping @Sendable () async throws -> Action
  ) async throws -> Action {
    let race = Race<Action>()
    let work = track {
      do {
        race.finish(.success(try await body()))
      } catch {
        race.finish(.failure(error))
      }
    }
    let timer = limit.flatMap { limit in
      track {
        try? await clock.sleep(for: limit)
        if !Task.isCancelled { race.finish(.failure(CommandEnd.timedOut)) }
      }
    }
    defer {
      work?.cancel()
      timer?.cancel()
    }
    guard work != nil else { throw CancellationError() }
    return try await race.value()
  }
}

extension Clock {
  /// Whether time passes on the clock while something is done: on a clock that only jumps, each try
  /// would be over at once.
  fileprivate var measuresTries: Bool { !(self is ImmediateClock || self is FailingClock) }
}

extension RetryPolicy {
  /// The wait after some failures: doubled from one to the next, and then half of it to all of it.
  package func wait(after failures: Int, spread: Double) -> Duration {
    var wait = min(firstDelay, longestDelay)
    for _ in 1..<max(1, min(failures, 64)) where wait < longestDelay {
      wait = min(wait * 2, longestDelay)
    }
    return wait * (0.5 + 0.5 * min(max(spread, 0), 1))
  }
}
