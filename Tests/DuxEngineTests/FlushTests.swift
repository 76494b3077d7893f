import DuxJSON
import Testing

@testable import DuxEngine

struct SendBatchTests {
  private let batch = SendBatch()

  @Test func `a batch takes runs until it is full`() {
    let text: StaticString = "abc"
    let run = UnsafeRawBufferPointer(start: text.utf8Start, count: 3)
    for index in 0..<SendBatch.capacity + 5 { batch.append(run, from: index) }
    #expect(batch.isFull)
    #expect(batch.runs.count == SendBatch.capacity)
    #expect(batch.byteCount == 3 * SendBatch.capacity)
    batch.removeAll()
    #expect(batch.isEmpty && batch.byteCount == 0 && batch.runs.isEmpty)
  }

  @Test(arguments: [
    (0, []), (1, ["7: 1 of 3"]), (3, ["7: 3 of 3"]), (4, ["7: 3 of 3", "-1: 1 of 2"]),
    (5, ["7: 3 of 3", "-1: 2 of 2"]), (9, ["7: 3 of 3", "-1: 2 of 2"]),
  ])
  func `what was taken is told run by run`(taken: Int, expected: [String]) {
    let text: StaticString = "abcde"
    batch.append(UnsafeRawBufferPointer(start: text.utf8Start, count: 3), from: 7)
    batch.append(UnsafeRawBufferPointer(start: text.utf8Start, count: 2), from: SendBatch.queue)
    var told: [String] = []
    batch.forEachSent(of: taken) { told.append("\($0): \($2) of \($1)") }
    #expect(told == expected)
  }
}

struct FlushTests {
  private let harness: EngineHarness

  init() throws {
    harness = try EngineHarness()
  }

  @Test func `one send carries all frames of a group, and the answer`() {
    let peer = harness.connect(as: "a")
    harness.send(#"{"op":"subscribe","path":""}"#, on: peer)
    _ = peer.takeLines()
    let before = peer.writeCount
    let steps = (1...20).map {
      #"{"op":"dispatch","n":\#($0),"action":{"type":"doc/set","payload":{"path":"/a","value":\#($0)}}}"#
    }
    harness.sendBytes(Array((steps.joined(separator: "\n") + "\n").utf8), on: peer)
    #expect(
      peer.takeOps() == Array(repeating: "patch", count: 20) + Array(repeating: "ack", count: 20))
    #expect(peer.writeCount == before + 1)
  }

  @Test func `answers go out before others are sent frames`() {
    let listeners = (0..<3).map { harness.connect(as: "l\($0)") }
    for listener in listeners { harness.send(#"{"op":"subscribe","path":""}"#, on: listener) }
    let writer = harness.connect(as: "w")
    harness.set("/a", to: 1, on: writer, from: 1)
    let last = [writer, listeners[0], listeners[1], listeners[2]].map(\.lastWrite)
    #expect(last == last.sorted() && Set(last).count == 4)
  }

  @Test func `who takes nothing is not offered anything until it does again`() {
    let peer = harness.connect(as: "a")
    harness.send(#"{"op":"subscribe","path":""}"#, on: peer)
    let writer = harness.connect(as: "w")
    peer.isBlocked = true
    let before = peer.writeCount
    harness.set("/a", to: 1, 2, 3, on: writer, from: 1)
    #expect(peer.writeCount == before)
    peer.isBlocked = false
    _ = peer.takeLines()
    harness.give(room: nil, to: peer)
    #expect(peer.takeOps() == ["patch", "patch", "patch"])
    #expect(peer.writeCount == before + 1)
  }

  @Test func `a send of more runs than fit into one goes on with the rest`() throws {
    let harness = try EngineHarness(ringBytes: 16 << 20, limits: .test)
    let peer = harness.connect(as: "a")
    harness.send(#"{"op":"subscribe","path":""}"#, on: peer)
    let writer = harness.connect(as: "w")
    _ = peer.takeLines()
    peer.isBlocked = true
    let value = JSON.string(String(repeating: "x", count: 60_000))
    let count = SendBatch.capacity + 8
    for n in 1...count { harness.set("/a", to: value, on: writer, from: Int64(n)) }
    peer.isBlocked = false
    harness.give(room: nil, to: peer)
    #expect(peer.takeLines().compactMap { $0["seq"] } == (1...count).map { .integer(Int64($0)) })
  }
}
