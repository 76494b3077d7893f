import Glibc
import Testing

@testable import DuxStorage

/// The steps of a client on disk.
struct StepStorageTests {
  private typealias Row = StepStorage.Row

  private let folder = TemporaryFolder()

  private var database: String { folder.data + "/dux.db" }
  private var wal: String { folder.data + "/dux.wal" }

  private func opened(_ name: String = "tty1") throws -> StepStorage {
    try StepStorage(opening: DataFolder(path: folder.data), naming: name)
  }

  private func withSteps<Result>(_ body: (StepStorage) throws -> Result) throws -> Result {
    let storage = try opened()
    defer { storage.close() }
    return try body(storage)
  }

  private static func row(_ id: Int64, n: Int64? = nil, size: Int = 30) -> Row {
    Row(
      id: id, n: n, numberedMs: n.map { $0 + 1_000 },
      bytes: [UInt8](repeating: UInt8(truncatingIfNeeded: id), count: size))
  }

  @Test func whatIsWrittenIsThereAfterAnotherStart() throws {
    try withSteps { storage in
      try storage.write([.put(Self.row(2)), .put(Self.row(0, n: 7)), .put(Self.row(1))])
      try storage.write([.remove(id: 1), .put(Self.row(2, n: 8)), .remove(id: 99)])
    }
    let rows = try withSteps { try $0.rows() }
    #expect(rows == [Self.row(0, n: 7), Self.row(2, n: 8)])
  }

  @Test func theClientsNameIsMadeOnce() throws {
    #expect(try withSteps(\.client) == "tty1")
    let again = try opened("other")
    defer { again.close() }
    #expect(again.client == "tty1")
  }

  @Test func aKillAfterAWriteLosesNothing() throws {
    let storage = try opened()
    for id in 0..<50 { try storage.write([.put(Self.row(Int64(id)))]) }
    let image = folder.path + "/image"
    imageOfFiles(of: folder.data, at: image)
    storage.close()
    let left = try StepStorage(opening: DataFolder(path: image), naming: "x")
    defer { left.close() }
    #expect(left.client == "tty1")
    #expect(try left.rows() == (0..<50).map { Self.row($0) })
  }

  @Test func theWriteAheadLogStaysShort() throws {
    try withSteps { storage in
      for id in Int64(0)..<200 {
        try storage.write([.put(Self.row(id, size: 60_000))])
        try storage.write([.remove(id: id)])
      }
    }
    let length = try #require(try SystemFile.length(of: database))
    #expect(length < 1 << 20)
    #expect(try SystemFile.length(of: wal) == 0)
  }

  @Test func aSecondUserIsToldWhoTheFirstIs() throws {
    try withSteps { _ in
      let refused = storageError { _ = try opened() }
      #expect(refused?.kind == .busy(pid: getpid()))
      #expect(refused?.description.contains(folder.data) == true)
    }
  }

  @Test func aFlippedBitIsFoundOrHarmless() throws {
    let truth = (0..<200).map { Self.row($0, n: $0 < 100 ? $0 + 1 : nil) }
    try withSteps { storage in try storage.write(truth.map { .put($0) }) }
    let good = try #require(contents(database))
    var random = Seeded(state: 3)
    var found = 0
    for offset in Array(0..<110)
      + (0..<200).map({ _ in .random(in: 0..<good.count, using: &random) })
    {
      var bytes = good
      bytes[offset] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
      write(bytes, to: database)
      let refused = storageError {
        let storage = try opened()
        #expect(try storage.rows() == truth, "bit flipped at \(offset)")
        #expect(storage.client == "tty1")
      }
      if let refused {
        found += 1
        #expect(refused.description.contains(folder.data), "bit flipped at \(offset)")
      }
      #expect(contents(database) == bytes && contents(wal) == [], "bit flipped at \(offset)")
    }
    #expect(found > 200)
  }

  @Test func anotherKindOfDatabaseIsLeftAlone() throws {
    try withLog(folder.data) { try $0.append(commit(1...3)) }
    let before = contents(database)
    #expect(storageError { _ = try opened() }?.kind == .foreign)
    #expect(contents(database) == before)
  }

  @Test func aLaterFormatIsNamed() throws {
    try withSteps { _ in }
    var bytes = try #require(contents(database))
    bytes[63] = 9
    write(bytes, to: database)
    #expect(storageError { _ = try opened() }?.kind == .newerFormat(found: 9, supported: 1))
  }
}
