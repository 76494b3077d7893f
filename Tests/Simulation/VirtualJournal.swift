import DuxEngine

/// A program's journal on a disk that takes its time: writes become durable in order, and a crash
/// loses those on their way.
final class VirtualJournal {
  private unowned let world: World
  private var random: SeededGenerator
  private var steps: [RequestToken: QueuedStep] = [:]
  private var writes: [(RemoteSession.Effect, (QueuedStep) -> Void)] = []
  /// How often what was on its way was lost.
  private var crashCount = 0

  init(_ world: World, _ random: SeededGenerator) {
    self.world = world
    self.random = random
  }

  func write(_ effect: RemoteSession.Effect, kept: @escaping (QueuedStep) -> Void) {
    writes.append((effect, kept))
    if writes.count == 1 { flushLater() }
  }

  private func flushLater() {
    world.after(Int64(random.below(world.options.diskDelayMs) + 1)) { [self, crashCount] in
      guard crashCount == self.crashCount, !writes.isEmpty else { return }
      let batch = writes.prefix(1 + random.below(writes.count))
      writes.removeFirst(batch.count)
      if !writes.isEmpty { flushLater() }
      for (effect, _) in batch {
        switch effect {
        case .keep(let step): steps[step.token] = step
        case .forget(let token): steps[token] = nil
        default: break
        }
      }
      for case (.keep(let step), let kept) in batch { kept(step) }
    }
  }

  /// Loses what is on its way.
  ///
  /// - Returns: what is durable.
  func crash() -> [QueuedStep] {
    crashCount += 1
    writes = []
    return Array(steps.values)
  }
}
