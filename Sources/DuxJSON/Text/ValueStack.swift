/// A stack of values in raw memory, from whose top the entries of a finished container are moved.
struct ValueStack<Element>: ~Copyable {
  private var base: UnsafeMutablePointer<Element>?
  private var capacity = 0
  private(set) var count = 0
  /// Whether the memory is the stack's own.
  private var isOwned = true

  init() {}

  /// Makes a stack that begins in memory which outlives it.
  init(in room: UnsafeMutableBufferPointer<Element>) {
    base = room.baseAddress
    capacity = room.count
    isOwned = false
  }

  deinit {
    base?.deinitialize(count: count)
    if isOwned { base?.deallocate() }
  }

  @inline(__always)
  mutating func push(_ element: consuming Element) {
    makeRoom().initialize(to: element)
    keepTop()
  }

  /// Memory for one more element, which ``keepTop()`` counts once it is initialized.
  @inline(__always)
  mutating func makeRoom() -> UnsafeMutablePointer<Element> {
    if count == capacity { grow() }
    return base.unsafelyUnwrapped + count
  }

  /// Counts the element that was made in the room on top.
  @inline(__always)
  mutating func keepTop() { count &+= 1 }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: max(16, capacity * 2))
    if let base {
      larger.moveInitialize(from: base, count: count)
      if isOwned { base.deallocate() }
    }
    base = larger
    isOwned = true
    capacity = max(16, capacity * 2)
  }

  /// The topmost elements; valid until the next push.
  struct Top {
    let base: UnsafeMutablePointer<Element>
    let count: Int
  }

  /// The elements from `start`, which has been pushed to, to the top.
  @inline(__always)
  func elements(from start: Int) -> Top {
    Top(base: base.unsafelyUnwrapped + start, count: count &- start)
  }

  /// The topmost element; there must be one.
  @inline(__always)
  var top: UnsafeMutablePointer<Element> { base.unsafelyUnwrapped + (count &- 1) }

  /// Forgets the elements from `start` on, which have been moved away.
  @inline(__always)
  mutating func drop(to start: Int) { count = start }
}
