import Dispatch
import Foundation
import Testing

@testable import DuxServer

/// The threads of effects: work that blocks its thread holds up no other.
struct EffectThreadsTests {
  @Test(.timeLimit(.minutes(1)))
  func tasksThatBlockAsManyThreadsAsThereAreCoresHoldUpNoOther() async {
    let threads = EffectThreads()
    let gate = DispatchSemaphore(value: 0)
    let blocked = (0...ProcessInfo.processInfo.activeProcessorCount).map { _ in
      Task(executorPreference: threads) { Self.wait(at: gate) }
    }
    // It sleeps, as a limit of time does, so that it needs Swift's own threads as well.
    let other = Task(executorPreference: threads) {
      try await Task.sleep(for: .milliseconds(1))
    }
    await #expect(throws: Never.self) { try await other.value }
    for _ in blocked { gate.signal() }
    for task in blocked { await task.value }
  }

  private static func wait(at gate: DispatchSemaphore) { gate.wait() }
}
