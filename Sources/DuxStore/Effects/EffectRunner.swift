import Synchronization

/// Does what a ledger asks for: runs closures and commands as tasks, and sleeps.
///
/// It may be called from any thread. What it has to tell goes to `report`, from tasks of its own.
/// After ``EffectOutput/cancel(_:)`` nothing need be reported any more: closures that end later, or
/// never, are let go, and what they still send is for the ledger to drop.
package final class EffectRunner<Action: Sendable>: Sendable {
  private enum Work: Hashable {
    case effect(EffectToken)
    case command(CommandKey)
  }

  private struct Content {
    var tasks: [UInt64: Task<Void, Never>] = [:]
    /// The task that counts for a piece of work; others of the same are on their way out.
    var current: [Work: UInt64] = [:]
    /// The tasks that run closures.
    var closures: Set<UInt64> = []
    var lastNumber: UInt64 = 0
    var isClosed = false
    var whenIdle: [Race<Void>] = []
  }

  private let world: @Sendable () -> DependencyValues
  private let executor: (any TaskExecutor)?
  let handlers: [String: CommandHandler<Action>]
  /// A number from 0 to 1 that spreads the waits between tries.
  let jitter: @Sendable () -> Double
  let report: @Sendable (EffectEvent<Action>) async -> Void
  private let content = Mutex(Content())

  /// Makes a runner.
  ///
  /// - Parameters:
  ///   - world: gives what closures and handlers see from when they begin; waits are on its clock,
  ///     mistakes of the program go to its listener.
  ///   - handlers: what does the work of commands.
  ///   - executor: what tasks run on; by default Swift's own threads.
  ///   - jitter: numbers from 0 to 1 that spread the waits between tries.
  ///   - report: who is told what happens; it returns when an action that is told of was taken or
  ///     dropped.
  package init(
    world: @escaping @Sendable () -> DependencyValues, handlers: [CommandHandler<Action>],
    executor: (any TaskExecutor)? = nil,
    jitter: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
    report: @escaping @Sendable (EffectEvent<Action>) async -> Void
  ) {
    self.world = world
    self.executor = executor
    self.handlers = Dictionary(handlers.map { ($0.name, $0) }) { first, _ in first }
    self.jitter = jitter
    self.report = report
  }

  /// What closures and handlers that begin now see.
  package var dependencies: DependencyValues { world() }

  /// How many tasks have not returned, those included that were let go.
  package var taskCount: Int { content.withLock { $0.tasks.count } }

  /// Whether closures of effects run, those included that were let go.
  package var runsClosures: Bool { content.withLock { !$0.closures.isEmpty } }

  /// Does what a ledger asks for; what concerns the outbox is not for it.
  package func carryOut(_ output: EffectOutput<Action>) {
    switch output {
    case .run(let token, let operation, let cause):
      begin(.effect(token), .closure) { await self.run(operation, as: token, of: cause) }
    case .sleep(let token, let duration):
      begin(.effect(token), .other) { await self.sleep(duration, for: token) }
    case .cancel(let token): cancel(.effect(token))
    case .start(let command): start(command)
    case .drop(let key): cancel(.command(key))
    case .enqueue, .cut: break
    }
  }

  /// Runs a command until it is done or given up.
  ///
  /// - Parameters:
  ///   - command: the command.
  ///   - age: how long ago it was asked for.
  package func start(_ command: CommandEntry, age: Duration = .zero) {
    begin(.command(command.key), .other) { await self.perform(command, age: age) }
  }

  /// Cancels everything, and does nothing any more.
  package func close() {
    let tasks = content.withLock { content in
      content.isClosed = true
      content.current = [:]
      return content.tasks.sorted { $0.key < $1.key }.map(\.value)
    }
    for task in tasks { task.cancel() }
  }

  /// Cancels everything, and waits until all tasks have returned or the limit is reached.
  ///
  /// - Returns: how many tasks have not returned, because they do not notice that they are cancelled.
  package func shutdown(within limit: Duration) async -> Int {
    close()
    let idle = Race<Void>()
    let isIdle = content.withLock { content in
      content.whenIdle.append(idle)
      return content.tasks.isEmpty
    }
    if isIdle { return 0 }
    let timer = Task {
      try? await ContinuousClock().sleep(for: limit)
      idle.finish(.success(()))
    }
    try? await idle.value()
    timer.cancel()
    return taskCount
  }

  /// Starts a task that is waited for at the end, and cancelled at a shutdown.
  ///
  /// - Returns: the task; nil after ``close()``.
  func track(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never>? {
    begin(nil, .other, body)
  }

  private enum Kind {
    case closure
    case other
  }

  @discardableResult
  private func begin(
    _ work: Work?, _ kind: Kind, _ body: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never>? {
    content.withLock { content in
      guard !content.isClosed else { return nil }
      content.lastNumber += 1
      let number = content.lastNumber
      let task = Task(executorPreference: executor) {
        await self.surrounded(body)
        self.returned(number, from: work)
      }
      content.tasks[number] = task
      if let work { content.current[work] = number }
      if kind == .closure { content.closures.insert(number) }
      return task
    }
  }

  private func surrounded(_ body: @Sendable () async -> Void) async {
    await DependencyValues.$current.withValue(dependencies) { await body() }
  }

  private func returned(_ number: UInt64, from work: Work?) {
    let waiting = content.withLock { content in
      content.tasks[number] = nil
      content.closures.remove(number)
      if let work, content.current[work] == number { content.current[work] = nil }
      guard content.tasks.isEmpty else { return [Race<Void>]() }
      defer { content.whenIdle = [] }
      return content.whenIdle
    }
    for idle in waiting { idle.finish(.success(())) }
  }

  private func cancel(_ work: Work) {
    let task = content.withLock { content in
      content.current.removeValue(forKey: work).flatMap { content.tasks[$0] }
    }
    task?.cancel()
  }

  private func run(
    _ operation: EffectOperation<Action>, as token: EffectToken, of cause: EffectCause
  ) async {
    do {
      try await operation.body(Send { await self.report(.sent(token, $0)) })
    } catch is CancellationError {
      // Being cancelled is no failure.
    } catch  where !Task.isCancelled {
      if let recover = operation.recover {
        await report(.sent(token, recover(error)))
      } else {
        reportIssue(
          "the effect \"\(operation.name)\" of the action \(cause.action) failed and has no catch:"
            + " \(error)")
      }
    } catch {
      // What fails because it is cancelled has no one left to tell.
    }
    if !Task.isCancelled { await report(.ended(token)) }
  }

  private func sleep(_ duration: Duration, for token: EffectToken) async {
    try? await dependencies.clock.sleep(for: duration)
    if !Task.isCancelled { await report(.slept(token)) }
  }
}
