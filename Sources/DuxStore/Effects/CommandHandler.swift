import DuxJSON

/// What does the work of one kind of ``Command``, known to the app as a whole.
///
/// It belongs to the app and not to the reducer that asks, because after a crash only the request
/// is left: the answer must be an action of the app.
public struct CommandHandler<Action: Sendable>: Sendable {
  /// The command's name in the outbox.
  public let name: String
  /// How failures are tried again.
  public let retry: RetryPolicy
  let started: @Sendable (JSON, CommandContext) throws -> Action?
  let run: @Sendable (JSON, CommandContext) async throws -> Action
  let failed: @Sendable (any Error, JSON, CommandContext) -> Action?

  /// Makes a handler.
  ///
  /// - Parameters:
  ///   - type: the commands it does.
  ///   - retry: how failures are tried again.
  ///   - started: the action that tells that the first try begins, if the app wants one.
  ///   - failed: the action that tells that it was given up: tried often enough, past its deadline,
  ///     cancelled by somebody, or not to be tried again (``DoNotRetry``).
  ///   - run: the work; it may run more than once with the same ``CommandContext/key``, and returns
  ///     the action that tells its success.
  public init<C: Command>(
    _ type: C.Type, retry: RetryPolicy = .standard,
    started: (@Sendable (C, CommandContext) -> Action)? = nil,
    failed: @escaping @Sendable (any Error, C, CommandContext) -> Action,
    run: @escaping @Sendable (C, CommandContext) async throws -> Action
  ) {
    name = C.commandName
    self.retry = retry
    self.started = { payload, context in
      try started?(StateCoder.decode(C.self, from: payload), context)
    }
    self.run = { payload, context in
      let command: C
      do {
        command = try StateCoder.decode(C.self, from: payload)
      } catch {
        throw DoNotRetry(error)
      }
      return try await run(command, context)
    }
    self.failed = { error, payload, context in
      guard let command = try? StateCoder.decode(C.self, from: payload) else { return nil }
      return failed(error, command, context)
    }
  }

  private init(
    name: String, retry: RetryPolicy,
    started: @escaping @Sendable (JSON, CommandContext) throws -> Action?,
    run: @escaping @Sendable (JSON, CommandContext) async throws -> Action,
    failed: @escaping @Sendable (any Error, JSON, CommandContext) -> Action?
  ) {
    self.name = name
    self.retry = retry
    self.started = started
    self.run = run
    self.failed = failed
  }

  /// The action that tells that a command was given up for a reason that lies not in its work.
  package func failure(_ end: CommandEnd, of command: CommandEntry) -> Action? {
    let context = CommandContext(key: command.key.text, attempt: max(1, command.attempts))
    return failed(end, command.payload, context)
  }

  /// The same handler, its actions turned into a parent's.
  public func map<Parent: Sendable>(
    _ transform: @escaping @Sendable (Action) -> Parent
  ) -> CommandHandler<Parent> {
    let (started, run, failed) = (started, run, failed)
    return CommandHandler<Parent>(
      name: name, retry: retry,
      started: { try started($0, $1).map(transform) },
      run: { transform(try await run($0, $1)) },
      failed: { failed($0, $1, $2).map(transform) })
  }
}

/// What a handler is told of the try it makes.
public struct CommandContext: Hashable, Sendable {
  /// Names this request for ever and in every try: what to give a service as its idempotency key.
  public let key: String
  /// 1 for the first try.
  public let attempt: Int

  /// Makes a context.
  public init(key: String, attempt: Int) {
    self.key = key
    self.attempt = attempt
  }
}

/// How often and when a failed command is tried again.
public struct RetryPolicy: Hashable, Sendable {
  /// Tries altogether, at least 1.
  public var attempts: Int
  /// The wait after the first failure; it doubles from failure to failure.
  public var firstDelay: Duration
  /// The longest wait.
  public var longestDelay: Duration
  /// How long one try may take.
  public var timeout: Duration
  /// How long after the step that asked for it a command is still tried.
  public var deadline: Duration

  /// Makes a policy.
  public init(
    attempts: Int, firstDelay: Duration, longestDelay: Duration, timeout: Duration,
    deadline: Duration
  ) {
    self.attempts = attempts
    self.firstDelay = firstDelay
    self.longestDelay = longestDelay
    self.timeout = timeout
    self.deadline = deadline
  }

  /// 10 tries, waits of 1 s to 1 min, 30 s a try, an hour altogether.
  public static let standard = RetryPolicy(
    attempts: 10, firstDelay: .seconds(1), longestDelay: .seconds(60), timeout: .seconds(30),
    deadline: .seconds(3_600))
  /// One try of 30 s.
  public static let once = RetryPolicy(
    attempts: 1, firstDelay: .zero, longestDelay: .zero, timeout: .seconds(30),
    deadline: .seconds(3_600))
}

/// Thrown by a handler for a failure that another try would not cure.
public struct DoNotRetry: Error, CustomStringConvertible {
  /// What happened.
  public let reason: any Error

  /// Makes it of what happened.
  public init(_ reason: any Error) {
    self.reason = reason
  }

  /// What happened.
  public var description: String { String(describing: reason) }
}

/// Why a command was given up, other than by its own failure.
public enum CommandEnd: Error, Hashable, Sendable {
  /// Somebody cancelled it from outside.
  case cancelled
  /// One try took longer than allowed.
  case timedOut
  /// Its deadline passed before it succeeded.
  case deadlinePassed
  /// No handler is registered for its name.
  case unknownCommand
}

extension CommandRequest {
  init(_ command: some Command) {
    let name = type(of: command).commandName
    do {
      self.init(name: name, payload: try StateCoder.encode(command))
    } catch {
      self.init(
        name: name, payload: .null, failure: "the command \(name) can't be encoded: \(error)")
    }
  }
}
