import DuxJSON
import DuxLog
import Testing

@testable import dux

@Suite struct ActionLogTests {
  private func entry(_ seq: Int64, type: String = "doc/set") -> LoggedStep {
    LoggedStep([
      "seq": .integer(seq), "time": .integer(1_000 + seq), "client": "tty1",
      "actions": [["type": .string(type), "payload": ["path": "/a", "value": .integer(seq)]]],
      "patch": [["op": "replace", "path": "/a", "value": .integer(seq)]],
    ])
  }

  private func log(_ seqs: ClosedRange<Int64>) -> ActionLog {
    var log = ActionLog()
    for seq in seqs { log.take(entry(seq)) }
    return log
  }

  private func seqs(_ log: ActionLog) -> [Int64] {
    log.entries.reversed().map(\.seq.value)
  }

  @Test func theNewestStepIsOnTop() {
    #expect(seqs(log(1...4)) == [4, 3, 2, 1])
    #expect(log(1...4).selected?.seq.value == 4)
  }

  @Test func aStepIsTakenOnce() {
    var log = log(1...3)
    log.take(entry(3))
    #expect(seqs(log) == [3, 2, 1])
  }

  @Test func followingKeepsTheNewestOnly() {
    let log = log(1...10_000)
    #expect(log.entries.last?.seq.value == 10_000)
    #expect(log.entries.count >= ActionLog.liveLimit)
    #expect(log.entries.count <= ActionLog.liveLimit * 5 / 4)
    #expect(log.hasOlder)
  }

  @Test func aPausedLogStandsStillAndCountsWhatItMisses() {
    var log = log(1...5)
    log.pause()
    for seq in 6...8 { log.take(entry(Int64(seq))) }
    #expect(seqs(log) == [5, 4, 3, 2, 1] && log.unseenCount == 3)
    log.follow()
    #expect(seqs(log).first == 8 && log.unseenCount == 0)
  }

  @Test func selectingAnOlderStepHoldsItInPlace() {
    var log = log(1...5)
    log.select(row: 2)
    log.take(entry(6))
    #expect(log.isPaused && log.selected?.seq.value == 3 && log.selectedRow == 2)
  }

  @Test func olderStepsAreAskedForInPagesUntilThereAreNone() {
    var log = ActionLog()
    let first = log.older(newest: SequenceNumber(500))
    #expect(first?.after.value == 300 && first?.limit == 200)
    let again = log.older(newest: SequenceNumber(500))
    #expect(again == nil)
    log.take(older: (301...500).map { entry($0) })
    #expect(log.entries.count == 200)
    log.pause()
    let second = log.older(newest: SequenceNumber(500))
    #expect(second?.after.value == 100 && second?.limit == 200)
    log.take(older: (101...300).map { entry($0) })
    let third = log.older(newest: SequenceNumber(500))
    #expect(third?.after.value == 0 && third?.limit == 100)
    log.take(older: (1...100).map { entry($0) })
    #expect(log.entries.count == 500 && !log.hasOlder)
    let fourth = log.older(newest: SequenceNumber(500))
    #expect(fourth == nil)
  }

  @Test func stepsThatAreNoLongerKeptEndTheScroll() {
    var log = log(100...110)
    _ = log.older(newest: SequenceNumber(110))
    log.failOlder()
    #expect(!log.hasOlder && log.entries.count == 11)
    var torn = self.log(100...110)
    _ = torn.older(newest: SequenceNumber(110))
    torn.take(older: (80...90).map { entry($0) })
    #expect(torn.entries.count == 11 && !torn.hasOlder)
  }

  @Test func whatIsScrolledBackToIsBoundedAndStaysWithoutAHole() {
    var log = log(20_001...20_010)
    log.pause()
    for _ in 0..<60 {
      guard let range = log.older(newest: SequenceNumber(20_010)) else { break }
      let last = range.after.value + Int64(range.limit)
      log.take(older: (range.after.value + 1...last).map { entry($0) })
    }
    #expect(log.entries.count == ActionLog.heldLimit)
    #expect(zip(log.entries, log.entries.dropFirst()).allSatisfy { $1.seq == $0.seq.next })
    log.follow()
    #expect(log.entries.last?.seq.value == 20_010)
  }

  @Test func aNewCopyBeginsANewLogButKeepsTheTypes() {
    var log = log(1...5)
    log.restart()
    #expect(log.entries.isEmpty && log.types == ["doc/set"])
  }

  @Test func changesTellWhatWasThereBefore() throws {
    let patch = try JSONPatch([
      ["op": "replace", "path": "/a", "value": 2], ["op": "remove", "path": "/b"],
      ["op": "add", "path": "/l/0", "value": "new"],
    ])
    let entry = LoggedStep(
      ["seq": 1, "actions": [["type": "x", "payload": ["k": 1]]]], patch: patch,
      before: ["a": 1, "b": [1], "l": ["old"]])
    #expect(entry.changesText == "~ /a 1 → 2, - /b (was [1]), + /l/0 \"new\"")
    #expect(entry.payloadText == "{\"k\":1}")
    #expect(self.entry(4).changesText == "~ /a = 4")
  }

  @Test func hugeStepsAreKeptByTheirBytes() {
    var log = ActionLog()
    let text = String(repeating: "x", count: 4 << 20)
    for seq in 1...20 {
      log.take(
        LoggedStep([
          "seq": .integer(Int64(seq)), "actions": [["type": "t", "payload": .string(text)]],
        ]))
    }
    #expect(log.entries.count < 10 && log.entries.last?.seq.value == 20)
  }
}
