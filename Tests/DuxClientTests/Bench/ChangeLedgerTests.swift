import Testing

@testable import dux

/// Every check of a load run, shown to fire and to be silent.
struct ChangeLedgerTests {
  /// A ledger of one writer, to which changes 0… were sent at times 0….
  private func ledger(_ count: Int64, subscribers: Int = 2, limit: Int = 1_000) -> ChangeLedger {
    var ledger = ChangeLedger(writers: 2, subscribers: subscribers, inFlightLimit: limit)
    ledger.window = 0..<1_000
    for change in 0..<count { _ = ledger.send(by: 0, due: change) }
    return ledger
  }

  /// Acks changes and shows them to subscribers, as a daemon should; the seq is ten more.
  private func settle(
    _ ledger: inout ChangeLedger, _ changes: some Sequence<Int64>,
    seenBy subscribers: [Int] = [0, 1]
  ) {
    for change in changes {
      for subscriber in subscribers {
        ledger.deliver(change, seq: change + 10, to: subscriber, at: change + 50)
      }
      ledger.acknowledge(change, seq: change + 10, by: 0, at: change + 100)
    }
  }

  @Test func aRunInWhichAllHoldsHasNoFaults() {
    var ledger = ledger(5)
    settle(&ledger, 0..<5)
    #expect(ledger.isSettled)
    #expect(ledger.finalFaults() == LoadFaults())
    #expect(ledger.finalFaults().sentences.isEmpty)
    #expect(ledger.acked == 5)
    #expect(ledger.delivered == 10)
    #expect(ledger.ackTimes.value(at: 1) == 100)
    #expect(ledger.lastTimes.value(at: 1) == 50)
    #expect(ledger.lastTimes.count == 5)
  }

  @Test func aDeliveryThatIsMissingIsLost() {
    var ledger = ledger(5)
    settle(&ledger, [0, 1])
    settle(&ledger, [2], seenBy: [0])
    settle(&ledger, [3, 4])
    #expect(!ledger.isSettled)
    let faults = ledger.finalFaults()
    #expect(faults.lost == 1)
    #expect(faults.firstLoser == 1)
    #expect(faults.repeated + faults.reordered == 0)
    #expect(faults.sentences == ["1 delivery was lost, the first at subscriber 1"])
    #expect(faults.withoutMissing.sentences.isEmpty)
  }

  @Test func aDeliveryThatNobodyGotIsLostForAll() {
    var ledger = ledger(2)
    settle(&ledger, [0])
    settle(&ledger, [1], seenBy: [])
    #expect(ledger.finalFaults().lost == 2)
  }

  @Test func aDeliveryThatComesAgainIsRepeated() {
    var ledger = ledger(3)
    settle(&ledger, [0])
    // Everybody has seen it: it has left.
    ledger.deliver(0, seq: 10, to: 1, at: 60)
    ledger.deliver(1, seq: 11, to: 0, at: 60)
    ledger.deliver(1, seq: 11, to: 0, at: 60)
    settle(&ledger, [1], seenBy: [1])
    settle(&ledger, [2])
    let faults = ledger.finalFaults()
    #expect(faults.repeated == 2)
    #expect(faults.lost + faults.reordered == 0)
    #expect(faults.sentences == ["2 deliveries came twice"])
  }

  @Test func aDeliveryThatComesBehindALaterOneIsOutOfOrder() {
    var ledger = ledger(3)
    settle(&ledger, 0..<3, seenBy: [0])
    for change in [0, 2, 1] as [Int64] { ledger.deliver(change, seq: change + 10, to: 1, at: 99) }
    let faults = ledger.finalFaults()
    #expect(faults.reordered == 1)
    #expect(faults.lost + faults.repeated == 0)
    #expect(faults.sentences == ["1 delivery came out of order"])
  }

  @Test func aChangeOutOfOrderThatComesAgainIsAlsoRepeated() {
    var ledger = ledger(4)
    settle(&ledger, 0..<4, seenBy: [0])
    for change in [0, 3, 2, 1, 2, 3] as [Int64] {
      ledger.deliver(change, seq: change + 10, to: 1, at: 99)
    }
    let faults = ledger.finalFaults()
    #expect(faults.reordered == 2)
    #expect(faults.repeated == 2)
    #expect(faults.lost == 0)
  }

  @Test func lossAndRepeatsAtTheSameSubscriberAreToldApart() {
    var ledger = ledger(100, subscribers: 1)
    for change in 0..<100 as Range<Int64> {
      for _ in 0..<(change % 7 == 6 ? 0 : change % 10 == 9 ? 2 : 1) {
        // Somebody else's steps have seqs too.
        ledger.deliver(change, seq: change * 3 + 10, to: 0, at: 9)
      }
      ledger.acknowledge(change, seq: change * 3 + 10, by: 0, at: 9)
    }
    let faults = ledger.finalFaults()
    #expect(faults.lost == 14)
    #expect(faults.repeated == 9)
    #expect(faults.reordered == 0)
  }

  @Test func oneThatIsLostHereAndRepeatedThereIsBoth() {
    var ledger = ledger(2)
    settle(&ledger, [0, 1], seenBy: [0])
    ledger.deliver(0, seq: 10, to: 0, at: 99)
    ledger.deliver(1, seq: 11, to: 1, at: 99)
    let faults = ledger.finalFaults()
    #expect(faults.lost == 1)
    #expect(faults.repeated == 1)
    #expect(faults.reordered == 0)
  }

