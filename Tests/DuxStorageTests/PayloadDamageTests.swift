import DuxLog
import Testing

@testable import DuxStorage

/// Damage in payloads that nobody needs is met by nobody who only counts steps and bytes.
@Suite struct PayloadDamageTests {
  private let folder = TemporaryFolder()

  /// Where a bad byte is.
  enum Place: CaseIterable {
    /// On a page of the payloads, which then fails its checksum.
    case page
    /// In the payloads of the row, on a page whose checksum is right.
    case payloads
    /// In the heads of the row, so that they do not go together with the payloads.
    case heads
  }

  /// A log of three runs of 100 steps, the first of which is damaged, with a checkpoint behind it.
  private func makeLog(damaged place: Place) throws {
    try withLog(folder.data) { writer in
      for first in [1, 101, 201] as [Int64] {
        try writer.append(commit(first...first + 99, size: 400))
      }
      try writer.writeCheckpoint(
        Checkpoint(seq: SequenceNumber(150), time: 1150, state: Array("{}".utf8)))
      let change =
        switch place {
        case .page: "total=total"
        case .payloads: "patch=CAST(substr(patch,1,9999)||x'00'||substr(patch,10001) AS BLOB)"
        case .heads: "actions=zeroblob(length(actions))"
        }
      try writer.connection.execute("UPDATE log SET \(change) WHERE seq=100")
    }
    guard place == .page else { return }
    let database = folder.data + "/dux.db"
    var bytes = try #require(contents(database))
    let payload = [UInt8](repeating: 50, count: 300)
    let start = try #require(bytes.firstRange(of: payload)?.lowerBound)
    bytes[start] ^= 1
    write(bytes, to: database)
  }

  private let size = Int64(step(100, size: 400).storedSize)

  @Test(arguments: Place.allCases)
  func `the log's size and the retention's floor are told`(place: Place) throws {
    try makeLog(damaged: place)
    try withLog(folder.data) { writer in
      try withReader(writer) { reader in
        #expect(storageError { _ = try reader.all() }?.kind == .damaged)
        let sizes = try reader.sizes()
        #expect(sizes.entryCount == 300)
        let whole = (1...300).reduce(0) { $0 + Int64(step($1, size: 400).storedSize) }
        #expect(sizes.logBytes == whole)

        func floor(_ age: Int64?, _ bytes: Int64?) throws -> SequenceNumber {
          try reader.retentionFloor(
            RetentionLimits(count: nil, ageMs: age, bytes: bytes), now: 1300)
        }
        try #expect(floor(250, nil) == SequenceNumber(place == .heads ? 0 : 49))
        try #expect(floor(nil, whole - 20 * size) <= SequenceNumber(21))
        try #expect(floor(150, nil) == SequenceNumber(149))
        try #expect(floor(nil, 100 * size) == SequenceNumber(200))
      }
    }
  }

  @Test(arguments: Place.allCases)
  func `a log that begins within the run tells its size`(place: Place) throws {
    try makeLog(damaged: place)
    try withLog(folder.data) { writer in
      try writer.meta.setInteger(.floor, 40)
      try withReader(writer) { reader in
        let first = place == .heads ? Int64(1) : 41
        let bytes = (first...300).reduce(0) { $0 + Int64(step($1, size: 400).storedSize) }
        try #expect(reader.sizes().logBytes == bytes)
      }
    }
  }

  @Test(arguments: Place.allCases)
  func `compaction removes the row and the log reads back`(place: Place) throws {
    try makeLog(damaged: place)
    try #expect(readBack(folder.data).steps.count == 150)
    try withLog(folder.data) { writer in
      while try writer.compact(keeping: SequenceNumber(150), slice: 40) {}
      #expect(writer.floor == SequenceNumber(150))
      try #expect(writer.connection.integer("SELECT count(*) FROM log") == 2)
    }
    let (steps, recovery) = try readBack(folder.data)
    #expect(steps == (151...300).map { step($0, size: 400) })
    #expect(recovery.bounds.floor == SequenceNumber(150))
  }
}
