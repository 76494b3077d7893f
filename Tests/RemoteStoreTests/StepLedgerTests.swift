import DuxEngine
import DuxJSON
import DuxLog
import DuxStore
import Testing

@testable import DuxClient

/// Receipts and settlements.
struct StepLedgerTests {
  private static let ended = DuxClient.EndReason(code: "x", message: "over")

  private static func receipt() -> RemoteReceipt { RemoteReceipt { _ in } }

  private static func queued(_ index: Int, _ type: String) -> QueuedStep {
    QueuedStep(
      token: RequestToken(index: index), n: nil, numberedMs: nil,
      actions: [["type": .string(type)]], preconditions: [])
  }

  private func all(of stream: AsyncStream<Settlement>) async -> [Settlement] {
    var found: [Settlement] = []
    for await settlement in stream { found.append(settlement) }
    return found
  }

  @Test func aStepIsSettledOnce() {
    let ledger = StepLedger(restored: [])
    let receipt = Self.receipt()
    let token = RequestToken(index: 4)
    #expect(ledger.begin(receipt) == nil)
    #expect(ledger.token(of: receipt) == nil)
    ledger.name(receipt, token, [])
    #expect(ledger.token(of: receipt) == token)
    ledger.settle([SettledStep(token, .cancelled)])
    ledger.settle([SettledStep(token, .unknown(.init(code: "y", message: "")))])
    ledger.end(Self.ended)
    #expect(receipt.result == .cancelled)
    #expect(ledger.token(of: receipt) == nil)
  }

  @Test func theEndSettlesWhatIsLeftAndWhatComes() {
    let ledger = StepLedger(restored: [])
    let (named, arriving, late) = (Self.receipt(), Self.receipt(), Self.receipt())
    #expect(ledger.begin(named) == nil)
    ledger.name(named, RequestToken(index: 0), [])
    #expect(ledger.begin(arriving) == nil)
    ledger.end(Self.ended)
    ledger.end(DuxClient.EndReason(code: "z", message: "again"))
    #expect(named.result == .unknown(Self.ended))
    #expect(arriving.result == .rejected(RemoteRefusal(after: Self.ended)))
    #expect(ledger.begin(late) == RemoteRefusal(after: Self.ended))
    ledger.name(arriving, RequestToken(index: 1), [])
    #expect(ledger.token(of: arriving) == nil)
  }

  @Test func whatAnEarlierRunLeftIsToldToWhoAsksLater() async {
    let ledger = StepLedger(restored: [Self.queued(0, "a"), Self.queued(1, "b")])
    let own = Self.receipt()
    #expect(ledger.begin(own) == nil)
    ledger.name(own, RequestToken(index: 2), [["type": "c"]])
    ledger.settle([
      SettledStep(RequestToken(index: 0), .cancelled),
      SettledStep(RequestToken(index: 2), .cancelled),
    ])
    let stream = ledger.settlements()
    ledger.settle([SettledStep(RequestToken(index: 1), .confirmed(seq: .init(3), changed: true))])
    ledger.end(Self.ended)
    let found = await all(of: stream)
    #expect(found.map { $0.actions.map(\.type) } == [["a"], ["b"]])
    #expect(found.map(\.isRestored) == [true, true])
    #expect(found.last?.outcome == .confirmed(Confirmation(seq: 3, changed: true)))
  }

  @Test func aReaderThatLeftIsToldNothing() async {
    let ledger = StepLedger(restored: [])
    do {
      let stream = ledger.settlements()
      let task = Task { await all(of: stream) }
      task.cancel()
      #expect(await task.value.isEmpty)
    }
    let receipt = Self.receipt()
    #expect(ledger.begin(receipt) == nil)
    ledger.name(receipt, RequestToken(index: 0), [])
    ledger.settle([SettledStep(RequestToken(index: 0), .cancelled)])
    #expect(receipt.result == .cancelled)
  }

  @Test func aStepThatIsNotTakenInIsToldToReadersToo() async {
    let ledger = StepLedger(restored: [])
    let receipt = Self.receipt()
    #expect(ledger.begin(receipt) == nil)
    let stream = ledger.settlements()
    let refusal = RemoteRefusal(code: "queue_full", reason: nil, message: "full")
    ledger.refuse(receipt, refusal, [["type": "a"]])
    ledger.refuse(receipt, refusal, [["type": "a"]])
    ledger.end(Self.ended)
    let found = await all(of: stream)
    #expect(receipt.result == .rejected(refusal))
    #expect(found.map { $0.actions.map(\.type) } == [["a"]])
    #expect(found.map(\.outcome) == [.rejected(refusal)])
    #expect(found.map(\.isRestored) == [false])
  }

  @Test func whatComesFasterThanTheStoreTakesItIsRefused() {
    let ledger = StepLedger(restored: [], room: 2)
    let receipts = (0..<3).map { _ in RemoteReceipt { _ in } }
    #expect(ledger.begin(receipts[0]) == nil)
    #expect(ledger.begin(receipts[1]) == nil)
    #expect(ledger.begin(receipts[2])?.code == RemoteRefusal.queueFullCode)
    ledger.name(receipts[0], RequestToken(index: 0), [])
    #expect(ledger.begin(receipts[2]) == nil)
  }
}
