import DuxJSON

/// Walks rows in order.
public struct TableIterator<ID: TableID, Row: TableRow>: IteratorProtocol where Row.ID == ID {
  private var base: KeyedTree.Iterator
  private var remaining: Int

  init(_ storage: TableStorage<ID, Row>, _ positions: Range<Int>) {
    base = storage.order.makeIterator(from: positions.lowerBound)
    remaining = positions.count
  }

  /// The next row, or nothing after the last.
  public mutating func next() -> Row? {
    guard remaining > 0 else { return nil }
    remaining -= 1
    return base.next().flatMap(TableStorage<ID, Row>.row)
  }
}

/// The rows of a table, or of a part of it, by position: what a list on a screen scrolls through.
///
/// Reaching a position costs O(log *n*), going on from there O(1) for each row.
public struct TableRows<ID: TableID, Row: TableRow>: RandomAccessCollection, Sendable
where Row.ID == ID {
  private let storage: TableStorage<ID, Row>
  /// The position of the first row.
  public let startIndex: Int
  /// The position after the last row.
  public let endIndex: Int

  init(_ storage: TableStorage<ID, Row>, _ positions: Range<Int>) {
    self.storage = storage
    startIndex = positions.lowerBound
    endIndex = positions.upperBound
  }

  /// The row at a position, which must be one of `indices`.
  public subscript(position: Int) -> Row {
    guard indices.contains(position), let row = storage.row(at: position) else {
      preconditionFailure("position \(position) out of range")
    }
    return row
  }

  /// Some of the rows, by the same positions.
  public subscript(positions: Range<Int>) -> TableRows {
    precondition(
      positions.lowerBound >= startIndex && positions.upperBound <= endIndex, "out of range")
    return TableRows(storage, positions)
  }

  /// Starts a walk at the first row.
  public func makeIterator() -> TableIterator<ID, Row> {
    TableIterator(storage, startIndex..<endIndex)
  }
}

extension TableProtocol {
  /// The rows by position.
  public var rows: TableRows<ID, Row> { TableRows(storage, 0..<storage.count) }

  /// The ids in the order of their rows.
  public var ids: some RandomAccessCollection<ID> & Sendable { TableIDs(rows: rows) }

  /// Starts a walk over the rows in order.
  public func makeIterator() -> TableIterator<ID, Row> {
    TableIterator(storage, 0..<storage.count)
  }

  /// The number of rows, exactly.
  public var underestimatedCount: Int { storage.count }
}

/// The ids of rows by position.
struct TableIDs<ID: TableID, Row: TableRow>: RandomAccessCollection, Sendable where Row.ID == ID {
  let rows: TableRows<ID, Row>

  var startIndex: Int { rows.startIndex }
  var endIndex: Int { rows.endIndex }

  subscript(position: Int) -> ID { rows[position].id }

  struct Iterator: IteratorProtocol {
    var base: TableIterator<ID, Row>

    mutating func next() -> ID? { base.next()?.id }
  }

  func makeIterator() -> Iterator { Iterator(base: rows.makeIterator()) }
}
