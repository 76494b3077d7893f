import DuxLog
import Testing

@testable import DuxStorage

/// A state whose bytes follow from its step.
private func checkpoint(_ seq: Int64, size: Int = 100) -> Checkpoint {
  Checkpoint(
    seq: SequenceNumber(seq), time: 1000 + seq,
    state: [UInt8](repeating: UInt8(truncatingIfNeeded: seq), count: size))
}

/// Compacts to the end and gives the number of calls.
@discardableResult
private func compactAll(_ writer: LogWriter, keeping floor: Int64, slice: Int) throws -> Int {
  var calls = 1
  while try writer.compact(keeping: SequenceNumber(floor), slice: slice) {
    calls += 1
    try #require(calls < 10_000)
  }
  return calls
}

@Suite struct CompactionTests {
  let folder = TemporaryFolder()

  @Test func checkpointsOfAllSizesReadBackAsWritten() throws {
    try withLog(folder.data) { writer in
      try writer.append(commit(1...9))
      try withReader(writer) { reader in
        try #expect(reader.newestCheckpoint(atOrBefore: nil).checkpoint == nil)
        for (seq, size) in [(1, 0), (3, 1), (5, LogWriter.checkpointPartSize), (7, 1_000_001)]
          as [(Int64, Int)]
        {
          let written = checkpoint(seq, size: size)
          try writer.writeCheckpoint(written)
          let read = try reader.newestCheckpoint(atOrBefore: nil)
          #expect(read.checkpoint?.state == written.state)
          #expect(read.checkpoint?.seq == written.seq)
          #expect(read.checkpoint?.time == written.time)
          #expect(read.warnings.isEmpty)
        }
        try #expect(reader.checkpoints().map(\.value) == [7, 5, 3, 1])
        let older = try reader.newestCheckpoint(atOrBefore: SequenceNumber(6)).checkpoint
        #expect(older?.seq == SequenceNumber(5))
      }
    }
  }

