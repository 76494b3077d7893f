/// A first-in, first-out queue; both ends cost O(1), averaged over many calls.
struct FIFO<Element> {
  private var items: [Element?] = []
  private var head = 0

  var isEmpty: Bool { head == items.count }
  var count: Int { items.count - head }

  mutating func append(_ element: Element) {
    items.append(element)
  }

  mutating func popFirst() -> Element? {
    guard head < items.count else { return nil }
    let first = items[head].take()
    head += 1
    if head == items.count {
      items.removeAll(keepingCapacity: head <= 1_024)
      head = 0
    } else if head > 1_024, head > items.count / 2 {
      items.removeFirst(head)
      head = 0
    }
    return first
  }

  mutating func removeAll() -> [Element] {
    defer {
      items = []
      head = 0
    }
    return items[head...].compactMap(\.self)
  }
}
