import DuxLog
import Glibc
import Testing

@testable import DuxStorage

@Suite struct UpgradeTests {
  let folder = TemporaryFolder()

  private var database: String { folder.data + "/dux.db" }
  private var wal: String { folder.data + "/dux.wal" }

  /// Looks at a folder's files without the writer, which would bring them up to date.
  private func look(_ path: String) throws -> (format: Int64, rows: [[UInt8]]) {
    let connection = try Connection(path + "/dux.db", .reading)
    defer { connection.close() }
    return (try Schema.log.verify(in: connection), try FormatOne.dump(connection))
  }

  @Test(arguments: FormatOne.End.allCases)
  func aFolderOfFormatOneOpensWithAllItsData(end: FormatOne.End) throws {
    try FormatOne.make(folder.data, end: end)
    let before = try look(folder.data)
    #expect(before.format == 1)
    try withLog(folder.data) { writer in
      #expect(writer.epoch == FormatOne.epoch)
      #expect(writer.appVersion == 1)
      #expect(writer.lastTime == 1005)
      try withReader(writer) { try expectAllData($0) }
      try #expect(FormatOne.dump(writer.connection) == before.rows)
    }
    let after = try look(folder.data)
    #expect(after.format == 3)
    #expect(after.rows == before.rows)
    #expect(contents(database)?[63] == 3)
    let (steps, recovery) = try readBack(folder.data)
    #expect(steps == [step(5, client: "b\0c", size: 4)])
    #expect(recovery.checkpoint == SequenceNumber(4))
  }

