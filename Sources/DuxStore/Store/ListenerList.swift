/// What is told of changes, in the order of registration.
///
/// Adding and removing cost O(1), averaged over many calls, also while a round of notifications is
/// under way: a removed element leaves an empty place, and places are closed up once they outnumber
/// the elements. A round sees the elements that were there when it began and were not removed.
struct ListenerList<Element> {
  private var slots: [(id: Int, element: Element)?] = []
  private var places: [Int: Int] = [:]
  private var nextID = 0
  private var isInRound = false
  /// How many elements were moved to close up empty places, ever.
  private(set) var moves = 0

  var count: Int { places.count }
  var isEmpty: Bool { places.isEmpty }

  /// Adds the element that `make` returns for its id.
  mutating func add(_ make: (Int) -> Element) -> Element {
    let id = nextID
    nextID += 1
    let element = make(id)
    places[id] = slots.count
    slots.append((id, element))
    return element
  }

  /// Takes an element out; `nil` when it was out already.
  mutating func remove(_ id: Int) -> Element? {
    guard let place = places.removeValue(forKey: id) else { return nil }
    let slot = slots[place].take()
    if !isInRound { closeUp() }
    return slot?.element
  }

  mutating func removeAll() -> [Element] {
    defer {
      slots = []
      places = [:]
    }
    return slots.compactMap { $0?.element }
  }

  /// Begins a round; rounds don't overlap.
  mutating func beginRound() -> Round {
    isInRound = true
    return Round(next: 0, end: slots.count)
  }

  /// The next elements of a round, at most `count`; the round is over when there are none.
  mutating func next(_ count: Int, in round: inout Round) -> [Element] {
    var found: [Element] = []
    while found.count < count, round.next < min(round.end, slots.count) {
      if let slot = slots[round.next] { found.append(slot.element) }
      round.next += 1
    }
    if found.isEmpty {
      isInRound = false
      closeUp()
    }
    return found
  }

  /// How far a round has come.
  struct Round {
    fileprivate var next: Int
    fileprivate let end: Int
  }

  private mutating func closeUp() {
    guard slots.count > 2 * places.count + 32 else { return }
    slots.removeAll { $0 == nil }
    for (place, slot) in slots.enumerated() {
      if let slot { places[slot.id] = place }
    }
    moves += slots.count
  }
}
