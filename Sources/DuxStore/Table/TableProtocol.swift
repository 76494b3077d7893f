import DuxJSON

/// What ``Table`` and ``SortedTable`` have in common: identified rows in an order.
public protocol TableProtocol<ID, Row>: Sequence, Equatable, StructuralLeaf
where Element == Row, Iterator == TableIterator<ID, Row> {
  /// What tells rows apart.
  associatedtype ID: TableID
  /// What the table holds.
  associatedtype Row: TableRow where Row.ID == ID

  /// The rows; of no use outside.
  var storage: TableStorage<ID, Row> { get set }

  /// Makes a table without rows.
  init()

  /// Makes a table of rows that obey its rule, or shall.
  init(storage: TableStorage<ID, Row>)

  /// Whether one row has to stand before another; nothing where rows stand as they were put.
  static var rule: ((Row, Row) -> Bool)? { get }
}

extension TableProtocol {
  /// The number of rows.
  public var count: Int { storage.count }

  /// Whether there is no row.
  public var isEmpty: Bool { storage.count == 0 }

  /// The first row.
  public var first: Row? { storage.row(at: 0) }

  /// The last row.
  public var last: Row? { storage.row(at: storage.count - 1) }

  /// The row at a position; nothing where there is none.
  ///
  /// - Complexity: O(log *n*).
  public subscript(position position: Int) -> Row? { storage.row(at: position) }

  /// Whether there is a row with an id.
  public func contains(_ id: ID) -> Bool { storage.rank(of: id.tableKey) != nil }

  /// The position of the row with an id, if there is one.
  ///
  /// - Complexity: O(log *n*).
  public func position(of id: ID) -> Int? { storage.position(of: id.tableKey) }

  /// Whether both share all their storage, which makes them equal.
  ///
  /// - Complexity: O(1).
  public func isIdentical(to other: Self) -> Bool {
    storage.order.isIdentical(to: other.storage.order)
  }

  /// Whether both hold equal rows in the same order.
  ///
  /// The ranks do not count, so a table is equal to one that came to the same rows on another way,
  /// though their JSON may differ.
  /// - Complexity: O(rows that the two do not share).
  public static func == (left: Self, right: Self) -> Bool {
    left.storage.order.isEqual(to: right.storage.order) { a, b in
      if a.object === b.object { return true }
      return TableStorage<ID, Row>.row(copy a) == TableStorage<ID, Row>.row(copy b)
    }
  }
}

extension TableProtocol {
  /// The row with an id.
  ///
  /// Setting nothing removes the row. Setting a row puts it in the place of the one with `id`, or,
  /// where there is none, where ``upsert(_:)`` would. The row counts under its own id: where that is
  /// not `id`, no row has `id` afterwards, and another row that had the row's id is gone.
  /// - Complexity: O(log *n*).
  public subscript(id id: ID) -> Row? {
    get { storage.row(id.tableKey) }
    set {
      let key = id.tableKey
      if let newValue { write(newValue, over: key) } else { storage.remove(key) }
    }
  }

  /// Changes the row with an id, and gives back what `body` does; nothing where there is no such row.
  ///
  /// Where `body` throws, the row stays as it was. For a changed id, see ``subscript(id:)``.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func update<Result, Failure: Error>(
    _ id: ID, _ body: (inout Row) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let key = id.tableKey
    guard var row = storage.row(key) else { return nil }
    let result = try body(&row)
    write(row, over: key)
    return result
  }

  /// Puts a row in the place of the one with its id; where there is none, at the end, or where the
  /// table's rule wants it.
  ///
  /// - Returns: the row that was there before.
  @discardableResult
  public mutating func upsert(_ row: Row) -> Row? {
    let key = row.id.tableKey
    let old = storage.row(key)
    write(row, over: key)
    return old
  }

  /// Takes the row with an id out and gives it back, if there is one.
  ///
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func remove(id: ID) -> Row? { storage.remove(id.tableKey)?.row }

  /// Takes out each row that `isRemoved` holds for.
  ///
  /// - Complexity: O(*n*).
  public mutating func removeAll<Failure: Error>(
    where isRemoved: (Row) throws(Failure) -> Bool
  ) throws(Failure) {
    var kept = storage
    for row in self where try isRemoved(row) { kept.remove(row.id.tableKey) }
    storage = kept
  }

  /// Takes all rows out.
  public mutating func removeAll() {
    storage.order = KeyedTree()
    storage.index = KeyedTree()
  }
}
