import DuxLog

/// Which app a log belongs to.
package struct AppIdentity: Hashable, Sendable {
  /// The app's name; a log opens for this app alone.
  package var name: String
  /// The app's version that makes a new log.
  package var version: Int64

  /// Makes an identity of its parts.
  package init(name: String, version: Int64) {
    self.name = name
    self.version = version
  }
}

/// The names of one life of a log.
enum Epoch {
  /// 16 random hexadecimal digits.
  static func random() -> String {
    let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// The named values of the database.
struct Meta {
  /// What there is a value for.
  enum Key: String {
    case epoch, app, appVersion, floor, client
  }

  private let connection: Connection
  private let read: Statement
  private let write: Statement

  init(_ connection: Connection) throws(StorageError) {
    self.connection = connection
    self.read = try connection.prepare("SELECT value FROM meta WHERE key=CAST(?1 AS TEXT)")
    self.write = try connection.prepare(
      "INSERT OR REPLACE INTO meta(key, value) VALUES(CAST(?1 AS TEXT), ?2)")
  }

  func integer(_ key: Key) throws(StorageError) -> Int64 {
    try value(key) { $0.integer(0) }
  }

  func text(_ key: Key) throws(StorageError) -> String {
    try value(key) { String(decoding: $0.bytes(0), as: UTF8.self) }
  }

  func setInteger(_ key: Key, _ value: Int64) throws(StorageError) {
    try run(write, key) { write.bind(2, value) }
    write.reset()
  }

  /// Kept as bytes, so that any string comes back as it was.
  func setText(_ key: Key, _ value: String) throws(StorageError) {
    let bytes = Array(value.utf8)
    let code: Result<Void, StorageError> = bytes.withUnsafeBytes { buffer in
      Result { () throws(StorageError) in try run(write, key) { write.bind(2, buffer) } }
    }
    write.reset()
    try code.get()
  }

  private func value<Value>(
    _ key: Key, _ column: (Statement) -> Value
  ) throws(StorageError) -> Value {
    defer { read.reset() }
    guard try run(read, key, bind: {}) else {
      throw StorageError(
        .damaged, file: connection.file, check: "the value \(key.rawValue) is missing")
    }
    return column(read)
  }

  @discardableResult
  private func run(
    _ statement: Statement, _ key: Key, bind: () -> Void
  ) throws(StorageError) -> Bool {
    let name = Array(key.rawValue.utf8)
    let result: Result<Bool, StorageError> = name.withUnsafeBytes { buffer in
      statement.bind(1, buffer)
      bind()
      return Result { () throws(StorageError) in try statement.step() }
    }
    return try result.get()
  }
}
