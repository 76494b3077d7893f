import DuxStore
import Synchronization

/// A small store around a ledger and a runner: what the runner tells is written down, and actions
/// that count are reduced by `reduce`.
final class EffectStage: Sendable {
  private struct Content {
    var ledger = EffectLedger<String>(keyPrefix: "s")
    var step: Int64 = 0
    var lines: [String] = []
    var waiting: [Waiter] = []

    mutating func takeMet() -> [Waiter] {
      defer { waiting.removeAll { $0.isMet(lines, ledger.isEmpty) } }
      return waiting.filter { $0.isMet(lines, ledger.isEmpty) }
    }
  }

  private struct Waiter {
    let isMet: @Sendable (_ lines: [String], _ isEmpty: Bool) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private let content = Mutex(Content())
  private let reduce: @Sendable (String) -> Effect<String>
  private let runnerBox = Mutex<EffectRunner<String>?>(nil)

  init(
    clock: any Clock<Duration>, commands: [CommandHandler<String>] = [],
    reduce: @escaping @Sendable (String) -> Effect<String> = { _ in .none }
  ) {
    self.reduce = reduce
    let world = DependencyValues(.test).setting { values in
      values.clock = clock
      values.issueListener = { [weak self] in self?.note("issue: \($0)") }
    }
    let runner = EffectRunner<String>(
      world: { world }, handlers: commands, jitter: { 1 },
      report: { [weak self] in self?.take($0) })
    runnerBox.withLock { $0 = runner }
  }

  var runner: EffectRunner<String> {
    get throws {
      struct Missing: Error {}
      guard let runner = runnerBox.withLock({ $0 }) else { throw Missing() }
      return runner
    }
  }

  var lines: [String] { content.withLock { $0.lines } }
  var isEmpty: Bool { content.withLock { $0.ledger.isEmpty } }
  var lateActions: Int { content.withLock { $0.ledger.lateActions } }

  func begin(_ effect: Effect<String>, departed: [String] = []) {
    change { content in
      content.step += 1
      content.ledger.begin(
        effect, of: EffectCause(step: content.step, action: "begin", author: "me"),
        departed: departed.map { EffectScope($0) })
    }
  }

  func restore(_ entries: [CommandEntry]) { change { $0.ledger.restore(entries) } }

  /// Waits until what was written down meets a condition.
  func lines(meet isMet: @escaping @Sendable ([String]) -> Bool) async {
    await wait { lines, _ in isMet(lines) }
  }

  /// Waits until the ledger remembers nothing.
  func empty() async { await wait { _, isEmpty in isEmpty } }

  private func wait(
    until isMet: @escaping @Sendable (_ lines: [String], _ isEmpty: Bool) -> Bool
  ) async {
    await withCheckedContinuation { continuation in
      let met = content.withLock { content in
        content.waiting.append(Waiter(isMet: isMet, continuation: continuation))
        return content.takeMet()
      }
      met.forEach { $0.continuation.resume() }
    }
  }

  func line(_ line: String) async { await lines { $0.contains(line) } }

  func note(_ line: String) {
    let met = content.withLock { content in
      content.lines.append(line)
      return content.takeMet()
    }
    met.forEach { $0.continuation.resume() }
  }

  private func change(_ body: (inout Content) -> Void) {
    let (outputs, met) = content.withLock { content in
      body(&content)
      return (content.ledger.takeOutputs(), content.takeMet())
    }
    let runner = runnerBox.withLock { $0 }
    for output in outputs { runner?.carryOut(output) }
    met.forEach { $0.continuation.resume() }
  }

  private func take(_ event: EffectEvent<String>) {
    switch event {
    case .sent(let token, let action): send(action) { $0.sent(token) }
    case .ended(let token): change { $0.ledger.ended(token) }
    case .slept(let token): change { $0.ledger.slept(token) }
    case .commandStarted(let key, let action): send(action) { $0.sent(key) }
    case .commandTryFailed(_, let attempts, let error, let wait):
      note("try \(attempts) failed: \(error), again in \(wait.components.seconds)")
    case .commandSucceeded(let key, let action):
      send(action) { $0.sent(key) }
      change { $0.ledger.ended(key) }
    case .commandFailed(let key, let error, let action):
      note("failed: \(error)")
      if let action { send(action) { $0.sent(key) } }
      change { $0.ledger.ended(key) }
    }
  }

  private func send(_ action: String, _ cause: (inout EffectLedger<String>) -> EffectCause?) {
    var isTaken = false
    change { content in
      guard let cause = cause(&content.ledger) else { return }
      isTaken = true
      content.step += 1
      content.ledger.begin(reduce(action), of: cause.answer(step: content.step, action: action))
    }
    if isTaken { note(action) }
  }
}

/// Opens once, for all who wait.
final class Gate: Sendable {
  private struct Content {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let content = Mutex(Content())

  /// Waits whether the task is cancelled or not.
  func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = content.withLock { content in
        if !content.isOpen { content.waiting.append(continuation) }
        return content.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let waiting = content.withLock { content in
      content.isOpen = true
      defer { content.waiting = [] }
      return content.waiting
    }
    waiting.forEach { $0.resume() }
  }
}
