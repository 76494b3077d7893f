import DuxJSON
import DuxLog
import Testing

@testable import DuxEngine

struct FrameRingTests {
  /// A ring of frames with rising gaps between their seqs, each as long as its seq says.
  private func ring(_ seqs: [Int64], after floor: Int64 = 0) -> FrameRing {
    let ring = FrameRing(after: SequenceNumber(floor))
    for seq in seqs { append(seq, to: ring) }
    return ring
  }

  private func append(_ seq: Int64, to ring: FrameRing) {
    let frame = [UInt8](repeating: UInt8(truncatingIfNeeded: seq), count: Int(seq) * 100)
    _ = frame.withUnsafeBytes { ring.append($0, seq: SequenceNumber(seq)) }
  }

  private func bytes(of ring: FrameRing, from start: Int64) -> [UInt8] {
    var offset = start
    var bytes: [UInt8] = []
    while true {
      let run = ring.bytes(from: offset)
      if run.isEmpty { return bytes }
      bytes += run
      offset += Int64(run.count)
    }
  }

  private let seqs: [Int64] = [2, 3, 7, 8, 20, 21, 22, 40, 41]

  @Test func `finds the frame after every seq, and its bytes`() {
    let ring = ring(seqs)
    for seq in Int64(0)...50 {
      let expected = seqs.filter { $0 > seq }.flatMap {
        [UInt8](repeating: UInt8($0), count: Int($0) * 100)
      }
      guard let offset = ring.offset(after: SequenceNumber(seq)) else {
        Issue.record("nothing after \(seq)")
        continue
      }
      #expect(bytes(of: ring, from: offset) == expected, "after \(seq)")
    }
  }

  @Test func `knows at each byte which frame ends next`() {
    let ring = ring(seqs)
    var start: Int64 = 0
    var former: Int64 = 0
    for seq in seqs {
      let atStart = ring.boundary(atOrAfter: start)
      #expect(atStart.offset == start && atStart.seq == SequenceNumber(former))
      let end = start + seq * 100
      for offset in [start + 1, (start + end) / 2, end - 1] {
        let boundary = ring.boundary(atOrAfter: offset)
        #expect(boundary.offset == end && boundary.seq == SequenceNumber(seq))
      }
      former = seq
      start = end
    }
    #expect(ring.boundary(atOrAfter: start).seq == SequenceNumber(41))
  }

  @Test func `drops the oldest frames and says so`() {
    let ring = ring(seqs)
    while let block = ring.oldestBlock {
      let start = block.startOffset
      let last = block.frames.last?.seq ?? .zero
      ring.dropOldestBlock()
      #expect(block.isDropped)
      #expect(ring.floor == last)
      #expect(ring.offset(after: last) == ring.startOffset)
      #expect(ring.offset(after: last.previous) == nil)
      #expect(ring.bytes(from: start).isEmpty)
    }
    #expect(ring.startOffset == ring.endOffset)
    append(60, to: ring)
    #expect(ring.offset(after: SequenceNumber(41)) == ring.startOffset)
    #expect(bytes(of: ring, from: ring.startOffset).count == 6_000)
  }

  @Test func `takes a frame longer than any block`() {
    let ring = ring([1, 1_000, 1_001])
    #expect(bytes(of: ring, from: 0).count == 200_200)
    #expect(ring.offset(after: SequenceNumber(1)) == 100)
  }

  @Test func `goes on after a restart from another place`() {
    let ring = ring(seqs)
    ring.restart(after: SequenceNumber(100))
    #expect(ring.offset(after: SequenceNumber(99)) == nil)
    #expect(ring.offset(after: SequenceNumber(100)) == ring.endOffset)
  }

  @Test func `an empty ring has what comes after its floor`() {
    let ring = ring([], after: 5)
    #expect(ring.offset(after: SequenceNumber(4)) == nil)
    #expect(ring.offset(after: SequenceNumber(5)) == 0)
    #expect(ring.boundary(atOrAfter: 0).seq == SequenceNumber(5))
  }
}

struct RingBlocksTests {
  @Test func `a block that is given up does not keep its memory`() {
    let channel = Channel(path: .root, withActions: false, number: 0, after: .zero)
    var blocks = RingBlocks()
    weak var first: FrameRing.Block?
    do {
      let frame = [UInt8](repeating: 1, count: 100)
      let block = frame.withUnsafeBytes { channel.ring.append($0, seq: SequenceNumber(1)) }
      guard let block else {
        Issue.record("no block was begun")
        return
      }
      blocks.add(block, of: channel)
      first = block
    }
    #expect(blocks.byteCount == 4_096)
    #expect(blocks.popOldest() === channel)
    channel.ring.dropOldestBlock()
    #expect(first == nil)
    #expect(blocks.byteCount == 0)
    #expect(blocks.popOldest() == nil)
  }

  @Test func `blocks that their channel dropped are passed over`() {
    var blocks = RingBlocks()
    let channels = (0..<3).map {
      Channel(path: .root, withActions: false, number: $0, after: .zero)
    }
    for (index, channel) in channels.enumerated() {
      let block = [UInt8](repeating: 1, count: 10).withUnsafeBytes {
        channel.ring.append($0, seq: SequenceNumber(Int64(index) + 1))
      }
      if let block { blocks.add(block, of: channel) }
    }
    channels[0].ring.dropAll()
    #expect(blocks.popOldest() === channels[1])
    #expect(blocks.byteCount == 4_096)
  }
}
