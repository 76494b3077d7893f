import DuxLog
import Testing

@testable import DuxServer

@Suite("Where a commit is made")
struct CommitPaceTests {
  @Test("a small commit on a quick disk is made at once, a large one beside the loop")
  func sizeDecides() {
    let pace = pace(of: .microseconds(300))
    #expect(pace.isBestAtOnce(commit()))
    #expect(pace.isBestAtOnce(commit(steps: 64, outcomes: 64)))
    #expect(!pace.isBestAtOnce(commit(steps: 65)))
    #expect(!pace.isBestAtOnce(commit(outcomes: 129)))
    #expect(!pace.isBestAtOnce(commit(outbox: 129)))
  }

  @Test("few steps of many bytes are no small commit")
  func bytesCount() {
    let pace = pace(of: .microseconds(300))
    #expect(pace.isBestAtOnce(commit(steps: 1, bytes: 32_768)))
    #expect(!pace.isBestAtOnce(commit(steps: 1, bytes: 32_769)))
    #expect(!pace.isBestAtOnce(commit(outbox: 1, bytes: 65_537)))
  }

  @Test("a slow disk takes commits off the loop, and a quick one brings them back")
  func slowDisk() {
    var pace = pace(of: .milliseconds(8))
    #expect(!pace.isBestAtOnce(commit(steps: 1)))
    for _ in 0..<64 { pace.note(.microseconds(200)) }
    #expect(pace.isBestAtOnce(commit(steps: 1)))
  }

  @Test("one slow commit by chance changes nothing")
  func oneOutlier() {
    var pace = pace(of: .microseconds(200))
    pace.note(.milliseconds(4))
    #expect(pace.isBestAtOnce(commit(steps: 1)))
  }

  @Test("a turn makes four commits at once, whatever they are, and the next one as many")
  func fewInATurn() {
    var pace = pace(of: .microseconds(200))
    for _ in 0..<2 {
      pace.beginTurn()
      for _ in 0..<4 {
        #expect(pace.isBestAtOnce(commit(steps: 1)))
        pace.noteMade()
      }
      #expect(!pace.isBestAtOnce(commit(steps: 1)))
    }
  }

  @Test("a clock that jumps does not trap", arguments: [Duration.seconds(Int64.max), .seconds(-5)])
  func oddDurations(_ duration: Duration) {
    #expect(pace(of: duration).isBestAtOnce(commit(steps: 1)) == (duration < .zero))
  }

  private func pace(of duration: Duration) -> CommitPace {
    var pace = CommitPace()
    for _ in 0..<100 { pace.note(duration) }
    return pace
  }

  /// A commit of steps with so many bytes of actions and of patch each, and outbox rows of as many.
  private func commit(
    steps: Int64 = 0, outcomes: Int64 = 0, outbox: Int = 0, bytes: Int = 100
  ) -> Commit {
    let text = [UInt8](repeating: 0x20, count: bytes)
    let entries = (0..<steps).map {
      LogEntry(
        seq: SequenceNumber($0 + 1), time: 0, client: "c", n: $0 + 1, actions: text, patch: text)
    }
    let known = (0..<outcomes).map {
      Outcome(
        n: $0 + 1, bodyDigest: 0,
        result: .accepted(seq: SequenceNumber($0 + 1), changed: true))
    }
    return Commit(
      entries: entries, outcomes: known.isEmpty ? [] : [.init(client: "c", outcomes: known)],
      outbox: (0..<outbox).map { .put(OutboxRow(key: String($0), bytes: text)) }, time: 0)
  }
}
