public import Foundation

/// An id of rows in a ``Table``: it has a text, which is its key on the wire.
///
/// Two ids are the same row's if their keys have the same bytes; strings that Unicode calls
/// equivalent, but whose bytes differ, are different ids here. An id of your own type is best a
/// `RawRepresentable` of one of the types below, which needs no code:
///
/// ```swift
/// struct TodoID: RawRepresentable, TableID, Codable { let rawValue: UUID }
/// ```
public protocol TableID: Hashable, Sendable {
  /// The text of the id, one for each id.
  var tableKey: String { get }

  /// Reads an id from its text; nothing where it is no id's text.
  init?(tableKey: String)
}

extension String: TableID {
  /// The string itself.
  public var tableKey: String { self }

  /// Takes any text.
  public init?(tableKey: String) { self = tableKey }
}

extension Int: TableID {
  /// The number in decimal digits.
  public var tableKey: String { String(self) }

  /// Reads decimal digits as ``tableKey`` writes them: no sign `+`, no leading zeros.
  public init?(tableKey: String) {
    guard let value = Int(tableKey), String(value) == tableKey else { return nil }
    self = value
  }
}

extension Int64: TableID {
  /// The number in decimal digits.
  public var tableKey: String { String(self) }

  /// Reads decimal digits as ``tableKey`` writes them: no sign `+`, no leading zeros.
  public init?(tableKey: String) {
    guard let value = Int64(tableKey), String(value) == tableKey else { return nil }
    self = value
  }
}

extension UUID: TableID {
  /// The usual text, in capitals, as `Codable` writes it too.
  public var tableKey: String { uuidString }

  /// Reads the usual text; one id has one key, so only capitals will do.
  public init?(tableKey: String) {
    guard let value = UUID(uuidString: tableKey), value.uuidString == tableKey else { return nil }
    self = value
  }
}

extension TableID where Self: RawRepresentable, RawValue: TableID {
  /// The raw value's text.
  public var tableKey: String { rawValue.tableKey }

  /// Reads the raw value's text.
  public init?(tableKey: String) {
    guard let rawValue = RawValue(tableKey: tableKey) else { return nil }
    self.init(rawValue: rawValue)
  }
}
