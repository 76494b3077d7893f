import DuxJSON
import DuxLog
import DuxProtocol
import Testing

@testable import DuxEngine

/// Bytes of a text.
private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

extension OutputQueue {
  /// What would be sent up to the next turning point, a text a run.
  fileprivate var runs: [String] {
    var rest = self
    var runs: [String] = []
    let batch = SendBatch()
    var isAll = false
    repeat {
      batch.removeAll()
      isAll = rest.gather(into: batch)
      runs += batch.runs.map { String(decoding: $0, as: UTF8.self) }
      rest.consume(batch.byteCount)
    } while !isAll && !batch.isEmpty
    return runs
  }
}

struct OutputQueueTests {
  private let session = Session(
    id: ConnectionID(1), outlet: EngineHarness.Peer(ConnectionID(1)), nowMs: 0)

  private func subscription() -> Subscription {
    let channel = Channel(path: .root, withActions: false, number: 0, after: .zero)
    return Subscription(session: session, channel: channel, nowMs: 0)
  }

  @Test func `joins what is of one kind and keeps the order of kinds`() {
    var queue = OutputQueue()
    queue.append(bytes("a"))
    queue.append(bytes("b"))
    queue.append(answer: bytes("c"))
    queue.append(answer: bytes("d"))
    queue.append(bytes("e"))
    queue.append(SharedBytes(bytes("f")))
    #expect(queue.runs == ["ab", "cd", "e", "f"])
    #expect(queue.byteCount == 6)
  }

  @Test func `counts what is sent, over the borders of runs`() {
    var queue = OutputQueue()
    queue.append(bytes("abc"))
    queue.append(answer: bytes("def"))
    queue.consume(1)
    #expect(queue.isBegun)
    #expect(queue.runs == ["bc", "def"])
    queue.consume(4)
    #expect(queue.runs == ["f"])
    queue.consume(1)
    #expect(queue.isEmpty)
    #expect(!queue.isBegun)
    #expect(queue.byteCount == 0)
  }

  @Test func `nothing joins a run that is sent in part`() {
    for isAnswer in [false, true] {
      var queue = OutputQueue()
      for text in ["ab", "cd"] {
        if isAnswer { queue.append(answer: bytes(text)) } else { queue.append(bytes(text)) }
        if text == "ab" { queue.consume(1) }
      }
      #expect(queue.runs == ["b", "cd"])
    }
  }

  @Test func `nothing is gathered behind a turning point before it is passed`() {
    var queue = OutputQueue()
    queue.append(bytes("a"))
    queue.append(activationOf: subscription())
    queue.append(bytes("b"))
    #expect(queue.runs == ["a"])
    #expect(queue.turningPoint == nil)
    queue.consume(1)
    guard case .activation? = queue.turningPoint else {
      Issue.record("no activation")
      return
    }
    queue.passTurningPoint()
    #expect(queue.runs == ["b"])
  }

  @Test func `the rest of a frame counts as begun until it is sent`() {
    var queue = OutputQueue()
    queue.append(bytes("later"))
    queue.prepend(bytes("rest"))
    #expect(queue.isBegun)
    #expect(queue.runs == ["rest", "later"])
    queue.append(bytes("!"))
    queue.consume(2)
    #expect(queue.isBegun)
    queue.consume(2)
    #expect(!queue.isBegun)
    #expect(queue.runs == ["later!"])
  }

  @Test func `is split at the first answer that is not begun`() {
    var queue = OutputQueue()
    queue.append(bytes("own"))
    queue.append(answer: bytes("answer"))
    queue.append(bytes("more"))
    let rest = queue.splitAtFirstAnswer()
    #expect(queue.runs == ["own"])
    #expect(rest.runs == ["answer", "more"])
    #expect((queue.byteCount, rest.byteCount) == (3, 10))

    var begun = OutputQueue()
    begun.append(answer: bytes("first"))
    begun.consume(1)
    begun.append(answer: bytes("second"))
    let second = begun.splitAtFirstAnswer()
    #expect(begun.runs == ["irst"])
    #expect(second.runs == ["second"])
  }

  @Test func `is split at the end of a subscription, too`() {
    var queue = OutputQueue()
    queue.append(bytes("own"))
    queue.append(endingOf: subscription())
    queue.append(bytes("ended"))
    let rest = queue.splitAtFirstAnswer()
    #expect(queue.runs == ["own"])
    #expect(!rest.isEmpty)
    #expect(rest.byteCount == 5)
  }

  @Test func `a split without an answer leaves all where it is`() {
    var queue = OutputQueue()
    queue.append(bytes("own"))
    queue.append(activationOf: subscription())
    #expect(queue.splitAtFirstAnswer().isEmpty)
    #expect(queue.runs == ["own"])
  }

  @Test func `takes over another queue behind its own`() {
    var queue = OutputQueue()
    var other = OutputQueue()
    queue.append(bytes("a"))
    other.append(answer: bytes("b"))
    queue.append(other)
    #expect(queue.runs == ["a", "b"])
    #expect(queue.byteCount == 2)
  }

  @Test func `stays exact over many runs`() {
    var queue = OutputQueue()
    var sent = ""
    var expected = ""
    for index in 0..<500 {
      let text = "\(index),"
      expected += text
      if index % 2 == 0 { queue.append(bytes(text)) } else { queue.append(answer: bytes(text)) }
      if index % 3 == 0, let run = queue.runs.first {
        let piece = String(run.prefix(2))
        sent += piece
        queue.consume(piece.utf8.count)
      }
    }
    sent += queue.runs.joined()
    #expect(sent == expected)
    #expect(queue.byteCount == queue.runs.joined().utf8.count)
  }
}
