extension Schema {
  /// The layout of a log, format 2.
  ///
  /// Format 1 is the same without `outbox`.
  ///
  /// | table | row |
  /// |---|---|
  /// | `meta` | a named value: `epoch`, `app`, `appVersion`, `floor` |
  /// | `clients` | a client's name as bytes, so that any string is kept as it is |
  /// | `log` | a step; `total` is the sum of sizes up to it, so that a stretch's is a subtraction |
  /// | `recent_outcomes` | the outcomes of one commit, in the order of commits |
  /// | `outcomes` | outcomes of one client, gathered from recent commits, `lastN` the highest |
  /// | `checkpoints` | a checkpoint; it counts only when `complete` |
  /// | `checkpoint_parts` | a piece of a checkpoint's state |
  /// | `outbox` | an effect that is not done with; `id` rises in the order of first puts |
  static let log = Schema(
    // "Dux1" in ASCII.
    applicationID: 0x4475_7831, format: 2,
    tables: [
      Table("meta", "CREATE TABLE meta(key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID"),
      Table(
        "clients", "CREATE TABLE clients(id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE) STRICT"),
      Table(
        "log",
        """
        CREATE TABLE log(seq INTEGER PRIMARY KEY, time INTEGER NOT NULL, client INTEGER NOT NULL, \
        n INTEGER, total INTEGER NOT NULL, digest INTEGER NOT NULL, actions BLOB NOT NULL, \
        patch BLOB NOT NULL) STRICT
        """
      ),
      Table(
        "recent_outcomes",
        """
        CREATE TABLE recent_outcomes(id INTEGER PRIMARY KEY, time INTEGER NOT NULL, \
        digest INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT
        """
      ),
      Table(
        "outcomes",
        """
        CREATE TABLE outcomes(client INTEGER NOT NULL, lastN INTEGER NOT NULL, \
        time INTEGER NOT NULL, count INTEGER NOT NULL, digest INTEGER NOT NULL, \
        bytes BLOB NOT NULL, PRIMARY KEY(client, lastN)) STRICT, WITHOUT ROWID
        """
      ),
      Table(
        "checkpoints",
        """
        CREATE TABLE checkpoints(id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, \
        time INTEGER NOT NULL, byteCount INTEGER NOT NULL, partCount INTEGER NOT NULL, \
        digest INTEGER NOT NULL, complete INTEGER NOT NULL) STRICT
        """
      ),
      Table(
        "checkpoint_parts",
        """
        CREATE TABLE checkpoint_parts(checkpoint INTEGER NOT NULL, part INTEGER NOT NULL, \
        bytes BLOB NOT NULL, PRIMARY KEY(checkpoint, part)) STRICT, WITHOUT ROWID
        """
      ),
      Table(
        "outbox",
        """
        CREATE TABLE outbox(id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, \
        digest INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT
        """, since: 2
      ),
    ])
}
