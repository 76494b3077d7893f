extension Schema {
  /// The layout of a client's steps, format 1.
  ///
  /// | table | row |
  /// |---|---|
  /// | `meta` | a named value: `client` |
  /// | `steps` | a step without an outcome; `id` is its place in the order of asking |
  static let steps = Schema(
    // "DuxQ" in ASCII.
    applicationID: 0x4475_7851, format: 1,
    tables: [
      Table("meta", "CREATE TABLE meta(key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID"),
      Table(
        "steps",
        """
        CREATE TABLE steps(id INTEGER PRIMARY KEY, n INTEGER, numbered INTEGER, \
        bytes BLOB NOT NULL) STRICT
        """
      ),
    ])
}
