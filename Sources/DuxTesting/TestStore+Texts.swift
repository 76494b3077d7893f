import DuxJSON
import DuxStore
import Testing

extension TestStore {
  static var listLimit: Int { 5 }

  func actionText(_ action: Action) -> String { sourceText(action).shortened(to: 200) }

  /// What was not received and what still runs, or nothing.
  func unfinishedText(_ standing: EffectStanding<Action>) -> [String] {
    var lines: [String] = []
    if let first = standing.waiting.first {
      lines.append("\(counted(standing.waiting.count, "action")) of effects not received:")
      lines.append(waitingLines(standing.waiting))
      lines.append("Write: await store.receive(\(actionText(first.action)))")
    }
    let senders = Set(standing.waiting.compactMap(\.effect))
    let running = standing.running.filter { !senders.contains($0.token) }
    if !running.isEmpty {
      lines.append("\(counted(running.count, "effect")) still in flight:")
      lines.append(runningLines(running, in: standing))
      lines += clockHint
      lines.append("End them, or write: await store.skipEffects()")
    }
    return lines
  }

  /// What may be missing when something waits for a clock that only the test moves.
  var clockHint: [String] {
    guard let clock = dependencies.clock as? TestClock, clock.sleeperCount > 0 else { return [] }
    return [
      "The test clock stands still while something waits for it; "
        + "write before it: await clock.advance(by: …)"
    ]
  }

  func waitingLines(_ waiting: some Collection<WaitingAction<Action>>) -> String {
    list(waiting) { waiting in
      let kind = waiting.effect == nil ? "follow-up of" : "sent by an effect of"
      return "\(actionText(waiting.action)), \(kind) \(originText(waiting.cause))"
    }
  }

  func runningLines(
    _ running: [RunningEffect], in standing: EffectStanding<Action>? = nil
  ) -> String {
    list(running) { effect in
      let entry = standing?.outbox.first { $0.key == effect.command }
      let payload = entry.map { " " + String(decoding: $0.payload.bytes, as: UTF8.self) } ?? ""
      return effectText(effect, payload: payload.shortened())
    }
  }

  func effectText(_ effect: RunningEffect, payload: String = "") -> String {
    let kind = effect.command == nil ? "" : "command "
    let scope = effect.scope == .root ? "" : " in \(effect.scope)"
    return "\(kind)\(effect.name)\(payload)\(scope), started by \(originText(effect.cause))"
  }

  private func originText(_ cause: EffectCause) -> String {
    guard let origin = origins[cause.step] else { return cause.action }
    return "\(origin.action) at \(origin.location.fileName):\(origin.location.line)"
  }

  private func list<C: Collection>(_ items: C, _ text: (C.Element) -> String) -> String {
    let rest = items.count - Self.listLimit
    let lines = items.prefix(Self.listLimit).map { "  " + text($0) }
    return (lines + (rest > 0 ? ["  and \(rest) more"] : [])).joined(separator: "\n")
  }
}
