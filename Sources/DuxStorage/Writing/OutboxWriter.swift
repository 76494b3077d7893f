import DuxLog

/// The side of the outbox that writes.
///
/// Numbers rise with each new key and stay with it, so that rows come back in the order in which
/// their effects were asked for.
struct OutboxWriter {
  private let connection: Connection
  private let find: Statement
  private let highest: Statement
  private let put: Statement
  private let remove: Statement

  init(_ connection: Connection) throws(StorageError) {
    self.connection = connection
    find = try connection.prepare("SELECT id FROM outbox WHERE key=?1")
    highest = try connection.prepare("SELECT max(id) FROM outbox")
    put = try connection.prepare(
      "INSERT OR REPLACE INTO outbox(id, key, digest, bytes) VALUES(?1, ?2, ?3, ?4)")
    remove = try connection.prepare("DELETE FROM outbox WHERE key=?1")
  }

  /// Makes changes in their order, within the caller's transaction.
  ///
  /// - Complexity: A look-up or two for each change.
  func apply(_ changes: [OutboxChange]) throws(StorageError) {
    for change in changes {
      var key = change.key
      let result: Result<Void, StorageError> = key.withUTF8 { buffer in
        let key = UnsafeRawBufferPointer(buffer)
        return Result { () throws(StorageError) in
          switch change {
          case .put(let row): try write(row.bytes, key)
          case .remove:
            remove.bind(1, key)
            try remove.run()
          }
        }
      }
      try result.get()
    }
  }

  private func write(_ bytes: [UInt8], _ key: UnsafeRawBufferPointer) throws(StorageError) {
    let id = try id(of: key)
    let code = bytes.withUnsafeBytes { bytes in
      put.bind(1, id)
      put.bind(2, key)
      put.bind(3, RowDigest.outbox(id: id, key: key, bytes: bytes))
      put.bind(4, bytes)
      return put.runForCode()
    }
    guard code == 0 else { throw put.failure(code) }
  }

  /// The number of a key, or the one after all others for a new key.
  private func id(of key: UnsafeRawBufferPointer) throws(StorageError) -> Int64 {
    find.bind(1, key)
    defer { find.reset() }
    if try find.step() { return find.integer(0) }
    defer { highest.reset() }
    let last = try highest.step() ? highest.integer(0) : 0
    let (next, overflow) = last.addingReportingOverflow(1)
    guard !overflow else {
      throw StorageError(.damaged, file: connection.file, check: "the numbers of the outbox")
    }
    return next
  }
}
