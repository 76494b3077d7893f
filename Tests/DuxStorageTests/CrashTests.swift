import DuxLog
import Glibc
import Testing

@testable import DuxStorage

@Suite struct CrashTests {
  let folder = TemporaryFolder()

  @Test(arguments: [Durability.full, .normal])
  func everythingAppendedIsThereAfterTheProcessDied(durability: Durability) throws {
    let image = folder.path + "/image"
    let writer = try openWriter(folder.data, durability: durability)
    for seq in Int64(1)...50 {
      try writer.append(commit(seq...seq))
    }
    imageOfFiles(of: folder.data, at: image)
    let (steps, recovery) = try readBack(image)
    #expect(steps == (1...50).map { step($0) })
    #expect(recovery.warnings.isEmpty)
    #expect(writer.head == SequenceNumber(50))
  }

  @Test func aWriterThatIsLetGoWithoutClosingLosesNothing() throws {
    for round in Int64(0)..<3 {
      let writer = try openWriter(folder.data)
      #expect(writer.head == SequenceNumber(round))
      try writer.append(commit(round + 1...round + 1))
    }
    try #expect(readBack(folder.data).steps.count == 3)
  }

  /// A commit of one page is cut at every byte, a longer one at bytes throughout.
  @Test(arguments: [(Int64(1), 1), (30, 131)])
  func aTornLastCommitLeavesExactlyTheCommitsBefore(count: Int64, stride: Int) throws {
    let image = folder.path + "/image"
    let before: Int
    do {
      let writer = try openWriter(folder.data)
      try writer.append(commit(1...3))
      try writer.append(commit(4...5))
      before = contents(folder.data + "/dux.wal")?.count ?? 0
      var last = commit(6...5 + count)
      if count == 1 { last.outcomes = [] }
      try writer.append(last)
      imageOfFiles(of: folder.data, at: image)
    }
    let whole = try #require(contents(image + "/dux.wal")?.count)
    #expect(before > 0 && whole > before)
    for length in Swift.stride(from: whole, to: before - 1, by: -stride) {
      try #require(truncate(image + "/dux.wal", length) == 0)
      let (steps, _) = try readBack(image)
      let expected = length == whole ? 5 + count : 5
      try #require(steps == (1...expected).map { step($0) }, "cut at \(length)")
    }
  }

  @Test func aTornCommitMayHaveLostAnyOfItsPages() throws {
    let image = folder.path + "/image"
    let before: Int
    do {
      let writer = try openWriter(folder.data)
      try writer.append(commit(1...3))
      before = contents(folder.data + "/dux.wal")?.count ?? 0
      try writer.append(commit(4...40, size: 500))
      imageOfFiles(of: folder.data, at: image)
    }
    let wal = try #require(contents(image + "/dux.wal"))
    for start in stride(from: before, to: wal.count, by: 4120) {
      var torn = wal
      torn.replaceSubrange(start..<start + 4120, with: [UInt8](repeating: 0, count: 4120))
      write(torn, to: image + "/dux.wal")
      try #require(readBack(image).steps.count == 3, "page lost at \(start)")
    }
  }

  @Test func aCrashDuringTheCreationStartsAnew() throws {
    mkdir(folder.data, 0o700)
    write([UInt8](repeating: 7, count: 5000), to: folder.data + "/dux.db.new")
    write([], to: folder.data + "/dux.wal")
    try withLog(folder.data) { try $0.append(commit(1...1)) }
    try #expect(readBack(folder.data).steps == [step(1)])
    #expect(contents(folder.data + "/dux.db.new") == nil)
  }

  @Test func aCheckpointThatWasNeverFinishedIsIgnoredAndRemoved() throws {
    do {
      let writer = try openWriter(folder.data)
      try writer.append(commit(1...2))
      try writer.beginCheckpoint(seq: SequenceNumber(2), time: 1, byteCount: 10)
      try writer.writePart([1, 2, 3][...])
    }
    try withLog(folder.data) { writer in
      try withReader(writer) { reader in
        try #expect(reader.checkpoints() == [])
        try #expect(reader.newestCheckpoint(atOrBefore: nil).checkpoint == nil)
        while try writer.compact(keeping: .zero, slice: 10) {}
        try writer.writeCheckpoint(Checkpoint(seq: SequenceNumber(2), time: 1, state: [9]))
        try #expect(reader.newestCheckpoint(atOrBefore: nil).checkpoint?.state == [9])
      }
    }
  }
}