  private func expectAllData(_ reader: LogReader) throws {
    try #expect(
      reader.all(after: 2)
        == [step(3, size: 4), step(4, client: "b\0c", size: 4), step(5, client: "b\0c", size: 4)])
    try #expect(reader.bounds() == LogBounds(floor: SequenceNumber(2), head: SequenceNumber(5)))
    for n in Int64(1)...3 {
      try #expect(
        reader.outcome(client: "tty1", n: n)?.result
          == .accepted(seq: SequenceNumber(n), changed: n == 2))
    }
    try #expect(
      reader.outcome(client: "b\0c", n: 9)
        == Outcome(
          n: 9, bodyDigest: 7, result: .rejected(code: "rejected", reason: "r", message: "no")))
    try #expect(reader.lastN(client: "filler 1") == 1)
    try #expect(reader.checkpoints().map(\.value) == [4, 2])
    for (seq, state) in [(4, #"{"a":4}"#), (2, #"{"a":2}"#)] as [(Int64, String)] {
      let found = try reader.newestCheckpoint(atOrBefore: SequenceNumber(seq))
      #expect(found.checkpoint?.state == Array(state.utf8))
      #expect(found.warnings.isEmpty)
    }
    try #expect(reader.outbox() == [])
  }

  @Test(arguments: FormatOne.End.allCases)
  func anUpgradedFolderGoesOnWithAnOutbox(end: FormatOne.End) throws {
    try FormatOne.make(folder.data, end: end)
    for seq in Int64(6)...8 {
      try withLog(folder.data) { writer in
        var next = commit(seq...seq)
        next.outbox = [.put(effect("\(seq)"))]
        next.appVersion = 2
        try writer.append(next)
        while try writer.compact(keeping: SequenceNumber(4), slice: 100) {}
      }
    }
    try #expect(outboxAfterRestart(folder.data).map(\.key) == ["6", "7", "8"])
    try withLog(folder.data) { writer in
      #expect(writer.appVersion == 2)
      #expect(writer.floor == SequenceNumber(4))
      try withReader(writer) { try #expect($0.all(after: 4).count == 4) }
    }
  }

  @Test func anUpgradedFolderIsLaidOutAsANewOne() throws {
    try FormatOne.make(folder.data, end: .stopped)
    func layout(_ path: String) throws -> [[UInt8]] {
      try withLog(path) { writer in
        let rows = try writer.connection.prepare(
          "SELECT CAST(coalesce(sql, name) AS BLOB) FROM sqlite_schema ORDER BY rowid")
        var found: [[UInt8]] = []
        while try rows.step() { found.append(rows.array(0)) }
        return found
      }
    }
    try #expect(layout(folder.data) == layout(folder.path + "/new"))
  }

  @Test(arguments: FormatOne.End.allCases)
  func anUpgradeCutOffAnywhereLeavesFormatOneWhole(end: FormatOne.End) throws {
    try FormatOne.make(folder.data, end: end)
    let truth = try look(folder.data).rows
    let before = contents(wal)?.count ?? 0
    let image = folder.path + "/image"
    do {
      let writer = try openWriter(folder.data)
      imageOfFiles(of: folder.data, at: image)
      writer.connection.close()
    }
    let whole = try #require(contents(image + "/dux.wal")?.count)
    #expect(whole > before)
    for length in stride(from: whole, to: before - 1, by: -131) {
      try #require(truncate(image + "/dux.wal", length) == 0)
      let found = try look(image)
      try #require(found.format == (length == whole ? 3 : 1), "cut at \(length)")
      try #require(found.rows == truth, "cut at \(length)")
    }
    try withLog(image) { writer in try withReader(writer) { try expectAllData($0) } }
    try #expect(look(image).format == 3)
  }

  /// The database may not grow by more than so many pages.
  @Test(arguments: Int64(0)...3)
  func anUpgradeThatFailsHalfwayLeavesFormatOneWhole(pages: Int64) throws {
    try FormatOne.make(folder.data, end: .stopped)
    let truth = try look(folder.data).rows
    let connection = try Connection(database, .writing(.full))
    let limit = try connection.integer("PRAGMA page_count") + pages
    try connection.execute("PRAGMA max_page_count=\(limit); BEGIN IMMEDIATE")
    let refused = storageError { try Schema.log.upgrade(from: 1, in: connection) }
    connection.rollBack()
    connection.close()
    #expect(pages >= 2 || refused?.kind == .full)
    let found = try look(folder.data)
    #expect(found.format == 1)
    #expect(found.rows == truth)
    try #expect(outboxAfterRestart(folder.data) == [])
    try #expect(look(folder.data).format == 3)
  }

  @Test(arguments: FormatOne.End.allCases)
  func aFolderOfFormatTwoGoesOnWithRunsOfSteps(end: FormatOne.End) throws {
    try FormatTwo.make(folder.data, end: end)
    let before = try look(folder.data)
    #expect(before.format == 2)
    let old = [step(3, size: 4)] + (4...5).map { step($0, client: "b\0c", size: 4) }
    let new = (6...205).map { step($0, client: "b\0c") }
    try withLog(folder.data) { writer in
      try #expect(FormatOne.dump(writer.connection) == before.rows)
      try #expect(look(folder.data).format == 3)
      try writer.append(Commit(entries: new, outcomes: [], time: 1))
      try withReader(writer) { reader in
        try #expect(reader.outbox() == [effect("a")])
        try #expect(reader.all(after: 2) == old + new)
        let across = try reader.entries(
          after: SequenceNumber(4), through: SequenceNumber(99), maximumCount: 50,
          maximumBytes: .max)
        #expect(across == Array((old + new)[2..<52]))
        try #expect(reader.firstEntry(atOrAfter: 1004) == SequenceNumber(4))
        try #expect(reader.firstEntry(atOrAfter: 1100) == SequenceNumber(100))
        let size = (old + new).reduce(0) { $0 + Int64($1.storedSize) }
        try #expect(reader.sizes().logBytes == size)
      }
      while try writer.compact(keeping: SequenceNumber(4), slice: 100) {}
    }
    #expect(contents(database)?[63] == 3)
    #expect(try readBack(folder.data).steps == [old[2]] + new)
  }

  @Test func aReleaseOfFormatTwoRefusesTheFolder() throws {
    try withLog(folder.data) { try $0.append(commit(1...100)) }
    let older = Schema(
      applicationID: Schema.log.applicationID, format: 2, tables: Schema.log.tables)
    let connection = try Connection(database, .reading)
    defer { connection.close() }
    #expect(
      storageError { try older.verify(in: connection) }?.kind
        == .newerFormat(found: 3, supported: 2))
  }

  @Test func anotherAppsFolderOfFormatOneStaysAsItIs() throws {
    try FormatOne.make(folder.data, end: .stopped)
    let before = (contents(database), contents(wal))
    let refused = storageError {
      _ = try LogWriter(
        opening: DataFolder(path: folder.data), durability: .full,
        app: AppIdentity(name: "todos", version: 1), limits: .standard)
    }
    #expect(refused?.kind == .wrongApp(found: "document", expected: "todos"))
    #expect(contents(database) == before.0 && contents(wal) == before.1)
  }

  @Test(arguments: ["CREATE TABLE outbox(id)", "DROP TABLE outcomes", "CREATE INDEX i ON log(n)"])
  func aFolderOfFormatOneThatIsNotAsLaidOutIsRefused(change: String) throws {
    try FormatOne.make(folder.data, end: .stopped)
    do {
      let connection = try Connection(database, .writing(.full))
      defer { connection.close() }
      try connection.execute(change)
    }
    let before = (contents(database), contents(wal))
    #expect(storageError { _ = try openWriter(folder.data) }?.kind == .damaged)
    #expect(contents(database) == before.0 && contents(wal) == before.1)
  }

  @Test(arguments: [0, -1]) func aFormatThatNeverWasIsRefused(format: Int8) throws {
    try FormatOne.make(folder.data, end: .stopped)
    var bytes = try #require(contents(database))
    bytes.replaceSubrange(
      60..<64, with: [UInt8](repeating: UInt8(bitPattern: format), count: 4))
    write(bytes, to: database)
    #expect(storageError { _ = try openWriter(folder.data) }?.kind == .damaged)
    #expect(contents(database) == bytes)
  }
}
