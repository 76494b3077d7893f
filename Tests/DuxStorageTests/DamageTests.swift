import DuxLog
import Glibc
import Testing

@testable import DuxStorage

/// A log of 300 steps in several commits with a checkpoint in the middle, stopped clean; half of
/// its outcomes are gathered.
private func makeLog(_ path: String) throws {
  try withLog(path) { writer in
    for start in stride(from: Int64(1), to: 300, by: 20) {
      try writer.append(commit(start...start + 19, client: "c\(start % 3)", size: 300))
      if start == 141 {
        let fillers = (0..<1100).flatMap {
          outcomes(1...1, client: "filler \($0)", time: 0).outcomes
        }
        try writer.append(Commit(entries: [], outcomes: fillers, time: 0))
        try writer.writeCheckpoint(
          Checkpoint(seq: SequenceNumber(160), time: 1, state: [UInt8](repeating: 5, count: 9000)))
      }
    }
  }
}

/// What a whole reading of a log gives: the steps from the first on, and the checkpoint.
private struct Reading: Equatable {
  var steps: [LogEntry] = []
  var checkpoint: [UInt8]?
  var warnings = 0
  var outcomes: [Outcome?] = []
  var lastNs: [Int64?] = []

  init(_ path: String) throws {
    let writer = try openWriter(path)
    defer { writer.connection.close() }
    let reader = try LogReader(opening: writer.folder)
    defer { reader.close() }
    var checkpoint: [UInt8]?
    let recovery = try recover(
      from: reader, restore: { checkpoint = $0?.state }, apply: { _ in })
    steps = try reader.all()
    self.checkpoint = checkpoint
    warnings = recovery.warnings.count
    for client in ["c0", "c1", "c2", "c3"] {
      lastNs.append(try reader.lastN(client: client))
      outcomes += try stride(from: Int64(1), to: 310, by: 43).map {
        try reader.outcome(client: client, n: $0)
      }
    }
  }
}

@Suite struct DamageTests {
  let folder = TemporaryFolder()

  private var database: String { folder.data + "/dux.db" }
  private var wal: String { folder.data + "/dux.wal" }

  /// Opens and reads the folder as it is: the result must be the truth or an error, and the
  /// files must be as before.
  private func expectTruthOrRefusal(
    _ truth: Reading, _ change: String
  ) throws -> StorageError? {
    let before = (contents(database), contents(wal))
    defer {
      #expect(contents(database) == before.0 && contents(wal) == before.1, "\(change)")
    }
    do {
      var reading = try Reading(folder.data)
      if reading.warnings > 0 {
        reading.checkpoint = truth.checkpoint
        reading.warnings = 0
      }
      try #require(reading == truth, "\(change)")
      return nil
    } catch let error as StorageError {
      #expect(error.description.contains(folder.data) || error.file == "the log", "\(change)")
      return error
    }
  }

  @Test func aFlippedBitIsFoundOrHarmless() throws {
    try makeLog(folder.data)
    let truth = try Reading(folder.data)
    #expect(truth.steps.count == 300 && truth.checkpoint?.count == 9000)
    let good = try #require(contents(database))
    var random = Seeded(state: 1)
    var foundByChecksum = 0
    for offset in Array(0..<110)
      + (0..<300).map({ _ in .random(in: 0..<good.count, using: &random) })
    {
      var bytes = good
      bytes[offset] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
      write(bytes, to: database)
      let refused = try expectTruthOrRefusal(truth, "bit flipped at \(offset)")
      if refused?.code == ExtendedCode.damagedPage { foundByChecksum += 1 }
    }
    #expect(foundByChecksum > 200)
  }

  @Test func aTruncatedDatabaseIsRefused() throws {
    try makeLog(folder.data)
    let truth = try Reading(folder.data)
    let good = try #require(contents(database))
    var random = Seeded(state: 2)
    let lengths = [0, 1, 99, 100, 4095, 4096, good.count - 4096, good.count - 1]
    for length in lengths + (0..<60).map({ _ in .random(in: 0..<good.count, using: &random) }) {
      write(good[..<length], to: database)
      let refused = try expectTruthOrRefusal(truth, "cut at \(length)")
      #expect(refused?.kind == .damaged, "cut at \(length)")
    }
  }

  @Test func aTruncatedDatabaseBesideAFullLogIsRefusedOrWhole() throws {
    do {
      let writer = try openWriter(folder.data)
      for start in stride(from: Int64(1), to: 200, by: 20) {
        try writer.append(commit(start...start + 19))
      }
      let checkpointer = try writer.makeCheckpointer()
      try checkpointer.run()
      checkpointer.close()
      try writer.append(commit(201...220))
    }
    let truth = try Reading(folder.data)
    #expect(truth.steps.count == 220)
    let good = try #require(contents(database))
    for length in stride(from: 0, to: good.count, by: 1777) {
      write(good[..<length], to: database)
      _ = try expectTruthOrRefusal(truth, "cut at \(length)")
    }
  }

