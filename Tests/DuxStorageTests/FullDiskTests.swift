import DuxLog
import Glibc
import Testing

@testable import DuxStorage

/// A small file system in memory, for a disk that is full.
private final class SmallDisk {
  let path: String
  /// Kept, so that it goes only after the disk in it was unmounted.
  private let folder: TemporaryFolder

  init?(_ folder: TemporaryFolder) {
    self.folder = folder
    path = folder.path + "/disk"
    mkdir(path, 0o700)
    guard run("/bin/mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", path) == 0 else { return nil }
  }

  deinit {
    run("/bin/umount", "-l", path)
  }

  static let isPossible = geteuid() == 0 && SmallDisk(TemporaryFolder()) != nil

  func fill() {
    let descriptor = open(path + "/filler", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    let block = [UInt8](repeating: 1, count: 4096)
    while block.withUnsafeBytes({ Glibc.write(descriptor, $0.baseAddress, $0.count) }) > 0 {}
    close(descriptor)
  }

  func free() {
    // A process that another test is starting may hold the file open for a moment longer.
    truncate(path + "/filler", 0)
    unlink(path + "/filler")
  }
}

// Only the superuser can mount the small disk that these need.
@Suite(.enabled(if: SmallDisk.isPossible))
struct FullDiskTests {
  let folder = TemporaryFolder()

  @Test func aFullDiskRefusesCommitsWholeAndWorksAgainOnceThereIsSpace() throws {
    let disk = try #require(SmallDisk(folder))
    let path = disk.path + "/data"
    let clients = try withLog(path) { writer in
      try writer.append(commit(1...2, client: "c"))
      disk.fill()
      #expect(try appendUntilRefused(writer).kind == .full)
      let head = writer.head.value
      let refusedClient = "c\(head + 1)"
      return try withReader(writer) { reader in
        try #expect(reader.all().count == Int(head))
        try #expect(reader.lastN(client: refusedClient) == nil)
        disk.free()
        try writer.append(commit(head + 1...head + 1, client: "other"))
        try writer.append(commit(head + 2...head + 200, client: refusedClient, size: 900))
        try #expect(reader.outcome(client: "other", n: head + 1)?.n == head + 1)
        try #expect(reader.lastN(client: refusedClient) == head + 200)
        return ["c", "c"] + (3..<head + 1).map { "c\($0)" } + ["other"]
          + [String](repeating: refusedClient, count: 199)
      }
    }
    try #expect(readBack(path).steps.map(\.client) == clients)
  }

  /// SQLite then writes frames before the end of the transaction, which wait, and reads them again.
  @Test func aCommitLargerThanTheDiskAndTheCacheIsRefusedWhole() throws {
    let disk = try #require(SmallDisk(folder))
    let path = disk.path + "/data"
    try withLog(path) { writer in
      try writer.connection.execute("PRAGMA cache_size=10")
      try writer.append(commit(1...2))
      for size in [3000, 300, 9000] {
        #expect(storageError { try writer.append(commit(3...20_000, size: size)) }?.kind == .full)
        try withReader(writer) { try #expect($0.all() == [step(1), step(2)]) }
      }
      try writer.append(commit(3...50))
    }
    try #expect(readBack(path).steps == (1...50).map { step($0) })
  }

  @Test func aStartOnAFullDiskServesReadsAndTakesCommitsLater() throws {
    let disk = try #require(SmallDisk(folder))
    let path = disk.path + "/data"
    do {
      let writer = try openWriter(path)
      try writer.append(commit(1...200, size: 900))
    }
    for _ in 0..<2 {
      disk.fill()
      try withLog(path) { writer in
        try withReader(writer) { reader in
          try #expect(reader.bounds().head == writer.head)
          #expect(try appendUntilRefused(writer).kind == .full)
          disk.free()
          let next = writer.head.value + 1
          try writer.append(commit(next...next))
        }
      }
    }
  }

  @Test func aCreationOnAFullDiskFailsCleanAndCanBeRepeated() throws {
    let disk = try #require(SmallDisk(folder))
    disk.fill()
    #expect(storageError { _ = try openWriter(disk.path + "/data") }?.kind == .full)
    disk.free()
    try withLog(disk.path + "/data") { try $0.append(commit(1...1)) }
    try #expect(readBack(disk.path + "/data").steps == [step(1)])
  }

  @Test func aFullDiskRefusesOutboxChangesWholeAndTakesThemLater() throws {
    let disk = try #require(SmallDisk(folder))
    let path = disk.path + "/data"
    func next(_ number: Int) -> Commit {
      var made = changes(.put(effect("\(number)")), .put(effect("last", number)))
      made.appVersion = Int64(number)
      return made
    }
    let expected = try withLog(path) { writer in
      try writer.append(next(0))
      disk.fill()
      var count = 1
      var refused: StorageError?
      while refused == nil {
        refused = storageError { try writer.append(next(count)) }
        if refused == nil { count += 1 }
      }
      #expect(refused?.kind == .full)
      #expect(writer.appVersion == Int64(count - 1))
      var rows = [effect("0"), effect("last", count - 1)] + (1..<count).map { effect("\($0)") }
      return try withReader(writer) { reader in
        try #expect(reader.outbox() == rows)
        disk.free()
        try writer.append(next(count))
        rows[1] = effect("last", count)
        rows.append(effect("\(count)"))
        try #expect(reader.outbox() == rows)
        #expect(writer.appVersion == Int64(count))
        return rows
      }
    }
    try #expect(outboxAfterRestart(path) == expected)
  }

  @Test func aFolderOfFormatOneOpensOnAFullDiskAndIsUpgradedOnceThereIsSpace() throws {
    let disk = try #require(SmallDisk(folder))
    let path = disk.path + "/data"
    try FormatOne.make(path, end: .stopped)
    disk.fill()
    try withLog(path) { writer in
      try withReader(writer) { reader in
        try #expect(reader.all(after: 2).count == 3)
        try #expect(reader.outbox() == [])
        let put = changes(.put(effect("a")))
        #expect(storageError { try writer.append(put) }?.kind == .full)
        try #expect(reader.outbox() == [])
        disk.free()
        try writer.append(put)
        try #expect(reader.outbox() == [effect("a")])
        try #expect(reader.all(after: 2).count == 3)
      }
    }
    try #expect(outboxAfterRestart(path) == [effect("a")])
  }

  private func appendUntilRefused(_ writer: LogWriter) throws -> StorageError {
    while true {
      let next = writer.head.value + 1
      if let refused = storageError({
        try writer.append(commit(next...next, client: "c\(next)", size: 900))
      }) {
        #expect(writer.head == SequenceNumber(next - 1))
        return refused
      }
    }
  }
}
