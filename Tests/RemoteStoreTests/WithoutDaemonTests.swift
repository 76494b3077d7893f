import DuxJSON
import DuxStore
import Foundation
import Synchronization
import Testing
import Todos

@testable import DuxClient

/// Stores that have no daemon.
struct WithoutDaemonTests {
  @Test func whatTheQueueHasNoRoomForIsToldWhereOutcomesAreTold() async throws {
    var options = ClientOptions()
    options.queuedSteps = 1
    let store = try RemoteStore(
      TodosApp(), at: DaemonAddress("unix:/no/such/socket"), options: options)
    let settlements = store.settlements
    store.dispatch(.add("kept"))
    let refused = store.dispatch(.add("too much"))
    var first: Settlement?
    for await settlement in settlements {
      first = settlement
      break
    }
    #expect(first?.actions == [WireAction(type: "add", payload: "too much")])
    #expect(first?.outcome == refused.result)
    guard case .rejected(let refusal)? = first?.outcome else {
      Issue.record("\(String(describing: first))")
      return
    }
    #expect(refusal.code == RemoteRefusal.queueFullCode)
  }

  @Test(.timeLimit(.minutes(5)))
  func whatAListenerKeepsWaitingIsSettledToo() async throws {
    let store = try RemoteStore(TodosApp(), at: DaemonAddress("unix:/no/such/socket"))
    let receipts = Mutex<[RemoteReceipt]>([])
    let isHeld = Atomic(false)
    let busyThread = Atomic<UInt>(0)
    let held = Eventual<Void>()
    let gate = DispatchSemaphore(value: 0)
    let listening = store.select(\.todos.count, initial: .none) { _ in
      // The link's own thread has to end before the listener does.
      guard UInt(pthread_self()) == busyThread.load(ordering: .sequentiallyConsistent),
        !isHeld.exchange(true, ordering: .sequentiallyConsistent)
      else { return }
      held.fulfil(())
      gate.wait()
    }
    Thread.detachNewThread {
      busyThread.store(UInt(pthread_self()), ordering: .sequentiallyConsistent)
      // Again where the link's thread was just carrying something out, and took this step along.
      for count in 1...1_000 where !isHeld.load(ordering: .sequentiallyConsistent) {
        let receipt = store.dispatch(.add("x"))
        receipts.withLock { $0.append(receipt) }
        while store.snapshot.pendingCount < count { poll(nil, 0, 1) }
      }
    }
    try await held.wait()
    let waiting = store.dispatch(.add("y"))
    store.close()
    await store.closed()
    gate.signal()
    _ = try? await waiting.confirmed
    for receipt in receipts.withLock({ $0 }) { _ = try? await receipt.confirmed }
    #expect(store.status == .ended(EndReason(code: EndReason.closed, message: closing)))
    listening.cancel()
  }

  private let closing = "the program closed the connection"

  @Test func morePresenceThanADaemonTakesIsRefusedAtOnce() throws {
    let store = try RemoteStore(TodosApp(), at: DaemonAddress("unix:/no/such/socket"))
    try store.setPresence(String(repeating: "x", count: 4_094))
    #expect(throws: ClientError.presence("presence has 4097 bytes, daemons take at most 4096")) {
      try store.setPresence(String(repeating: "x", count: 4_095))
    }
    store.close()
  }
}
