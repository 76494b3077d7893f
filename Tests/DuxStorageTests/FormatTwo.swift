@testable import DuxStorage

/// A database as releases of format 2 left it: that of format 1, and an outbox.
enum FormatTwo {
  private static let outbox = """
    CREATE TABLE outbox(id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, \
    digest INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;
    INSERT INTO outbox VALUES(4,X'61',-5037820285194496777,X'7b2272756e223a307d');
    PRAGMA user_version=2;
    """

  /// Makes the folder's files.
  static func make(_ path: String, end: FormatOne.End) throws {
    try FormatOne.make(path, end: end, adding: outbox)
  }
}