  @Test func aFlippedBitInTheWriteAheadLogLosesNothingButATornLastCommit() throws {
    do {
      let writer = try openWriter(folder.data)
      for seq in Int64(1)...20 { try writer.append(commit(seq...seq)) }
    }
    let truth = try Reading(folder.data)
    var beforeLast = truth
    beforeLast.steps.removeLast()
    let good = try #require(contents(wal))
    var random = Seeded(state: 3)
    for offset in Array(0..<60)
      + (0..<400).map({ _ in .random(in: 0..<good.count, using: &random) })
    {
      var bytes = good
      bytes[offset] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
      write(bytes, to: wal)
      let database = contents(self.database)
      do {
        let reading = try Reading(folder.data)
        // A bit in the last commit looks like a commit that was being written.
        let isInLastCommit = offset >= good.count - 4 * 4120
        try #require(
          reading == truth || (isInLastCommit && reading == beforeLast), "flipped at \(offset)")
      } catch let error as StorageError {
        #expect(error.kind == .damaged, "flipped at \(offset)")
        #expect(contents(wal) == bytes && contents(self.database) == database)
      }
    }
  }

  @Test func commitsLostWithoutSyncsAreNoDamage() throws {
    do {
      let writer = try openWriter(folder.data, durability: .normal)
      for seq in Int64(1)...20 { try writer.append(commit(seq...seq)) }
    }
    var bytes = try #require(contents(wal))
    bytes[bytes.count / 2] ^= 1
    write(bytes, to: wal)
    #expect(storageError { _ = try openWriter(folder.data, durability: .full) }?.kind == .damaged)
    try withLog(folder.data, durability: .normal) { writer in
      #expect(writer.head > .zero && writer.head < SequenceNumber(20))
    }
  }

  @Test func aMissingWriteAheadLogIsRefused() throws {
    do {
      let writer = try openWriter(folder.data)
      try writer.append(commit(1...5))
    }
    unlink(wal)
    let refused = storageError { _ = try openWriter(folder.data) }
    #expect(refused?.kind == .damaged)
    #expect(refused?.file == wal)
    #expect(contents(wal) == nil)
  }

  @Test func aMissingDatabaseIsRefusedWhereThereWasOne() throws {
    try makeLog(folder.data)
    unlink(database)
    #expect(storageError { _ = try openWriter(folder.data) }?.kind == .damaged)
    #expect(contents(database) == nil)
  }

  @Test(arguments: [0, 1, 100, 5000])
  func aFileThatIsNoDatabaseIsRefused(length: Int) throws {
    try withLog(folder.data) { _ in }
    let noise = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7 + 3) }
    write(noise, to: database)
    #expect(storageError { _ = try openWriter(folder.data) }?.kind == .damaged)
    #expect(contents(database) == noise)
  }

  @Test func anotherApplicationsDatabaseIsRefused() throws {
    try withLog(folder.data) { _ in }
    unlink(database)
    run("/usr/bin/sqlite3", database, "CREATE TABLE t(x); INSERT INTO t VALUES(1)")
    let before = try #require(contents(database))
    #expect(storageError { _ = try openWriter(folder.data) }?.kind == .foreign)
    #expect(contents(database) == before)
  }

  @Test func aNewerFormatIsRefusedAndNamed() throws {
    try makeLog(folder.data)
    var bytes = try #require(contents(database))
    bytes[63] = 9
    write(bytes, to: database)
    let refused = storageError { _ = try openWriter(folder.data) }
    #expect(refused?.kind == .newerFormat(found: 9, supported: 3))
    #expect(contents(database) == bytes)
  }

  @Test func anotherAppsLogIsRefused() throws {
    try makeLog(folder.data)
    let before = contents(database)
    let refused = storageError {
      _ = try LogWriter(
        opening: DataFolder(path: folder.data), durability: .full,
        app: AppIdentity(name: "todos", version: 1), limits: .standard)
    }
    #expect(refused?.kind == .wrongApp(found: "document", expected: "todos"))
    #expect(contents(database) == before)
  }

  @Test func anotherProgramsWriteIsFound() throws {
    try makeLog(folder.data)
    run("/usr/bin/sqlite3", database, "UPDATE log SET n=7 WHERE seq=260")
    let refused = storageError { _ = try Reading(folder.data) }
    #expect(refused?.kind == .damaged)
  }
}
