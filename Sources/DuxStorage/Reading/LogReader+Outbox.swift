package import DuxLog

extension LogReader {
  /// The effects that are not done with, in the order in which each key was first put.
  ///
  /// - Throws: `damaged` naming the key when a row does not read back as written.
  /// - Complexity: O(*n*) in the number of bytes given back.
  package func outbox() throws(StorageError) -> [OutboxRow] {
    try snapshot { () throws(StorageError) in
      // Format 1 has no outbox; on a full disk it stays so until the first commit.
      guard try connection.integer("PRAGMA user_version") >= 2 else { return [] }
      let rows = try connection.prepare("SELECT id, key, digest, bytes FROM outbox ORDER BY id")
      defer { rows.reset() }
      var found: [OutboxRow] = []
      while try rows.step() {
        let key = rows.bytes(1)
        let bytes = rows.bytes(3)
        let digest = RowDigest.outbox(id: rows.integer(0), key: key, bytes: bytes)
        let row = OutboxRow(key: String(decoding: key, as: UTF8.self), bytes: [UInt8](bytes))
        guard digest == rows.integer(2) else { throw damage(of: row.key) }
        found.append(row)
      }
      return found
    }
  }

  /// Names a key whatever is in it, on one line of bounded length.
  private func damage(of key: String) -> StorageError {
    let shown = String(key.unicodeScalars.prefix(80).map(Character.init)).debugDescription
    return StorageError(
      .damaged, file: connection.file, check: "the outbox's row of the key \(shown)")
  }
}
