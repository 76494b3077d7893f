package import DuxLog

/// The durable log on SQLite, the side that reads, on a connection of its own.
///
/// Used by one thread at a time; there may be many. Each call sees one state of the log, whatever
/// the writer does meanwhile, and leaves no read transaction open.
package final class LogReader: LogReading {
  let connection: Connection
  let folder: DataFolder
  let statements: Statements
  private let clientID: ClientNames
  private var clientNames: [Int64: String] = [:]

  /// How many names are kept; when there are more, all are forgotten and looked up anew.
  private static let nameCapacity = 65_536

  /// Opens the log of a folder whose writer is open, and must stay so.
  package init(opening folder: DataFolder) throws(StorageError) {
    self.folder = folder
    connection = try Connection(folder.databasePath, .reading)
    try Schema.log.verify(in: connection)
    statements = try Statements(connection)
    clientID = try ClientNames(connection)
  }

  /// Closes the connection; nothing may be called after that.
  package func close() {
    connection.close()
  }

  /// Where the log begins and ends now.
  package func bounds() throws(StorageError) -> LogBounds {
    try snapshot { () throws(StorageError) in try currentBounds() }
  }

  /// The last step in the log now.
  package func head() throws(StorageError) -> SequenceNumber {
    try bounds().head
  }

  /// Runs a body in one read transaction.
  func snapshot<Value>(_ body: () throws(StorageError) -> Value) throws(StorageError) -> Value {
    try checkOpen()
    try statements.begin.run()
    defer { connection.rollBack() }
    return try body()
  }

  func checkOpen() throws(StorageError) {
    guard connection.isOpen else {
      throw StorageError(.outOfSequence, file: connection.file, check: "the log is closed")
    }
  }

  func currentFloor() throws(StorageError) -> SequenceNumber {
    guard let floor = try single(statements.floor), floor >= 0 else {
      throw StorageError(.damaged, file: connection.file, check: "the value floor")
    }
    return SequenceNumber(floor)
  }

  func currentBounds() throws(StorageError) -> LogBounds {
    let floor = try currentFloor()
    let head = try single(statements.head).map { SequenceNumber($0) } ?? floor
    guard head >= floor else {
      throw StorageError(
        .damaged, file: connection.file, check: "the log ends before its floor \(floor)",
        seq: head)
    }
    return LogBounds(floor: floor, head: head)
  }

  /// The only column of a statement's first row.
  func single(_ statement: Statement, _ parameter: Int64? = nil) throws(StorageError) -> Int64? {
    defer { statement.reset() }
    if let parameter { statement.bind(1, parameter) }
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return statement.integer(0)
  }

  func id(ofClient name: String) throws(StorageError) -> Int64? {
    try clientID.existing(name)
  }

  func name(ofClient id: Int64, at seq: SequenceNumber) throws(StorageError) -> String {
    if let name = clientNames[id] { return name }
    let statement = statements.clientName
    defer { statement.reset() }
    statement.bind(1, id)
    guard try statement.step() else {
      throw StorageError(.damaged, file: connection.file, check: "a client's name", seq: seq)
    }
    let name = String(decoding: statement.bytes(0), as: UTF8.self)
    if clientNames.count >= Self.nameCapacity {
      clientNames.removeAll(keepingCapacity: true)
    }
    clientNames[id] = name
    return name
  }

  /// The statements of a reader's every day.
  struct Statements {
    let begin: Statement
    let floor: Statement
    let head: Statement
    /// The rows from the one on that has the step after one.
    let rows: Statement
    let clientName: Statement
    let time: Statement
    let total: Statement
    let outline: Statement
    let heads: Statement
    let outcome: Statement
    let lastN: Statement
    let recentOutcomes: Statement

    init(_ connection: Connection) throws(StorageError) {
      begin = try connection.prepare("BEGIN")
      floor = try connection.prepare("SELECT value FROM meta WHERE key='floor'")
      head = try connection.prepare("SELECT max(seq) FROM log")
      rows = try connection.prepare(
        """
        SELECT seq, time, client, n, total, digest, actions, patch FROM log
        WHERE seq>?1 ORDER BY seq
        """)
      clientName = try connection.prepare("SELECT name FROM clients WHERE id=?1")
      time = try connection.prepare("SELECT time FROM log WHERE seq>=?1 ORDER BY seq LIMIT 1")
      total = try connection.prepare("SELECT total FROM log WHERE seq>=?1 ORDER BY seq LIMIT 1")
      // SQLite tells the length of bytes without reading the pages that they are on.
      outline = try connection.prepare(
        """
        SELECT seq, client, n, total, length(actions), length(patch) FROM log
        WHERE seq>=?1 ORDER BY seq LIMIT 1
        """)
      heads = try connection.prepare("SELECT actions FROM log WHERE seq=?1")
      outcome = try connection.prepare(
        """
        SELECT lastN, time, count, digest, bytes FROM outcomes
        WHERE client=?1 AND lastN>=?2 ORDER BY lastN LIMIT 1
        """)
      recentOutcomes = try connection.prepare(
        "SELECT id, time, digest, bytes FROM recent_outcomes ORDER BY id")
      lastN = try connection.prepare("SELECT max(lastN) FROM outcomes WHERE client=?1")
    }
  }
}
