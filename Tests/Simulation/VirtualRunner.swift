import DuxEngine
import DuxJSON
import DuxStore

/// Does the work of effects in virtual time: slowly, with failures, and telling late what nobody
/// wants to hear any more.
final class VirtualRunner {
  private final class Job {
    var isCancelled = false
  }

  private enum Work: Hashable {
    case effect(EffectToken)
    case command(CommandKey)
  }

  /// Lets the engine call back into a world that lives on one thread.
  // Unchecked: engine, world and runner are used by one thread only.
  private struct Callback: @unchecked Sendable {
    let body: () -> Void
  }

  private unowned let world: World
  private var random: SeededGenerator
  private let post: (@escaping (Engine) -> Void) -> Void
  private var jobs: [Work: Job] = [:]

  private static let triesLimit = 5

  init(
    world: World, random: SeededGenerator, post: @escaping (@escaping (Engine) -> Void) -> Void
  ) {
    self.world = world
    self.random = random
    self.post = post
  }

  func carryOut(_ output: EffectOutput<HostedAction>) {
    switch output {
    case .run(let token, let operation, _):
      send(random.below(4), of: operation.name, by: token, begin(.effect(token)))
    case .sleep(let token, let duration):
      let job = begin(.effect(token))
      later(Int(duration / .milliseconds(1)), job) { [self] in post { $0.slept(token) } }
    case .start(let command):
      world.trace("begins \(command.key)")
      world.history.effects.begins(command)
      perform(command, begin(.command(command.key)))
    case .cancel(let token): jobs.removeValue(forKey: .effect(token))?.isCancelled = true
    case .drop(let key): jobs.removeValue(forKey: .command(key))?.isCancelled = true
    case .enqueue, .cut: break
    }
  }

  /// Cancels everything.
  func stop() {
    jobs.values.forEach { $0.isCancelled = true }
    jobs = [:]
  }

  private func begin(_ work: Work) -> Job {
    let job = Job()
    jobs[work] = job
    return job
  }

  /// Does something after a while; half of what was cancelled does not notice.
  private func later(_ ms: Int, _ job: Job, _ body: @escaping () -> Void) {
    let notices = random.chance(50)
    world.after(Int64(ms)) {
      if !job.isCancelled || !notices { body() }
    }
  }

  private func send(_ count: Int, of name: String, by token: EffectToken, _ job: Job) {
    later(random.below(150), job) { [self] in
      guard count > 0 else { return post { $0.ended(token) } }
      let next = Callback { [self] in send(count - 1, of: name, by: token, job) }
      post { $0.sent(Self.word(of: name), by: token, taken: { next.body() }) }
    }
  }

  private static func word(of name: String) -> HostedAction {
    let words = name.split(separator: " ").map(String.init)
    return words.first == "whistle"
      ? .success(WireAction(type: "crew/whistled", payload: ["id": .string(words.last ?? "")]))
      : .success(WireAction(type: "heard", payload: .string(words.last ?? "")))
  }

  private func perform(_ command: CommandEntry, _ job: Job) {
    if command.name == "@lease" { return wait(command, job) }
    let key = command.key
    let parcel = command.payload["parcel"] ?? nil
    if command.attempts == 0 {
      post { $0.commandSent(.success(WireAction(type: "started", payload: parcel)), by: key) }
    }
    let hangs = random.chance(5)
    later(hangs ? 2_000 : random.below(120), job) { [self] in
      guard hangs || random.chance(30) else { return succeed(command) }
      fail(command, job)
    }
  }

  /// Waits as long as a lease lasts; some timers are lost.
  private func wait(_ command: CommandEntry, _ job: Job) {
    let timer = command.payload
    guard let name = timer["name"]?.stringValue, let fence = timer["fence"]?.integerValue,
      let ttlMs = timer["ttlMs"]?.integerValue
    else { return }
    let isLost = random.chance(10)
    let action =
      isLost ? LeaseAction.rearm(name: name, fence: fence) : .expire(name: name, fence: fence)
    later(isLost ? random.below(50) : Int(ttlMs), job) { [self] in
      end(command, action.wire)
    }
  }

  private func succeed(_ command: CommandEntry) {
    let parcel = command.payload["parcel"] ?? nil
    let action: WireAction
    if let porter = command.payload["porter"], porter != nil {
      action = WireAction(type: "crew/carried", payload: ["id": porter, "action": parcel])
    } else {
      action = WireAction(type: "delivered", payload: parcel)
    }
    end(command, action)
  }

  private func fail(_ command: CommandEntry, _ job: Job) {
    var command = command
    command.attempts += 1
    let (key, attempts) = (command.key, command.attempts)
    if attempts >= Self.triesLimit {
      let parcel = command.payload["parcel"] ?? nil
      return end(
        command,
        WireAction(type: "failed", payload: ["parcel": parcel, "reason": "given up"]))
    }
    let wait = random.below(200)
    post { $0.commandFailed(key, attempts: attempts, error: "no", retryMs: Int64(wait)) }
    later(wait, job) { [self] in perform(command, job) }
  }

  private func end(_ command: CommandEntry, _ action: WireAction) {
    world.history.effects.completes(command)
    for _ in 0...(random.chance(10) ? 1 : 0) {
      post { $0.commandEnded(command.key, .success(action)) }
    }
  }
}
