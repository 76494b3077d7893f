/// Rows told apart by their ids, in an order of their own, for states of any size.
///
/// ```swift
/// struct State: Codable, Equatable, Sendable { var todos = Table<Todo.ID, Todo>() }
///
/// try state.todos.append(Todo(id: id, title: title))
/// state.todos[id: id]?.isDone = true
/// ```
///
/// A copy shares its storage: it costs nothing, and a change costs O(log *n*) and leaves every copy
/// as it was. Its JSON, its difference from an older version and the patch between the two cost in
/// proportion to what changed, with 1,000 rows as with 1,000,000.
///
/// In JSON a table is `{"order":{"<rank>":"<id>"},"rows":{"<id>":row}}`. A rank is a short string
/// whose byte order is the order of the rows, so rows are added, moved and removed by key, and
/// patches made at the same time at different rows never talk of a position that has shifted.
///
/// No operation traps: what cannot be done is refused with an error that a reducer may let through.
///
/// The id stands beside the row in the type, though `Row.ID` would tell it, because it is part of
/// the wire's shape: a change of the type of ids shows where the table is declared.
public struct Table<ID: TableID, Row: TableRow>: TableProtocol where Row.ID == ID {
  /// The rows; of no use outside.
  public var storage: TableStorage<ID, Row>

  /// Makes a table without rows.
  public init() { storage = TableStorage() }

  /// Makes a table over rows.
  public init(storage: TableStorage<ID, Row>) { self.storage = storage }

  /// Makes a table of rows in the order given.
  ///
  /// - Throws: ``DuplicateID`` where two rows have one id.
  /// - Complexity: O(*n* log *n*).
  public init(_ rows: some Sequence<Row>) throws(DuplicateID) {
    self.init()
    for row in rows { try append(row) }
  }

  /// None: rows stand as they were put.
  public static var rule: ((Row, Row) -> Bool)? { nil }
}

extension Table {
  /// Puts a row at the end.
  ///
  /// - Throws: ``DuplicateID`` where there is a row with its id.
  /// - Complexity: O(log *n*), as all that follow.
  public mutating func append(_ row: Row) throws(DuplicateID) {
    if contains(row.id) { throw DuplicateID(row.id) }
    storage.insert(RowBox(row), key: row.id.tableKey, at: storage.count)
  }

  /// Puts a row before the one at a position, or at the end where that is `count`.
  ///
  /// - Throws: ``TableError`` where there is a row with its id, or no such position.
  public mutating func insert(_ row: Row, at position: Int) throws(TableError) {
    guard (0...storage.count).contains(position) else {
      throw .position(position, count: storage.count)
    }
    if contains(row.id) { throw .duplicate(DuplicateID(row.id)) }
    storage.insert(RowBox(row), key: row.id.tableKey, at: position)
  }

  /// Puts a row before another.
  ///
  /// - Throws: ``TableError`` where there is a row with its id, or none with the other's.
  public mutating func insert(_ row: Row, before other: ID) throws(TableError) {
    try insert(row, at: try existingPosition(of: other))
  }

  /// Puts a row after another.
  ///
  /// - Throws: ``TableError`` where there is a row with its id, or none with the other's.
  public mutating func insert(_ row: Row, after other: ID) throws(TableError) {
    try insert(row, at: try existingPosition(of: other) + 1)
  }

  /// Moves a row, as it is, before another; before itself, it stays.
  ///
  /// - Throws: ``TableError/missing(_:)`` where there is no row with one of the ids.
  public mutating func move(_ id: ID, before other: ID) throws(TableError) {
    _ = try existingPosition(of: id)
    storage.move(id.tableKey, to: try existingPosition(of: other))
  }

  /// Moves a row, as it is, after another; after itself, it stays.
  ///
  /// - Throws: ``TableError/missing(_:)`` where there is no row with one of the ids.
  public mutating func move(_ id: ID, after other: ID) throws(TableError) {
    _ = try existingPosition(of: id)
    storage.move(id.tableKey, to: try existingPosition(of: other) + 1)
  }

  /// Moves a row, as it is, so that it then stands at a position.
  ///
  /// - Throws: ``TableError`` where there is no row with the id, or no such position.
  public mutating func move(_ id: ID, to position: Int) throws(TableError) {
    let old = try existingPosition(of: id)
    guard (0..<storage.count).contains(position) else {
      throw .position(position, count: storage.count)
    }
    storage.move(id.tableKey, to: position > old ? position + 1 : position)
  }

  private func existingPosition(of id: ID) throws(TableError) -> Int {
    guard let position = position(of: id) else { throw .missing(MissingID(id)) }
    return position
  }
}
