public import DuxStore

/// Rows that a list shows, however many there are: it asks for those that are seen.
///
/// A ``DuxStore/Table`` is one. For a few rows of an array there is ``ArrayRows``, for rows that are
/// known by nothing but their number ``IndexRows``.
public protocol RowSource<ID, Row> {
  /// What rows are told apart by.
  associatedtype ID: Hashable & Sendable
  /// What there is to show of one.
  associatedtype Row

  /// How many there are.
  var count: Int { get }
  /// The row at a place; `nil` where there is none.
  func row(at index: Int) -> Row?
  /// The id of the row at a place; `nil` where there is none.
  func id(at index: Int) -> ID?
  /// The place of the row with an id; `nil` where it is not among them.
  func index(of id: ID) -> Int?
}

extension Table: RowSource {
  /// The row at a place.
  public func row(at index: Int) -> Row? { self[position: index] }
  /// The id of the row at a place.
  public func id(at index: Int) -> ID? { self[position: index]?.id }
  /// The place of a row.
  public func index(of id: ID) -> Int? { position(of: id) }
}

/// Rows of an array.
///
/// Where a row is, is found by looking at each: a list does that when rows have moved.
public struct ArrayRows<Row: Identifiable>: RowSource where Row.ID: Sendable {
  private let rows: [Row]

  /// Makes rows of an array.
  public init(_ rows: [Row]) { self.rows = rows }

  /// How many there are.
  public var count: Int { rows.count }
  /// The row at a place.
  public func row(at index: Int) -> Row? { rows.indices.contains(index) ? rows[index] : nil }
  /// The id of the row at a place.
  public func id(at index: Int) -> Row.ID? { row(at: index)?.id }
  /// The place of a row.
  public func index(of id: Row.ID) -> Int? { rows.firstIndex { $0.id == id } }
}

/// Rows that are made when they are seen, and known by their number.
public struct IndexRows<Row>: RowSource {
  /// How many there are.
  public let count: Int
  private let make: (Int) -> Row

  /// Makes so many rows.
  public init(count: Int, _ make: @escaping (Int) -> Row) {
    self.count = max(count, 0)
    self.make = make
  }

  /// The row at a place.
  public func row(at index: Int) -> Row? { id(at: index).map(make) }
  /// The place itself.
  public func id(at index: Int) -> Int? { index >= 0 && index < count ? index : nil }
  /// The id itself.
  public func index(of id: Int) -> Int? { self.id(at: id) }
}

/// Some of the rows of another source, in an order of their own: what a filter has let through.
///
/// Making it costs a look at each of the ids; after that where a row is costs nothing.
public struct PickedRows<Source: RowSource>: RowSource {
  private let source: Source
  private let ids: [Source.ID]
  private let places: [Source.ID: Int]

  /// Picks rows by their ids; those that the source doesn't have are left out.
  public init(_ ids: some Sequence<Source.ID>, of source: Source) {
    self.source = source
    self.ids = ids.filter { source.index(of: $0) != nil }
    places = Dictionary(
      zip(self.ids, self.ids.indices), uniquingKeysWith: { first, _ in first })
  }

  /// How many there are.
  public var count: Int { ids.count }
  /// The row at a place.
  public func row(at index: Int) -> Source.Row? {
    id(at: index).flatMap { source.index(of: $0) }.flatMap { source.row(at: $0) }
  }
  /// The id of the row at a place.
  public func id(at index: Int) -> Source.ID? {
    ids.indices.contains(index) ? ids[index] : nil
  }
  /// The place of a row.
  public func index(of id: Source.ID) -> Int? { places[id] }
}
