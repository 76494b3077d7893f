package import DuxLog
import Glibc

/// The recent frames of one channel, encoded once, end to end in a few fixed blocks of memory.
///
/// A place in it is a byte offset that only grows, so a reader is a number, and what a reader
/// lacks is one run of bytes a block. The oldest blocks are dropped to bound the memory.
///
/// - Invariant: the blocks hold the bytes `startOffset..<endOffset` without a gap, and a frame
///   never lies in two blocks.
package final class FrameRing {
  /// A run of whole frames.
  package final class Block {
    let startOffset: Int64
    let memory: UnsafeMutableRawBufferPointer
    @exclusivity(unchecked) fileprivate(set) var usedBytes = 0
    /// Where each frame ends (bytes into the block), and its seq.
    @exclusivity(unchecked) fileprivate(set) var frames: [(seq: SequenceNumber, end: Int)] = []
    fileprivate(set) var isDropped = false

    fileprivate init(startOffset: Int64, capacity: Int) {
      self.startOffset = startOffset
      self.memory = .allocate(byteCount: capacity, alignment: 8)
    }

    deinit {
      memory.deallocate()
    }

    var endOffset: Int64 { startOffset + Int64(usedBytes) }

    /// The bytes from a place in the block to its end.
    fileprivate func bytes(from offset: Int64) -> UnsafeRawBufferPointer {
      let start = Int(offset - startOffset)
      return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory)[start..<usedBytes])
    }
  }

  private static let blockBytes = 4_096...65_536

  @exclusivity(unchecked) private var blocks: [Block] = []
  /// The place after the newest frame.
  @exclusivity(unchecked) package private(set) var endOffset: Int64 = 0
  /// Every frame after this seq is in the ring.
  private(set) var floor: SequenceNumber

  /// Makes an empty ring that continues after `floor`.
  package init(after floor: SequenceNumber) {
    self.floor = floor
  }

  /// The place of the oldest frame.
  package var startOffset: Int64 { blocks.first?.startOffset ?? endOffset }

  var oldestBlock: Block? { blocks.first }

  /// Adds the frame of one seq, larger than all before.
  ///
  /// - Returns: the block that was begun for it, if one was.
  package func append(_ frame: UnsafeRawBufferPointer, seq: SequenceNumber) -> Block? {
    var begun: Block?
    let last = blocks.last
    let block: Block
    if let last, last.memory.count - last.usedBytes >= frame.count {
      block = last
    } else {
      let wanted = (last?.memory.count ?? 0) * 2
      let capacity = min(max(wanted, Self.blockBytes.lowerBound), Self.blockBytes.upperBound)
      block = Block(startOffset: endOffset, capacity: max(capacity, frame.count))
      blocks.append(block)
      begun = block
    }
    if let source = frame.baseAddress, let target = block.memory.baseAddress {
      memcpy(target + block.usedBytes, source, frame.count)
    }
    block.usedBytes += frame.count
    block.frames.append((seq, block.usedBytes))
    endOffset += Int64(frame.count)
    return begun
  }

  /// Drops the oldest block.
  package func dropOldestBlock() {
    guard !blocks.isEmpty else { return }
    let block = blocks.removeFirst()
    block.isDropped = true
    floor = block.frames.last?.seq ?? floor
  }

  /// Drops all, and goes on after `seq`.
  func restart(after seq: SequenceNumber) {
    dropAll()
    floor = seq
  }

  /// Drops all.
  func dropAll() {
    while !blocks.isEmpty { dropOldestBlock() }
  }

  /// Where the first frame after `seq` begins; `nil` when older frames than that are gone.
  ///
  /// - Complexity: O(blocks + log frames).
  func offset(after seq: SequenceNumber) -> Int64? {
    guard seq >= floor else { return nil }
    guard let block = blocks.first(where: { ($0.frames.last?.seq ?? .zero) > seq }) else {
      return endOffset
    }
    let index = block.frames.partitioningIndex { $0.seq > seq }
    let start = index == 0 ? 0 : block.frames[index - 1].end
    return block.startOffset + Int64(start)
  }

  /// The first boundary between frames at or after `offset`, and the seq of the frame before it.
  func boundary(atOrAfter offset: Int64) -> (seq: SequenceNumber, offset: Int64) {
    var seq = floor
    for block in blocks {
      guard offset < block.endOffset else {
        seq = block.frames.last?.seq ?? seq
        continue
      }
      let inside = Int(offset - block.startOffset)
      guard inside > 0 else { return (seq, offset) }
      let frame = block.frames[block.frames.partitioningIndex { $0.end >= inside }]
      return (frame.seq, block.startOffset + Int64(frame.end))
    }
    return (seq, offset)
  }

  /// The bytes from `offset` to the end of its block; empty at the ring's end.
  ///
  /// They stay in place until the block is dropped.
  ///
  /// - Complexity: O(log blocks).
  package func bytes(from offset: Int64) -> UnsafeRawBufferPointer {
    guard offset < endOffset else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    // Nearly all who ask lack the newest frames only.
    if let last = blocks.last, offset >= last.startOffset { return last.bytes(from: offset) }
    let index = blocks.partitioningIndex { $0.endOffset > offset }
    guard index < blocks.count, offset >= blocks[index].startOffset else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return blocks[index].bytes(from: offset)
  }
}

extension Array {
  /// The first index whose element satisfies a predicate that, once true, stays true.
  func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
