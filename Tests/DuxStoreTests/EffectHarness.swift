import DuxStore

/// A ledger with the steps of a store around it; what it asks for reads as text, with the names of
/// the effects in place of their tokens.
final class EffectHarness {
  var ledger: EffectLedger<String>
  private(set) var step: Int64 = 0
  private(set) var tokens: [String: EffectToken] = [:]
  private(set) var names: [EffectToken: String] = [:]
  private var sleeps = 0

  init(keyPrefix: String = "p", limits: FollowUpLimits = FollowUpLimits()) {
    ledger = EffectLedger(keyPrefix: keyPrefix, limits: limits)
  }

  /// Takes an action from outside whose reducer returns `effect`.
  func begin(
    _ effect: Effect<String>, action: String = "action", departed: [String] = []
  ) -> [String] {
    step += 1
    let cause = EffectCause(step: step, action: action, author: "me")
    ledger.begin(effect, of: cause, departed: departed.map { EffectScope($0) })
    return take()
  }

  /// Reduces the next follow-up; `reduce` says which effect its action has.
  func followUp(
    _ reduce: (String) -> Effect<String> = { _ in .none }
  ) -> (action: String, outputs: [String])? {
    guard let next = ledger.nextFollowUp() else { return nil }
    step += 1
    ledger.begin(reduce(next.action), of: next.cause.followUp(step: step, action: next.action))
    ledger.ended(next.token)
    return (next.action, take())
  }

  func end(_ name: String) -> [String] { tell(name) { $0.ended($1) } }
  func sleep(_ name: String) -> [String] { tell(name) { $0.slept($1) } }
  func cancel(_ name: String) -> [String] { tell(name) { $0.cancel($1) } }

  /// Whether an action of an effect counts.
  func accepts(from name: String) -> Bool {
    tokens[name].map { ledger.sent($0) != nil } ?? false
  }

  func depart(_ scopes: [String]) -> [String] {
    ledger.cancel(departed: scopes.map { EffectScope($0) })
    return take()
  }

  /// The cause that an action of an effect, or of a command, has.
  func sent(_ token: EffectToken) -> EffectCause? { ledger.sent(token) }
  func answer(to key: String) -> EffectCause? { ledger.sent(CommandKey(key)) }

  func next() -> FollowUp<String>? { ledger.nextFollowUp() }

  func take() -> [String] { ledger.takeOutputs().map { describe($0) } }

  var running: [String] { ledger.running.map(\.name) }

  private func tell(
    _ name: String, _ event: (inout EffectLedger<String>, EffectToken) -> Void
  ) -> [String] {
    guard let token = tokens[name] else { return ["no \(name)"] }
    event(&ledger, token)
    return take()
  }

  private func describe(_ output: EffectOutput<String>) -> String {
    switch output {
    case .run(let token, let operation, _):
      tokens[operation.name] = token
      names[token] = operation.name
      return "run \(operation.name)"
    case .sleep(let token, let duration):
      if names[token] == nil { sleeps += 1 }
      let name = names[token] ?? "sleep\(sleeps)"
      tokens[name] = token
      names[token] = name
      return "\(name) \(duration.components.seconds)"
    case .cancel(let token): return "cancel \(names[token] ?? "?")"
    case .enqueue(let entry): return "enqueue \(entry.key) \(entry.name)"
    case .start(let entry): return "start \(entry.key)"
    case .drop(let key): return "drop \(key)"
    case .cut(let runaway): return "cut \(runaway.cycle.joined(separator: " → "))"
    }
  }
}

/// A closure that a test never runs.
func run(_ name: String) -> Effect<String> {
  .run(name) { _ in }
}

/// A command of the tests.
struct Job: Command, Equatable {
  var number = 0
}

extension EffectScope {
  /// Reads a scope as its description writes it.
  init(_ description: String) {
    self.init(path: description.split(separator: "/").map(String.init))
  }
}
