/// What a tree holds: the members of an object or the elements of an array.
///
/// One engine serves both; a kind tells it how an entry weighs and what a parent keeps of a child.
protocol TreeKind {
  /// One member or element.
  associatedtype Entry
  /// What a parent keeps beside each child, to find a place without touching the child.
  associatedtype Mark

  /// The size of an entry in memory, its trailing comma included.
  static func size(at entry: UnsafePointer<Entry>) -> TreeSize
  /// The part of the size that a change of the entry where it lies can change.
  static func valueSize(at entry: UnsafePointer<Entry>) -> TreeSize
  /// Begins to fetch what the value of an entry has elsewhere in memory.
  static func prefetchValue(at entry: UnsafePointer<Entry>)
  /// The depth in the size of an entry.
  static func depth(of entry: borrowing Entry) -> UInt32
  /// Ends the slots of a dying node; concrete, since the end of a generic class is not specialized.
  static func deinitializeSlots(of node: Node<Self>)
  /// The mark of a child that is not empty.
  static func mark(of node: Node<Self>) -> Mark
  /// Whether a mark is the one that the child should have.
  static func isMark(_ mark: Mark, of node: Node<Self>) -> Bool
  /// Brings a mark up to date after entries of the child were added or removed.
  static func refresh(_ mark: inout Mark, from node: Node<Self>, firstEntryTouched: Bool)
}

/// How much canonical text a part of a tree makes and how deep it nests; both saturate.
struct TreeSize: Equatable {
  var bytes: Int
  var depth: UInt32

  static let zero = TreeSize(bytes: 0, depth: 0)

  /// The size of two neighbours together.
  @inline(__always)
  static func + (left: TreeSize, right: TreeSize) -> TreeSize {
    TreeSize(
      bytes: left.bytes.addingSaturating(right.bytes), depth: max(left.depth, right.depth))
  }
}

extension Int {
  /// The sum, or the greatest integer where that would overflow.
  @inline(__always)
  func addingSaturating(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}

/// The slot to take at each level of a tree, from the leaf (level 0) up.
struct SlotPath {
  /// The levels below 8, which are all of them in any tree of less than millions of entries.
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// The slot at a level below 16.
  @inline(__always)
  subscript(level: Int) -> Int {
    get {
      let word = level < 8 ? low : high
      return Int(UInt8(truncatingIfNeeded: word &>> UInt64(truncatingIfNeeded: (level & 7) &* 8)))
    }
    set {
      precondition(level < 16 && newValue < 256, "a tree of at most 16 levels")
      let shift = UInt64(truncatingIfNeeded: (level & 7) &* 8)
      let slot = UInt64(truncatingIfNeeded: newValue) &<< shift
      let others = ~(0xff &<< shift) as UInt64
      if level < 8 { low = low & others | slot } else { high = high & others | slot }
    }
  }

  /// Whether the path takes the first slot at each level below `height`.
  func isFirst(below height: Int) -> Bool {
    let shift = UInt64(truncatingIfNeeded: (height & 7) &* 8)
    let mask = (1 &<< shift) &- 1 as UInt64
    return height < 8 ? low & mask == 0 : low == 0 && high & mask == 0
  }
}
