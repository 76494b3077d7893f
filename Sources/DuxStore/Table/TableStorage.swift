import DuxJSON

/// What a row of a table can do.
public typealias TableRow = Identifiable & Codable & Equatable & Sendable

/// The rows of a ``Table`` or ``SortedTable``, in order, each with its rank; opaque outside.
///
/// Two persistent trees: `order` holds the rows by rank, `index` the rank of each id. Rows lie in
/// boxes: a tree of boxes is the same code for every type of row, so it is optimized once, in its
/// own module, and two versions of a row are told apart by their box alone.
/// - Invariant: `order` and `index` have an entry for each row, ranks are valid.
public struct TableStorage<ID: TableID, Row: TableRow>: Sendable where Row.ID == ID {
  /// By rank: the key of the id, and the row in its ``RowBox``.
  var order = KeyedTree()
  /// By the key of the id: the rank.
  var index = KeyedTree()
  /// What is known of the JSON of this table and of its earlier and later versions.
  var mirror = TableMirror()

  init() {}

  var count: Int { order.count }

  /// The row in an entry of `order`.
  static func row(_ entry: KeyedEntry) -> Row? { box(entry)?.row }

  /// The box in an entry of `order`.
  static func box(_ entry: KeyedEntry) -> RowBox<Row>? {
    // Nothing but such a box is ever put into the entries of this type's trees, and asking the
    // runtime at each access would cost more than finding the row.
    entry.object.map { unsafeDowncast($0, to: RowBox<Row>.self) }
  }

  /// The rank of an id's key.
  func rank(of key: String) -> String? { index[key]?.text }

  func row(_ key: String) -> Row? {
    rank(of: key).flatMap { order[$0] }.flatMap(Self.row)
  }

  func row(at position: Int) -> Row? { order[position: position].flatMap(Self.row) }

  /// How many rows come before the one with an id's key.
  func position(of key: String) -> Int? { rank(of: key).flatMap { order.position(of: $0) } }
}

/// A row as the trees hold it, never changed: a changed row is another box.
final class RowBox<Row: Sendable>: Sendable {
  let row: Row

  init(_ row: Row) { self.row = row }
}

extension TableStorage {
  /// Puts a row whose key is not there yet at a position from 0 to `count`.
  mutating func insert(_ box: RowBox<Row>, key: String, at position: Int) {
    place(KeyedEntry(key: makeRank(at: position), text: key, object: box))
  }

  /// Puts another row in the place of one; its id's key may differ, but not be another row's.
  mutating func replace(_ key: String, with row: Row) {
    guard let rank = rank(of: key) else { return }
    let newKey = row.id.tableKey
    order.insert(KeyedEntry(key: rank, text: newKey, object: RowBox(row)))
    if !newKey.utf8.elementsEqual(key.utf8) {
      index.remove(key)
      index.insert(KeyedEntry(key: newKey, text: rank, object: nil))
    }
  }

  /// Takes a row out.
  @discardableResult
  mutating func remove(_ key: String) -> RowBox<Row>? {
    index.remove(key).flatMap { order.remove($0.text) }.flatMap(Self.box)
  }

  /// Puts a row before the one that is at a position now, or at the end; it may stand there already.
  mutating func move(_ key: String, to position: Int) {
    guard let old = self.position(of: key), position != old, position != old + 1,
      let box = remove(key)
    else { return }
    insert(box, key: key, at: position > old ? position - 1 : position)
  }

  /// Enters a row under a rank that is free.
  mutating func place(_ entry: KeyedEntry) {
    order.insert(entry)
    index.insert(KeyedEntry(key: entry.text, text: entry.key, object: nil))
  }
}

extension TableStorage {
  /// The rank for a new row at a position, whose neighbours get new ones if there is no short one.
  private mutating func makeRank(at position: Int) -> String {
    let left = order[position: position - 1]?.key
    let right = order[position: position]?.key
    return Rank.between(left, right) ?? makeRoom(at: position)
  }

  /// Spreads the ranks around a position anew and gives back the free one among them.
  ///
  /// The window doubles until its ranks fit between those around it, with fewer bytes the larger it
  /// is. So the room that a large window makes lasts for many rows, and where rows are added at one
  /// spot for ever, each costs a few new ranks on average. Depends on nothing but the ranks.
  private mutating func makeRoom(at position: Int) -> String {
    var reach = 16
    var limit = Rank.maximumLength * 3 / 4
    while true {
      let window = max(0, position - reach)..<min(count, position + reach)
      let isWhole = window == 0..<count
      let ranks = Rank.evenly(
        window.count + 1, between: order[position: window.lowerBound - 1]?.key,
        order[position: window.upperBound]?.key, limit: isWhole ? Rank.maximumLength : limit)
      if let ranks { return assign(ranks, to: window, sparing: position) }
      precondition(!isWhole, "there are ranks for any table that fits in memory")
      reach *= 2
      limit = max(limit - 1, 8)
    }
  }

  private mutating func assign(
    _ ranks: [String], to window: Range<Int>, sparing position: Int
  ) -> String {
    var entries: [KeyedEntry] = []
    var iterator = order.makeIterator(from: window.lowerBound)
    while entries.count < window.count, let entry = iterator.next() { entries.append(entry) }
    for entry in entries { order.remove(entry.key) }
    let spared = position - window.lowerBound
    for (offset, entry) in entries.enumerated() {
      let rank = ranks[offset < spared ? offset : offset + 1]
      place(KeyedEntry(key: rank, text: entry.text, object: entry.object))
    }
    return ranks[spared]
  }
}
