import DuxLog
import Testing

@testable import DuxEngine

struct ClientRecordTests {
  private func outcome(_ n: Int64) -> Outcome {
    Outcome(
      n: n, bodyDigest: UInt64(n), result: .accepted(seq: SequenceNumber(n), changed: true))
  }

  private func isKnown(_ n: Int64, to client: ClientRecord) -> Bool {
    guard case .known(let found) = client.knowledge(of: n) else { return false }
    return found == outcome(n)
  }

  @Test func `knows its outcomes by number, gaps between them, before and after they are durable`()
  {
    let client = ClientRecord(name: "c", lastN: 5)
    for n in [7, 9, 20] as [Int64] { client.note(outcome(n)) }
    for _ in 0..<2 {
      for n in [7, 9, 20] as [Int64] { #expect(isKnown(n, to: client)) }
      for n in [1, 5, 6, 8, 19] as [Int64] {
        guard case .old = client.knowledge(of: n) else {
          Issue.record("\(n) is not old")
          continue
        }
      }
      guard case .new = client.knowledge(of: 21) else {
        Issue.record("21 is not new")
        return
      }
      _ = client.takeCollected()
      client.settle()
    }
    #expect(client.isSettled)
  }

  @Test func `a group takes what came since the one before`() {
    let client = ClientRecord(name: "c", lastN: 0)
    client.note(outcome(1))
    client.note(outcome(2))
    #expect(client.hasCollected)
    #expect(client.takeCollected().map(\.n) == [1, 2])
    #expect(!client.hasCollected)
    client.note(outcome(3))
    client.settle()
    #expect(!client.isSettled)
    #expect(client.takeCollected().map(\.n) == [3])
    client.settle()
    #expect(client.isSettled)
  }

  @Test func `drops what did not reach the disk, so that its numbers are new again`() {
    let client = ClientRecord(name: "c", lastN: 0)
    client.note(outcome(1))
    _ = client.takeCollected()
    client.settle()
    client.note(outcome(2))
    _ = client.takeCollected()
    client.note(outcome(3))
    client.dropUnsettled()
    #expect(client.isSettled)
    #expect(client.lastN == 1)
    #expect(client.isNew(2))
    #expect(isKnown(1, to: client))
    client.note(outcome(2))
    #expect(client.takeCollected().map(\.n) == [2])
  }

  @Test(arguments: [1, 7, 300, 2_000])
  func `forgets the oldest durable outcomes, and keeps the last 64`(groupSize: Int) {
    let client = ClientRecord(name: "c", lastN: 0)
    var n: Int64 = 0
    while n < 2_000 {
      for _ in 0..<groupSize {
        n += 1
        client.note(outcome(n))
      }
      _ = client.takeCollected()
      // One more is on its way when the group settles.
      n += 1
      client.note(outcome(n))
      client.settle()
      for known in max(1, n - 64)...n { #expect(isKnown(known, to: client)) }
      #expect(!isKnown(n - 129, to: client))
    }
    for _ in 0..<groupSize {
      n += 1
      client.note(outcome(n))
    }
    _ = client.takeCollected()
    client.settle()
    #expect(client.isSettled)
    #expect(client.lastN == n)
    for known in max(1, n - 63)...n { #expect(isKnown(known, to: client)) }
    #expect(!isKnown(n - 129, to: client))
  }
}
