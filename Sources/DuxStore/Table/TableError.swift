/// Two rows would have one id; the table is unchanged.
public struct DuplicateID: RejectionConvertible, Hashable, CustomStringConvertible {
  /// The text of the id.
  public let id: String

  /// Makes the error of an id.
  public init(_ id: some TableID) { self.id = id.tableKey }

  /// What is wrong, for people.
  public var description: String { "there is a row with the id \"\(id)\" already" }

  /// The reason `duplicate_id`.
  public var rejection: Rejection { Rejection(reason: "duplicate_id", message: description) }
}

/// A table has no row with an id; the table is unchanged.
public struct MissingID: RejectionConvertible, Hashable, CustomStringConvertible {
  /// The text of the id.
  public let id: String

  /// Makes the error of an id.
  public init(_ id: some TableID) { self.id = id.tableKey }

  /// What is wrong, for people.
  public var description: String { "there is no row with the id \"\(id)\"" }

  /// The reason `missing_id`.
  public var rejection: Rejection { Rejection(reason: "missing_id", message: description) }
}

/// Why a table does not put a row where it was asked to; the table is unchanged.
public enum TableError: RejectionConvertible, Hashable, CustomStringConvertible {
  /// There is a row with that id.
  case duplicate(DuplicateID)
  /// There is no row with that id.
  case missing(MissingID)
  /// There is no such position.
  case position(Int, count: Int)

  /// What is wrong, for people.
  public var description: String { rejection.message }

  /// The reason: `duplicate_id`, `missing_id` or `bad_position`.
  public var rejection: Rejection {
    switch self {
    case .duplicate(let error): error.rejection
    case .missing(let error): error.rejection
    case .position(let position, let count):
      Rejection(
        reason: "bad_position", message: "there is no position \(position) among \(count) rows")
    }
  }
}
