import DuxLog
import Glibc
import Testing

@testable import DuxStorage

@Suite struct OutboxFaultTests {
  let folder = TemporaryFolder()

  @Test(arguments: [Durability.full, .normal])
  func everythingPutIsThereAfterTheProcessDied(durability: Durability) throws {
    let image = folder.path + "/image"
    let writer = try openWriter(folder.data, durability: durability)
    for seq in Int64(1)...50 {
      var made = commit(seq...seq)
      made.outbox = [.put(effect("\(seq)")), .remove(key: "\(seq - 5)")]
      made.appVersion = seq
      try writer.append(made)
    }
    imageOfFiles(of: folder.data, at: image)
    try #expect(outboxAfterRestart(image).map(\.key) == (46...50).map { "\($0)" })
    try withLog(image) { #expect($0.appVersion == 50) }
  }

  @Test func aTornCommitLeavesStepsOutcomesOutboxAndVersionOfTheCommitBefore() throws {
    let image = folder.path + "/image"
    let before: Int
    do {
      let writer = try openWriter(folder.data)
      var first = commit(1...1)
      first.outbox = [.put(effect("a", 1)), .put(effect("b"))]
      try writer.append(first)
      before = contents(folder.data + "/dux.wal")?.count ?? 0
      var last = commit(2...2)
      last.outbox = [.remove(key: "b"), .put(effect("c")), .put(effect("a", 2))]
      last.appVersion = 2
      try writer.append(last)
      imageOfFiles(of: folder.data, at: image)
    }
    let whole = try #require(contents(image + "/dux.wal")?.count)
    #expect(before > 0 && whole > before)
    for length in stride(from: whole, to: before - 1, by: -37) {
      try #require(truncate(image + "/dux.wal", length) == 0)
      let isWhole = length == whole
      let writer = try openWriter(image)
      defer { writer.connection.close() }
      let (rows, lastN) = try withReader(writer) {
        try ($0.outbox(), $0.lastN(client: "tty1"))
      }
      let expected = isWhole ? [effect("a", 2), effect("c")] : [effect("a", 1), effect("b")]
      try #require(rows == expected, "cut at \(length)")
      try #require(writer.head == SequenceNumber(isWhole ? 2 : 1), "cut at \(length)")
      try #require(lastN == (isWhole ? 2 : 1), "cut at \(length)")
      try #require(writer.appVersion == (isWhole ? 2 : 1), "cut at \(length)")
    }
  }

  @Test(arguments: [
    "UPDATE outbox SET bytes=x'7b7d' WHERE id=2", "UPDATE outbox SET key=x'62' WHERE id=2",
    "UPDATE outbox SET id=9 WHERE id=2",
  ])
  func aChangedRowIsFoundAndNamed(change: String) throws {
    try withLog(folder.data) { writer in
      try writer.append(
        changes(.put(effect("a")), .put(effect("b\0\n\"")), .put(effect("c"))))
      try writer.connection.execute(change)
    }
    let refused = storageError { _ = try outboxAfterRestart(folder.data) }
    #expect(refused?.kind == .damaged)
    #expect(refused?.description.contains("\"b") == true)
    #expect(refused?.description.contains("\n") == false)
  }

  @Test func aFlippedBitInTheOutboxIsFound() throws {
    let rows = (0..<300).map {
      OutboxRow(key: "key-\($0)", bytes: [UInt8](repeating: 0x55, count: 200))
    }
    try withLog(folder.data) { writer in
      try writer.append(
        Commit(entries: [], outcomes: [], outbox: rows.map { .put($0) }, time: 1))
    }
    let good = try #require(contents(folder.data + "/dux.db"))
    let places = good.indices.filter { good[$0] == 0x55 }
    var random = Seeded(state: 4)
    for _ in 0..<40 {
      var bytes = good
      let place = try #require(places.randomElement(using: &random))
      bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      write(bytes, to: folder.data + "/dux.db")
      let refused = storageError { _ = try outboxAfterRestart(folder.data) }
      #expect(refused?.kind == .damaged, "flipped at \(place)")
    }
  }

  @Test func theCeilingOfTheWriteAheadLogHoldsForOutboxChangesAlone() throws {
    let small = WALLimits(
      checkpointPages: 50, restartPages: 50, tailPages: 20, ceilingPages: 400)
    try withLog(folder.data, durability: .normal, limits: small) { writer in
      for number in 0..<600 {
        try writer.append(
          changes(.put(effect("\(number)", number)), .remove(key: "\(number - 3)")))
        #expect(writer.walPageCount < 420)
      }
    }
    try #expect(outboxAfterRestart(folder.data).map(\.key) == ["597", "598", "599"])
    #expect((contents(folder.data + "/dux.db")?.count ?? .max) < 1_000_000)
  }
}
