import DuxLog

@testable import DuxStorage

/// A database as releases of format 1 left it, the digests in its rows being theirs: five steps of
/// which two were compacted away, two checkpoints, and outcomes both gathered and recent.
enum FormatOne {
  private static let tables = """
    CREATE TABLE meta(key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;
    CREATE TABLE clients(id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE) STRICT;
    CREATE TABLE log(seq INTEGER PRIMARY KEY, time INTEGER NOT NULL, client INTEGER NOT NULL, \
    n INTEGER, total INTEGER NOT NULL, digest INTEGER NOT NULL, actions BLOB NOT NULL, \
    patch BLOB NOT NULL) STRICT;
    CREATE TABLE recent_outcomes(id INTEGER PRIMARY KEY, time INTEGER NOT NULL, \
    digest INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;
    CREATE TABLE outcomes(client INTEGER NOT NULL, lastN INTEGER NOT NULL, \
    time INTEGER NOT NULL, count INTEGER NOT NULL, digest INTEGER NOT NULL, \
    bytes BLOB NOT NULL, PRIMARY KEY(client, lastN)) STRICT, WITHOUT ROWID;
    CREATE TABLE checkpoints(id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, \
    time INTEGER NOT NULL, byteCount INTEGER NOT NULL, partCount INTEGER NOT NULL, \
    digest INTEGER NOT NULL, complete INTEGER NOT NULL) STRICT;
    CREATE TABLE checkpoint_parts(checkpoint INTEGER NOT NULL, part INTEGER NOT NULL, \
    bytes BLOB NOT NULL, PRIMARY KEY(checkpoint, part)) STRICT, WITHOUT ROWID;
    PRAGMA application_id=0x44757831; PRAGMA user_version=1;
    """

  private static let rows = """
    INSERT INTO meta VALUES('app',X'646f63756d656e74');
    INSERT INTO meta VALUES('appVersion',1);
    INSERT INTO meta VALUES('epoch',X'63323038333863613331336430646566');
    INSERT INTO meta VALUES('floor',2);
    INSERT INTO clients VALUES(1,X'74747931');
    INSERT INTO clients VALUES(2,X'66696c6c65722030');
    INSERT INTO clients VALUES(3,X'66696c6c65722031');
    INSERT INTO log VALUES(3,1003,1,3,291,3234092436560312208,
      X'5b7b2274797065223a2274222c227061796c6f6164223a337d5d03030303',X'5b335d');
    INSERT INTO outcomes VALUES(1,3,5000,3,5118938265816611710,
      X'0100000000000000ffffffffffffffff00010000000000000002000000\
    00000000feffffffffffffff01020000000000000003000000000000\
    00fdffffffffffffff000300000000000000');
    INSERT INTO outcomes VALUES(2,1,5000,1,7795027558926811757,
      X'0100000000000000ffffffffffffffff000100000000000000');
    INSERT INTO outcomes VALUES(3,1,5000,1,5846328856747092981,
      X'0100000000000000ffffffffffffffff000100000000000000');
    INSERT INTO checkpoints VALUES(1,2,1002,7,1,3917855294810736622,1);
    INSERT INTO checkpoint_parts VALUES(1,0,X'7b2261223a327d');
    """

  /// What is still in the write-ahead log where the process was killed.
  private static let latest = """
    INSERT INTO clients VALUES(1102,X'620063');
    INSERT INTO log VALUES(4,1004,1102,4,388,-5402594663190831326,
      X'5b7b2274797065223a2274222c227061796c6f6164223a347d5d04040404',X'5b345d');
    INSERT INTO log VALUES(5,1005,1102,5,485,5163057931676456590,
      X'5b7b2274797065223a2274222c227061796c6f6164223a357d5d05050505',X'5b355d');
    INSERT INTO recent_outcomes VALUES(3,5000,-2781495898290272424,
      X'4e040000000000000900000000000000030000005a0000000400000000\
    000000fcffffffffffffff0104000000000000000500000000000000\
    fbffffffffffffff0005000000000000000900000000000000070000\
    0000000000030800000072656a6563746564020000006e6f01000000\
    72');
    INSERT INTO checkpoints VALUES(2,4,1004,7,1,9084993034041498070,1);
    INSERT INTO checkpoint_parts VALUES(2,0,X'7b2261223a347d');
    """

  static let epoch = "c20838ca313d0def"

  /// How the daemon that wrote the folder ended.
  enum End: CaseIterable {
    case stopped, killed
  }

  /// Makes the folder's files; what is added is a later format's.
  static func make(_ path: String, end: End, adding added: String = "") throws {
    let folder = try DataFolder(path: path)
    try SystemFile.create(folder.databasePath)
    try SystemFile.create(folder.walPath)
    let building = try Connection(folder.databasePath, .creating)
    try building.execute("PRAGMA journal_mode=MEMORY; BEGIN;" + tables + rows + added + "COMMIT")
    try building.execute("PRAGMA journal_mode=WAL")
    building.close()
    let writing = try Connection(folder.databasePath, .writing(.full))
    try writing.execute("BEGIN;" + latest + "COMMIT")
    if end == .stopped {
      try writing.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    writing.close()
  }

  /// All rows of the tables of format 1, as text.
  static func dump(_ connection: Connection) throws -> [[UInt8]] {
    let tables: KeyValuePairs = [
      "meta": "key, value", "clients": "id, name",
      "log": "seq, time, client, n, total, digest, actions, patch",
      "recent_outcomes": "id, time, digest, bytes",
      "outcomes": "client, lastN, time, count, digest, bytes",
      "checkpoints": "id, seq, time, byteCount, partCount, digest, complete",
      "checkpoint_parts": "checkpoint, part, bytes",
    ]
    return try tables.map { table, columns in
      let quoted = columns.split(separator: ", ").map { "quote(\($0))" }
      let rows = try connection.prepare(
        "SELECT CAST(\(quoted.joined(separator: "||','||")) AS BLOB) FROM \(table) ORDER BY 1")
      var found: [UInt8] = Array(table.utf8)
      while try rows.step() { found += [10] + rows.array(0) }
      return found
    }
  }
}
