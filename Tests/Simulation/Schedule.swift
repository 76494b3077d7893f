/// What will happen, by virtual time; what was planned first happens first at the same instant.
struct Schedule {
  private struct Entry {
    let time: Int64
    let order: Int
    let body: () -> Void

    func isBefore(_ other: Entry) -> Bool {
      (time, order) < (other.time, other.order)
    }
  }

  private var heap: [Entry] = []
  private var count = 0
  /// Virtual milliseconds since the beginning.
  private(set) var now: Int64 = 0

  mutating func add(after delay: Int64, _ body: @escaping () -> Void) {
    heap.append(Entry(time: now + max(0, delay), order: count, body: body))
    count += 1
    var child = heap.count - 1
    while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Takes out what happens next, and moves the clock there.
  mutating func next() -> (() -> Void)? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    now = first.time
    guard !heap.isEmpty else { return first.body }
    heap[0] = last
    var parent = 0
    while true {
      let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < heap.count }
      guard let least = children.min(by: { heap[$0].isBefore(heap[$1]) }),
        heap[least].isBefore(heap[parent])
      else { return first.body }
      heap.swapAt(least, parent)
      parent = least
    }
  }
}
