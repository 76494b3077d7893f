/// The rule by which a ``SortedTable`` keeps its rows.
public protocol RowOrder<Row>: Sendable {
  /// What is put in order.
  associatedtype Row

  /// Whether one row comes before another; of two that do not, the keys of their ids decide.
  ///
  /// Must be a strict weak order, as for `sort(by:)`; where it is not, the order is of no use, but
  /// nothing else breaks.
  static func precedes(_ left: Row, _ right: Row) -> Bool
}

/// A table whose rows are kept in the order of a rule: a changed row moves to its place.
///
/// ```swift
/// enum ByDate: RowOrder {
///   static func precedes(_ a: Event, _ b: Event) -> Bool { a.date < b.date }
/// }
/// var events = SortedTable<Event.ID, Event, ByDate>()
/// ```
///
/// Its JSON has the shape of a ``Table``'s. Rows from a JSON that another rule had put in order are
/// put in order anew.
public struct SortedTable<ID: TableID, Row: TableRow, Order: RowOrder<Row>>: TableProtocol
where Row.ID == ID {
  /// The rows; of no use outside.
  public var storage: TableStorage<ID, Row>

  /// Makes a table without rows.
  public init() { storage = TableStorage() }

  /// Makes a table over rows.
  public init(storage: TableStorage<ID, Row>) { self.storage = storage }

  /// Makes a table of rows in any order.
  ///
  /// - Throws: ``DuplicateID`` where two rows have one id.
  /// - Complexity: O(*n* log *n*).
  public init(_ rows: some Sequence<Row>) throws(DuplicateID) {
    self.init()
    for row in rows.sorted(by: Self.precedes) {
      if contains(row.id) { throw DuplicateID(row.id) }
      storage.insert(RowBox(row), key: row.id.tableKey, at: storage.count)
    }
  }

  /// Puts a row in its place.
  ///
  /// - Throws: ``DuplicateID`` where there is a row with its id.
  /// - Complexity: O(log² *n*).
  public mutating func insert(_ row: Row) throws(DuplicateID) {
    if contains(row.id) { throw DuplicateID(row.id) }
    upsert(row)
  }

  /// The order, made strict by the keys of ids.
  public static var rule: ((Row, Row) -> Bool)? { precedes }

  private static func precedes(_ left: Row, _ right: Row) -> Bool {
    if Order.precedes(left, right) { return true }
    if Order.precedes(right, left) { return false }
    return left.id.tableKey.utf8.lexicographicallyPrecedes(right.id.tableKey.utf8)
  }
}
