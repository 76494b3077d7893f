package import DuxLog
import CSQLite

/// The durable log on SQLite, the side that writes.
///
/// Confined to one thread at a time; a call blocks until the disk has answered. Every call is one
/// or more whole transactions: after a throw nothing of the one that failed is there, and the
/// writer can be used on, but for `syncFailed` and `damaged`.
package final class LogWriter: LogWriting {
  /// Names one life of the log: a restore, a reset or an import starts a new one.
  package private(set) var epoch: String
  /// The version of the app that the state at the head has.
  package internal(set) var appVersion: Int64

  let connection: Connection
  let meta: Meta
  let names: ClientNames
  let recentOutcomes: RecentOutcomes
  let statements: Statements
  let limits: WALLimits
  let progress = WALProgress()
  let walLength: WALLength
  /// The folder that the log is in.
  package let folder: DataFolder

  var position: Position
  /// The outbox; `nil` while the layout is an older release's.
  private var outbox: OutboxWriter?
  /// Set while a transaction is under way that `recentOutcomes` counts on.
  var recentOutcomesAreStale = false
  var openCheckpoint: OpenCheckpoint?
  var verification: CheckpointVerification?
  var pruneCursor: Int64 = 0
  var nextCeiling: Int
  /// The last step that is no longer in the log.
  package internal(set) var floor: SequenceNumber

  /// Opens the folder's log, or makes a new one where there is none.
  ///
  /// A layout of an older release is brought up to date. Opening needs no space on the disk: when
  /// it is full, that is left to the first commit. Open the writer before the readers.
  ///
  /// - Throws: `damaged`, `foreign`, `newerFormat`, `wrongApp`, `unwritable` or `busy` when what
  ///   is there is not to be used; nothing was written then. `syncFailed`.
  package init(
    opening folder: DataFolder, durability: Durability, app: AppIdentity, limits: WALLimits
  ) throws(StorageError) {
    let pages = try DatabaseFile.prepare(folder, .log, durability) {
      (connection) throws(StorageError) in
      let meta = try Meta(connection)
      try meta.setText(.epoch, Epoch.random())
      try meta.setText(.app, app.name)
      try meta.setInteger(.appVersion, app.version)
      try meta.setInteger(.floor, 0)
    }
    self.folder = folder
    self.limits = limits
    self.nextCeiling = limits.ceilingPages
    self.connection = try Connection(folder.databasePath, .writing(durability))
    try Schema.log.verify(in: connection)
    self.meta = try Meta(connection)
    self.names = try ClientNames(connection)
    self.recentOutcomes = try RecentOutcomes(connection)
    self.statements = try Statements(connection)
    self.epoch = try meta.text(.epoch)
    self.appVersion = try meta.integer(.appVersion)
    let floor = SequenceNumber(try meta.integer(.floor))
    self.floor = floor
    self.position = try Position(connection, floor: floor)
    self.walLength = WALLength(pages: pages, progress: progress)
    let found = try meta.text(.app)
    guard found.utf8.elementsEqual(app.name.utf8) else {
      throw StorageError(
        .wrongApp(found: found, expected: app.name), file: folder.databasePath,
        check: "the app's name")
    }
    walLength.follow(connection)
    do throws(StorageError) {
      _ = try currentOutbox()
    } catch  where error.kind == .full {
      // All but the outbox can be read and written as it is, and the outbox is empty.
      return
    }
  }

  /// The last step in the log.
  package var head: SequenceNumber { position.head }

  /// Wall clock of the last step in milliseconds since 1970, below which no step's may fall.
  package var lastTime: Int64 { position.time }

  /// Starts a new life of the log and gives its name.
  package func renewEpoch() throws(StorageError) -> String {
    let renewed = Epoch.random()
    try transaction { () throws(StorageError) in try meta.setText(.epoch, renewed) }
    epoch = renewed
    return renewed
  }

  /// The outbox, for which an older layout is brought up to date in a transaction of its own.
  ///
  /// - Throws: `full` when there is no space; the older layout is then as it was.
  func currentOutbox() throws(StorageError) -> OutboxWriter {
    if let outbox { return outbox }
    let found = try Schema.log.verify(in: connection)
    if found < Schema.log.format {
      try transaction { () throws(StorageError) in
        try Schema.log.upgrade(from: found, in: connection)
      }
    }
    let opened = try OutboxWriter(connection)
    outbox = opened
    return opened
  }

  /// Ends the writer, with all in the database where that is possible, so that the next start is
  /// quick.
  ///
  /// Close the readers first. Not needed for safety: a writer that just goes away loses nothing.
  package func close() {
    if connection.isOpen && progress.failure == nil && !connection.isInTransaction {
      // On a full or failing disk all is still in the write-ahead log, for the next start.
      try? progress.inTurn { () throws(StorageError) in
        try connection.checkpoint(SQLITE_CHECKPOINT_TRUNCATE, progress)
      }
    }
    connection.close()
  }

  /// Runs a body as one transaction.
  func transaction(_ body: () throws(StorageError) -> Void) throws(StorageError) {
    try checkUsable()
    do {
      try statements.begin.run()
      try body()
      try statements.commit.run()
    } catch {
      connection.rollBack()
      names.forget()
      if error.kind == .syncFailed {
        progress.note(failure: error)
      }
      throw error
    }
  }

  func checkUsable() throws(StorageError) {
    guard connection.isOpen else {
      throw StorageError(.outOfSequence, file: connection.file, check: "the log is closed")
    }
    if let failure = progress.failure {
      throw failure
    }
  }

  /// The statements of the writer's every day.
  struct Statements {
    let begin: Statement
    let commit: Statement
    let row: Statement
    let part: Statement

    init(_ connection: Connection) throws(StorageError) {
      begin = try connection.prepare("BEGIN IMMEDIATE")
      commit = try connection.prepare("COMMIT")
      row = try connection.prepare(
        """
        INSERT INTO log(seq, time, client, n, total, digest, actions, patch)
        VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        """)
      part = try connection.prepare(
        "INSERT INTO checkpoint_parts(checkpoint, part, bytes) VALUES(?1, ?2, ?3)")
    }
  }

  /// The end of the log.
  struct Position {
    var head: SequenceNumber
    var time: Int64
    /// The sum of sizes of all steps up to the last, counted on from where the log was last empty.
    var total: Int64

    init(_ connection: Connection, floor: SequenceNumber) throws(StorageError) {
      let last = try connection.prepare(
        "SELECT seq, time, total FROM log ORDER BY seq DESC LIMIT 1")
      defer { last.reset() }
      if try last.step() {
        head = SequenceNumber(last.integer(0))
        time = last.integer(1)
        total = last.integer(2)
      } else {
        head = floor
        let checkpoint = try connection.prepare(
          "SELECT time FROM checkpoints WHERE complete=1 ORDER BY seq DESC, id DESC LIMIT 1")
        defer { checkpoint.reset() }
        time = try checkpoint.step() ? checkpoint.integer(0) : .min
        total = 0
      }
      guard head >= floor else {
        throw StorageError(
          .damaged, file: connection.file, check: "the log ends before its floor \(floor)",
          seq: head)
      }
    }
  }
}
