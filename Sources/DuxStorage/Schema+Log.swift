extension Schema {
  /// The layout of a log, format 3.
  ///
  /// Formats 1 and 2 have a row of `log` for each step, and format 1 has no `outbox`. Rows that are
  /// steps stay as they are when a log is brought up to date.
  ///
  /// | table | row |
  /// |---|---|
  /// | `meta` | a named value: `epoch`, `app`, `appVersion`, `floor` |
  /// | `clients` | a client's name as bytes, so that any string is kept as it is |
  /// | `log` | a step or a run of steps; `total` is the sum of sizes up to its end, for subtractions |
  /// | `recent_outcomes` | the outcomes of one commit, in the order of commits |
  /// | `outcomes` | outcomes of one client, gathered from recent commits, `lastN` the highest |
  /// | `checkpoints` | a checkpoint; it counts only when `complete` |
  /// | `checkpoint_parts` | a piece of a checkpoint's state |
  /// | `outbox` | an effect that is not done with; `id` rises in the order of first puts |
  ///
  /// A row of `log` with `client` 0 is a run of `n` steps: `seq` and `time` are the last one's,
  /// `actions` has the run's heads and `patch` its payloads, as `StepRun` reads them.
  static let log = Schema(
    // "Dux1" in ASCII.
    applicationID: 0x4475_7831, format: 3,
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