  @Test func aSeqThatOthersTellDifferentlyIsAMismatch() {
    var ledger = ledger(2, subscribers: 1)
    ledger.deliver(0, seq: 10, to: 0, at: 50)
    ledger.acknowledge(0, seq: 11, by: 0, at: 100)
    ledger.acknowledge(1, seq: 12, by: 0, at: 100)
    ledger.deliver(1, seq: 13, to: 0, at: 150)
    #expect(ledger.finalFaults().mismatched == 2)
    #expect(ledger.finalFaults().sentences == ["2 changes were told under two seqs"])
  }

  @Test func aChangeThatWasNeverSentIsAStranger() {
    var ledger = ledger(1)
    ledger.deliver(1, seq: 10, to: 0, at: 50)
    ledger.deliverStranger(seq: 11, to: 1)
    #expect(ledger.finalFaults().strangers == 2)
    #expect(ledger.delivered == 0)
  }

  @Test func anAckOfNothingOnItsWayIsAStray() {
    var ledger = ledger(2, subscribers: 0)
    ledger.acknowledge(0, seq: 1, by: 0, at: 9)
    ledger.acknowledge(0, seq: 1, by: 0, at: 9)
    ledger.acknowledge(1, seq: 2, by: 1, at: 9)
    ledger.acknowledge(2, seq: 3, by: 0, at: 9)
    ledger.acknowledge(-1, seq: 4, by: 0, at: 9)
    #expect(ledger.finalFaults().strayAcks == 4)
    #expect(ledger.acked == 1)
    #expect(ledger.inFlight == 1)
  }

  @Test func acksOfOneWriterComeInItsOrder() {
    var later = ledger(2, subscribers: 0)
    later.acknowledge(1, seq: 2, by: 0, at: 9)
    later.acknowledge(0, seq: 3, by: 0, at: 9)
    #expect(later.finalFaults().disorderedAcks == 1)
    var falling = ledger(2, subscribers: 0)
    falling.acknowledge(0, seq: 3, by: 0, at: 9)
    falling.acknowledge(1, seq: 2, by: 0, at: 9)
    #expect(falling.finalFaults().disorderedAcks == 1)
  }

  @Test func anActionThatIsNeverAnsweredIsMissed() {
    var ledger = ledger(3)
    settle(&ledger, [0, 1])
    #expect(ledger.finalFaults().sentences == ["1 action was never answered"])
    #expect(ledger.finalFaults().withoutMissing.sentences.isEmpty)
  }

  @Test func aRefusalIsAFaultAndNobodyHasToSeeTheChange() {
    var ledger = ledger(2)
    ledger.refuse(0, by: 0, "storage_full: no space")
    settle(&ledger, [1])
    #expect(ledger.isSettled)
    #expect(ledger.finalFaults().sentences == ["1 action was refused (storage_full: no space)"])
    #expect(ledger.acked == 1)
  }

  @Test func aRefusedChangeThatIsSeenAllTheSameIsAMismatch() {
    var ledger = ledger(1)
    ledger.deliver(0, seq: 10, to: 0, at: 50)
    ledger.refuse(0, by: 0, "rejected")
    #expect(ledger.finalFaults().mismatched == 1)
  }

  @Test func aSnapshotStandsForTheChangesItHoldsAndIsAFaultOfItsOwn() {
    var ledger = ledger(5)
    settle(&ledger, 0..<2)
    settle(&ledger, 2..<3, seenBy: [0])
    // Of change 3 nobody knows the seq yet when the other subscriber gets the state at 13.
    ledger.replace(upTo: 13, for: 1)
    settle(&ledger, 3..<4, seenBy: [0])
    settle(&ledger, 4..<5)
    #expect(ledger.isSettled)
    let faults = ledger.finalFaults()
    #expect(faults.snapshots == 1)
    #expect(faults.replaced == 2)
    #expect(faults.lost == 0)
    #expect(
      faults.sentences == ["1 snapshot stood for 2 changes: a subscriber was too far behind"])
  }

  @Test func thereIsRoomForWhatIsAllowedOnItsWay() {
    var ledger = ledger(3, subscribers: 0, limit: 3)
    #expect(ledger.send(by: 0, due: 9) == nil)
    ledger.acknowledge(0, seq: 1, by: 0, at: 9)
    #expect(ledger.send(by: 1, due: 9) == 3)
    #expect(ledger.writers[1].inFlight == 1)
  }

  @Test func manyMayBeOnTheirWayWhileTheFirstIsNotSeen() {
    var ledger = ledger(5_000, subscribers: 1, limit: 10_000)
    settle(&ledger, 1..<5_000, seenBy: [])
    for change in 0..<5_000 as Range<Int64> {
      ledger.deliver(change, seq: change + 10, to: 0, at: 1)
    }
    #expect(!ledger.isSettled)
    #expect(ledger.finalFaults().unanswered == 1)
    #expect(ledger.finalFaults().lost == 0)
  }

  @Test func onlyTheWindowCounts() {
    var ledger = ledger(0, subscribers: 1)
    ledger.window = 100..<200
    for due in [99, 100, 199, 200] as [Int64] {
      guard let change = ledger.send(by: 0, due: due) else { continue }
      ledger.deliver(change, seq: change + 10, to: 0, at: due)
      ledger.acknowledge(change, seq: change + 10, by: 0, at: due)
    }
    #expect(ledger.ackedInWindow == 2)
    #expect(ledger.ackTimes.count == 2)
    #expect(ledger.lastTimes.count == 2)
    #expect(ledger.acked == 4)
  }
}
