import DuxLog
import Glibc
import Testing

@testable import DuxStorage

/// The write-ahead log's file, whose writes are gathered.
@Suite struct GatheredWALTests {
  let folder = TemporaryFolder()

  /// More frames than wait at a time, and more pages than the writer may keep: SQLite then writes
  /// frames of a transaction before its end, and some of them twice.
  private let large = commit(2...2000, size: 3000)

  private func crowd(_ writer: LogWriter) throws {
    try writer.connection.execute("PRAGMA cache_size=10")
  }

  @Test(arguments: [Durability.full, .normal])
  func allOfACommitIsInTheFileWhenItIsDone(durability: Durability) throws {
    let writer = try openWriter(folder.data, durability: durability)
    let image = folder.path + "/image"
    try crowd(writer)
    try writer.append(commit(1...1))
    try writer.append(large)
    imageOfFiles(of: folder.data, at: image)
    try #expect(readBack(image).steps == [step(1)] + large.entries)
    try writer.append(commit(2001...2001))
    imageOfFiles(of: folder.data, at: image)
    try #expect(readBack(image).steps.count == 2001)
  }

  @Test func whatWasUndoneIsOverwritten() throws {
    let writer = try openWriter(folder.data)
    let image = folder.path + "/image"
    try crowd(writer)
    try writer.append(commit(1...1))
    var broken = large
    broken.outbox = [.put(OutboxRow(key: "a", bytes: []))]
    try writer.connection.execute(
      "CREATE TEMP TRIGGER t BEFORE INSERT ON main.outbox BEGIN SELECT RAISE(ABORT, 'no'); END")
    #expect(storageError { try writer.append(broken) } != nil)
    try writer.append(commit(2...3))
    imageOfFiles(of: folder.data, at: image)
    try #expect(readBack(image).steps == (1...3).map { step($0) })
  }

  @Test(arguments: [Int64(1), 20, 200])
  func anotherConnectionSeesACommitOnlyWhole(count: Int64) throws {
    try withLog(folder.data) { writer in
      try crowd(writer)
      try withReader(writer) { reader in
        try writer.append(commit(1...1))
        try writer.connection.execute("BEGIN IMMEDIATE")
        try writer.connection.execute(
          """
          WITH RECURSIVE r(x) AS (VALUES(2) UNION ALL SELECT x+1 FROM r LIMIT \(count))
          INSERT INTO log SELECT x, 0, 1, x, 0, 0, zeroblob(3000), x'' FROM r
          """)
        try #expect(reader.bounds().head == SequenceNumber(1))
        try writer.connection.execute("COMMIT")
        try #expect(reader.bounds().head == SequenceNumber(1 + count))
      }
    }
  }

  @Test func theSystemIsAskedOnceForASmallCommit() throws {
    try withLog(folder.data) { writer in
      try writer.append(commit(1...1))
      let before = try writes()
      for seq in Int64(2)...201 { try writer.append(commit(seq...seq)) }
      try #expect(writes() - before < 250)
    }
  }

  /// How often this thread has asked the system to write.
  private func writes() throws -> Int {
    let descriptor = open("/proc/thread-self/io", O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1000)
    let count = bytes.withUnsafeMutableBytes { SystemFile.readFully(descriptor, into: $0, at: 0) }
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("syscw: ") })
    return try #require(Int(line.dropFirst("syscw: ".count)))
  }
}
