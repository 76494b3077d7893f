import DuxJSON

/// What leads from one version of a table to another, by ids.
public struct TableDifference<ID: TableID>: Equatable, Sendable {
  /// Rows that only the new version has, in its order.
  public var added: [ID] = []
  /// Rows that only the old version has, in its order.
  public var removed: [ID] = []
  /// Rows of both that are not equal, in the new order.
  public var changed: [ID] = []
  /// Rows of both that have to be moved for the others to stand in the new order, in that order.
  ///
  /// A row may be both moved and changed.
  public var moved: [ID] = []

  /// Whether both versions hold equal rows in the same order.
  public var isEmpty: Bool {
    added.isEmpty && removed.isEmpty && changed.isEmpty && moved.isEmpty
  }
}

extension TableProtocol {
  /// What leads from an older version to this one.
  ///
  /// - Complexity: O(changes × log *n*) where one was made by changing the other.
  public func difference(from old: Self) -> TableDifference<ID> {
    TableComparison(from: old.storage, to: storage).result
  }
}

/// Two versions of a table being compared.
private struct TableComparison<ID: TableID, Row: TableRow> where Row.ID == ID {
  private(set) var result = TableDifference<ID>()

  /// A row under a rank that it has in one version alone.
  private struct Place {
    let entry: KeyedEntry
    /// How many of the rows that kept their rank stand before it.
    let slot: Int
  }

  init(from old: TableStorage<ID, Row>, to new: TableStorage<ID, Row>) {
    var left: [Place] = []
    var entered: [Place] = []
    var changed: [KeyedEntry] = []
    for (before, after) in new.order.differences(from: old.order) {
      if let before, let after, before.text.utf8.elementsEqual(after.text.utf8) {
        if Self.isChanged(before, after) { changed.append(after) }
        continue
      }
      if let before { left.append(Self.place(before, in: old, after: left.count)) }
      if let after { entered.append(Self.place(after, in: new, after: entered.count)) }
    }
    compare(left, entered, &changed)
    changed.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    result.changed = changed.compactMap(Self.id)
  }

  private static func place(
    _ entry: KeyedEntry, in storage: TableStorage<ID, Row>, after count: Int
  ) -> Place {
    Place(entry: entry, slot: (storage.order.position(of: entry.key) ?? 0) - count)
  }

  private static func id(_ entry: KeyedEntry) -> ID? { TableStorage<ID, Row>.row(entry)?.id }

  private static func isChanged(_ before: KeyedEntry, _ after: KeyedEntry) -> Bool {
    before.object !== after.object
      && TableStorage<ID, Row>.row(before) != TableStorage<ID, Row>.row(after)
  }

  /// Tells rows that are under another rank from those that came and went.
  private mutating func compare(
    _ left: [Place], _ entered: [Place], _ changed: inout [KeyedEntry]
  ) {
    var numbers: [[UInt8]: Int] = [:]
    for (number, place) in left.enumerated() { numbers[Array(place.entry.text.utf8)] = number }
    var staying: [(number: Int, index: Int)] = []
    var isMoved: [Bool] = []
    var remaining: [KeyedEntry] = []
    for place in entered {
      guard let number = numbers.removeValue(forKey: Array(place.entry.text.utf8)) else {
        if let id = Self.id(place.entry) { result.added.append(id) }
        continue
      }
      if Self.isChanged(left[number].entry, place.entry) { changed.append(place.entry) }
      // A row may have a new rank only because its neighbourhood got some.
      if left[number].slot == place.slot { staying.append((number, remaining.count)) }
      remaining.append(place.entry)
      isMoved.append(true)
    }
    for index in longestRise(of: staying.map(\.number)) { isMoved[staying[index].index] = false }
    result.moved = zip(remaining, isMoved).compactMap { $1 ? Self.id($0) : nil }
    result.removed = numbers.values.sorted().compactMap { Self.id(left[$0].entry) }
  }
}

/// The indices of a longest rising subsequence of different values.
///
/// - Complexity: O(*n* log *n*).
private func longestRise(of values: [Int]) -> [Int] {
  /// For each length, the index at which the rise of that length with the least last value ends.
  var ends: [Int] = []
  var previous: [Int?] = []
  for (index, value) in values.enumerated() {
    var low = 0
    var high = ends.count
    while low < high {
      let middle = (low + high) / 2
      if values[ends[middle]] < value { low = middle + 1 } else { high = middle }
    }
    previous.append(low > 0 ? ends[low - 1] : nil)
    if low == ends.count { ends.append(index) } else { ends[low] = index }
  }
  var rise: [Int] = []
  var next = ends.last
  while let index = next {
    rise.append(index)
    next = previous[index]
  }
  return rise.reversed()
}