  @Test func commitsGoOnBetweenTheParts() throws {
    try withLog(folder.data) { writer in
      try writer.append(commit(1...1))
      try writer.beginCheckpoint(seq: SequenceNumber(1), time: 1, byteCount: 100_000)
      try writer.writePart([UInt8](repeating: 1, count: 60_000)[...])
      try writer.append(commit(2...2))
      #expect(storageError { try writer.finishCheckpoint() }?.kind == .outOfSequence)
      let tooLong = [UInt8](repeating: 1, count: LogWriter.checkpointPartSize + 1)
      #expect(storageError { try writer.writePart(tooLong[...]) }?.kind == .outOfSequence)
      let tooMuch = [UInt8](repeating: 1, count: 40_001)
      #expect(storageError { try writer.writePart(tooMuch[...]) }?.kind == .outOfSequence)
      try writer.writePart(tooMuch.dropLast())
      try writer.finishCheckpoint()
      #expect(storageError { try writer.writeCheckpoint(checkpoint(3)) }?.kind == .outOfSequence)
      try withReader(writer) { reader in
        try #expect(
          reader.newestCheckpoint(atOrBefore: nil).checkpoint?.state
            == [UInt8](repeating: 1, count: 100_000))
      }
    }
  }

  @Test func recoveryStartsAtTheNewestCheckpoint() throws {
    try withLog(folder.data) { writer in
      try writer.append(commit(1...3000))
      try writer.writeCheckpoint(checkpoint(2900))
    }
    let (steps, recovery) = try readBack(folder.data)
    #expect(steps == (2901...3000).map { step($0) })
    #expect(recovery.checkpoint == SequenceNumber(2900))
    #expect(recovery.entryCount == 100)
  }

  @Test func compactionStopsAtTheCheckpointAtOrBeforeTheWish() throws {
    try withLog(folder.data) { writer in
      try writer.append(commit(1...1000))
      for seq in [200, 500, 700] as [Int64] { try writer.writeCheckpoint(checkpoint(seq)) }
      try withReader(writer) { reader in
        let calls = try compactAll(writer, keeping: 650, slice: 100)
        #expect(calls >= 6)
        #expect(writer.floor == SequenceNumber(500))
        try #expect(reader.checkpoints().map(\.value) == [700, 500])
        try #expect(
          reader.bounds()
            == LogBounds(floor: SequenceNumber(500), head: SequenceNumber(1000)))
        try #expect(reader.all(after: 500) == (501...1000).map { step($0) })
        #expect(
          storageError { _ = try reader.all(after: 499) }?.kind
            == .compacted(floor: SequenceNumber(500)))
        try #expect(reader.outcome(client: "tty1", n: 3)?.n == 3)
      }
    }
    let (steps, recovery) = try readBack(folder.data)
    #expect(steps == (701...1000).map { step($0) })
    #expect(recovery.bounds.floor == SequenceNumber(500))
  }

  @Test func withoutACheckpointNothingGoes() throws {
    try withLog(folder.data) { writer in
      try writer.append(commit(1...10))
      try compactAll(writer, keeping: 10, slice: 100)
      #expect(writer.floor == .zero)
    }
    try #expect(readBack(folder.data).steps.count == 10)
  }

  @Test func aLogCompactedToItsHeadGoesOn() throws {
    try withLog(folder.data) { writer in
      try writer.append(commit(1...10))
      try writer.writeCheckpoint(checkpoint(10))
      try compactAll(writer, keeping: .max, slice: 100)
    }
    try withLog(folder.data) { writer in
      #expect(writer.head == SequenceNumber(10))
      #expect(writer.lastTime == 1010)
      try withReader(writer) { reader in
        try #expect(reader.sizes().entryCount == 0)
        try #expect(reader.all(after: 10) == [])
        #expect(storageError { _ = try reader.all(after: 3) } != nil)
      }
      try writer.append(commit(11...12))
    }
    try #expect(readBack(folder.data).steps == [step(11), step(12)])
  }

  @Test func aDamagedCheckpointIsPassedOverAndNeverCompactedTo() throws {
    try withLog(folder.data) { writer in
      try writer.append(commit(1...100))
      try writer.writeCheckpoint(checkpoint(20))
      try writer.writeCheckpoint(checkpoint(60))
      try writer.connection.execute("UPDATE checkpoint_parts SET bytes=x'00' WHERE checkpoint=2")
      let refused = storageError { try compactAll(writer, keeping: 80, slice: 1000) }
      #expect(refused?.kind == .damaged)
      #expect(refused?.seq == SequenceNumber(60))
      #expect(writer.floor == .zero)
      try compactAll(writer, keeping: 30, slice: 1000)
    }
    let (steps, recovery) = try readBack(folder.data)
    #expect(steps == (21...100).map { step($0) })
    #expect(recovery.warnings.map(\.seq) == [SequenceNumber(60)])
  }

  @Test func aDamagedCheckpointWithoutAnotherWayRefusesTheStart() throws {
    try withLog(folder.data) { writer in
      try writer.append(commit(1...100))
      try writer.writeCheckpoint(checkpoint(60))
      try compactAll(writer, keeping: 60, slice: 1000)
      try writer.connection.execute("UPDATE checkpoint_parts SET bytes=x'00'")
    }
    let refused = storageError { _ = try readBack(folder.data) }
    #expect(refused?.kind == .damaged)
    #expect(refused?.seq == SequenceNumber(60))
  }

  /// A row holds the steps 42 to `last` between two others.
  @Test(arguments: [42, 60] as [Int64]) func aMissingRowIsNamed(last: Int64) throws {
    try withLog(folder.data) { writer in
      for steps in [1...41, 42...last, last + 1...100] { try writer.append(commit(steps)) }
      try writer.connection.execute("DELETE FROM log WHERE seq=\(last)")
    }
    let refused = storageError { _ = try readBack(folder.data) }
    #expect(refused?.kind == .damaged)
    #expect(refused?.seq == SequenceNumber(42))
  }

  @Test(
    arguments: [42, 60] as [Int64],
    [
      "log SET time=time+1", "log SET client=1", "log SET client=(client=0)", "log SET n=NULL",
      "log SET n=-1", "log SET n=0", "log SET n=n-1", "log SET n=n+1", "log SET n=1<<62",
      "log SET n=n|1<<62", "log SET total=total+1", "log SET digest=~digest",
      "log SET actions=x''", "log SET patch=x''", "log SET actions=patch, patch=actions",
      "log SET actions=zeroblob(length(actions))", "log SET patch=zeroblob(length(patch))",
      "log SET actions=CAST(actions||x'00' AS BLOB)", "clients SET name=x'00'",
    ])
  func aChangedRowIsNamed(last: Int64, change: String) throws {
    try withLog(folder.data) { writer in
      for steps in [1...41, 42...last, last + 1...100] {
        try writer.append(commit(steps, client: "c\(steps.lowerBound)"))
      }
      let row = change.hasPrefix("log") ? "seq=\(last)" : "name=CAST('c42' AS BLOB)"
      try writer.connection.execute("UPDATE \(change) WHERE \(row)")
    }
    let refused = storageError { _ = try readBack(folder.data) }
    #expect(refused?.kind == .damaged)
    #expect(refused?.seq == SequenceNumber(42))
  }

  @Test func theFileShrinksAndItsPagesAreUsedAgain() throws {
    let before = try withLog(folder.data) { writer in
      try writer.append(commit(1...5000, size: 2000))
      try writer.writeCheckpoint(checkpoint(5000))
      return try withReader(writer) { try $0.sizes() }
    }
    #expect(before.entryCount == 5000)
    #expect(before.logBytes > 5000 * 2000)
    try withLog(folder.data) { writer in
      _ = try compactAll(writer, keeping: 5000, slice: 1000)
    }
    let after = try withLog(folder.data) { writer in try withReader(writer) { try $0.sizes() } }
    #expect(after.databaseBytes < 3_000_000)
    #expect(after.logBytes == 0)
  }

  @Test func retentionAsksForTheLowestStepThatKeepsAllLimits() throws {
    try withLog(folder.data) { writer in
      try withReader(writer) { reader in
        func floor(_ count: Int64?, _ age: Int64?, _ bytes: Int64?) throws -> Int64 {
          try reader.retentionFloor(
            RetentionLimits(count: count, ageMs: age, bytes: bytes), now: 1100
          ).value
        }
        try #expect(floor(0, 0, 0) == 0)
        try writer.append(commit(1...100))
        let lastTen = Int64((91...100).reduce(0) { $0 + step($1).storedSize })
        try #expect(floor(nil, nil, nil) == 0)
        try #expect(floor(30, nil, nil) == 70)
        try #expect(floor(1000, nil, nil) == 0)
        try #expect(floor(.max, .max, .max) == 0)
        try #expect(floor(-1, nil, nil) == 100)
        try #expect(floor(nil, 20, nil) == 79)
        try #expect(floor(nil, -1, nil) == 99)
        try #expect(floor(nil, nil, lastTen) == 90)
        try #expect(floor(nil, nil, lastTen - 1) == 91)
        try #expect(floor(nil, nil, 0) == 100)
        try #expect(floor(50, 20, .max) == 79)
        try writer.writeCheckpoint(checkpoint(60))
        try compactAll(writer, keeping: 60, slice: 1000)
        try #expect(floor(nil, nil, nil) == 60)
        try #expect(floor(nil, nil, .max) == 60)
        try #expect(floor(30, nil, nil) == 70)
      }
    }
  }
}
