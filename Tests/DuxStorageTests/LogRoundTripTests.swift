import DuxLog
import DuxStorage
import Testing

@Suite struct LogRoundTripTests {
  let folder = TemporaryFolder()

  static let oddNames = [
    "", "\0", "a\0b", "a\0c", "e\u{301}", "\u{e9}", "👩‍🚀", " ", "'; DROP TABLE log; --",
    String(repeating: "x", count: 70_000),
  ]

  @Test func stepsReadBackAsWrittenBesideTheWriterAndAfterARestart() throws {
    try withLog(folder.data) { writer in
      try writer.append(commit(1...3))
      try writer.append(commit(4...4))
      try withReader(writer) { reader in
        try #expect(reader.all() == (1...4).map { step($0) })
        try #expect(reader.bounds() == LogBounds(floor: .zero, head: SequenceNumber(4)))
      }
    }
    try #expect(readBack(folder.data).steps == (1...4).map { step($0) })
  }

  @Test func clientsWhoseNamesDifferInBytesStayApart() throws {
    try withLog(folder.data) { writer in
      for (index, name) in Self.oddNames.enumerated() {
        let seq = Int64(index + 1)
        try writer.append(commit(seq...seq, client: name))
      }
      try withReader(writer) { reader in
        let names = try reader.all().map { Array($0.client.utf8) }
        #expect(names == Self.oddNames.map { Array($0.utf8) })
        for (index, name) in Self.oddNames.enumerated() {
          try #expect(reader.lastN(client: name) == Int64(index + 1))
        }
        try #expect(reader.lastN(client: "a") == nil)
      }
    }
  }

  @Test func valuesAtTheEdgesReadBackAsWritten() throws {
    let entries = [
      LogEntry(seq: SequenceNumber(1), time: .min, client: "a", n: nil, actions: [], patch: []),
      LogEntry(seq: SequenceNumber(2), time: 0, client: "a", n: .min, actions: [0], patch: [0, 0]),
      LogEntry(
        seq: SequenceNumber(3), time: .max, client: "a", n: .max,
        actions: [UInt8](repeating: 0xff, count: 3_000_000), patch: []),
    ]
    try withLog(folder.data) { writer in
      try writer.append(Commit(entries: entries, outcomes: [], time: .max))
      try withReader(writer) { reader in
        try #expect(reader.all() == entries)
      }
    }
  }

  @Test func everyKindOfOutcomeReadsBackAndOthersAreUnknown() throws {
    let stored = [
      Outcome(
        n: 1, bodyDigest: .max, result: .accepted(seq: SequenceNumber(.max), changed: true)),
      Outcome(n: 5, bodyDigest: 1 << 63, result: .accepted(seq: .zero, changed: false)),
      Outcome(n: 7, bodyDigest: 0, result: .rejected(code: "rejected", reason: nil, message: "")),
      Outcome(
        n: .max, bodyDigest: 1,
        result: .rejected(code: "a\0b", reason: "", message: String(repeating: "ü", count: 9000))),
    ]
    try withLog(folder.data) { writer in
      try writer.append(
        Commit(entries: [], outcomes: [.init(client: "a", outcomes: stored)], time: 1))
      try writer.append(outcomes(1...2, client: "b", time: 1))
      try withReader(writer) { reader in
        for outcome in stored {
          try #expect(reader.outcome(client: "a", n: outcome.n) == outcome)
        }
        for n in [Int64.min, 0, 2, 6, 8, Int64.max - 1] as [Int64] {
          try #expect(reader.outcome(client: "a", n: n) == nil)
        }
        try #expect(reader.outcome(client: "b", n: 3) == nil)
        try #expect(reader.outcome(client: "c", n: 1) == nil)
        try #expect(reader.lastN(client: "a") == .max)
      }
    }
  }

  @Test(arguments: [[2], [0], [1, 3], [1, 1], [1, 2, 4], [-1]] as [[Int64]])
  func commitsWithAHoleAreRefusedWholeAndHarmUsNothing(seqs: [Int64]) throws {
    try withLog(folder.data) { writer in
      let refused = storageError {
        try writer.append(Commit(entries: seqs.map { step($0) }, outcomes: [], time: 1))
      }
      #expect(refused?.kind == .outOfSequence)
      #expect(writer.head == .zero)
      try writer.append(commit(1...2))
      try withReader(writer) { reader in
        try #expect(reader.all() == [step(1), step(2)])
      }
    }
  }

  @Test func timeThatFallsIsRefusedAlsoAfterARestart() throws {
    try withLog(folder.data) { try $0.append(commit(1...1)) }
    try withLog(folder.data) { writer in
      var early = step(2)
      early.time = writer.lastTime - 1
      let refused = storageError {
        try writer.append(Commit(entries: [early], outcomes: [], time: 1))
      }
      #expect(refused?.kind == .outOfSequence)
    }
  }

  @Test func anOutcomeStoredTwiceUndoesItsWholeCommit() throws {
    try withLog(folder.data) { writer in
      try writer.append(commit(1...1, client: "known"))
      var again = commit(2...3, client: "new")
      again.outcomes += outcomes(1...1, client: "known", time: 1).outcomes
      let refused = storageError { try writer.append(again) }
      #expect(refused?.kind == .outOfSequence)
      try withReader(writer) { reader in
        try #expect(reader.bounds().head == SequenceNumber(1))
        try #expect(reader.lastN(client: "new") == nil)
        again.outcomes.removeLast()
        try writer.append(again)
        try #expect(reader.lastN(client: "new") == 3)
        try #expect(reader.all().map(\.client) == ["known", "new", "new"])
      }
    }
  }

  @Test func readsAreBoundedButGiveAtLeastOneStep() throws {
    try withLog(folder.data) { writer in
      try writer.append(commit(1...20, size: 1000))
      try withReader(writer) { reader in
        func read(_ after: Int64, _ through: Int64?, _ count: Int, _ bytes: Int) throws -> [Int64] {
          try reader.entries(
            after: SequenceNumber(after), through: through.map { SequenceNumber($0) },
            maximumCount: count, maximumBytes: bytes
          ).map(\.seq.value)
        }
        try #expect(read(0, nil, 3, .max) == [1, 2, 3])
        try #expect(read(5, 7, 100, .max) == [6, 7])
        try #expect(read(5, nil, 100, 1) == [6])
        try #expect(read(5, nil, 100, 2500) == [6, 7])
        try #expect(read(20, nil, 100, .max) == [])
        try #expect(read(25, nil, 100, .max) == [])
        try #expect(read(.max, nil, 100, .max) == [])
      }
    }
  }

  @Test func stepsAreFoundByTime() throws {
    try withLog(folder.data) { writer in
      try withReader(writer) { reader in
        try #expect(reader.firstEntry(atOrAfter: 0) == nil)
        var entries = (1...9).map { step($0) }
        for index in 3...5 { entries[index].time = 1004 }
        try writer.append(Commit(entries: entries, outcomes: [], time: 1))
        try #expect(reader.firstEntry(atOrAfter: .min) == SequenceNumber(1))
        try #expect(reader.firstEntry(atOrAfter: 1003) == SequenceNumber(3))
        try #expect(reader.firstEntry(atOrAfter: 1004) == SequenceNumber(4))
        try #expect(reader.firstEntry(atOrAfter: 1005) == SequenceNumber(7))
        try #expect(reader.firstEntry(atOrAfter: 1010) == nil)
      }
    }
  }

  @Test func theEpochStaysUntilItIsRenewed() throws {
    let first = try withLog(folder.data) { $0.epoch }
    #expect(first.utf8.count == 16)
    let second = try withLog(folder.data) { writer in
      #expect(writer.epoch == first)
      return try writer.renewEpoch()
    }
    #expect(second != first)
    try withLog(folder.data) { writer in
      #expect(writer.epoch == second)
    }
  }

  @Test func aClosedLogRefusesInsteadOfCrashing() throws {
    let writer = try openWriter(folder.data)
    let reader = try LogReader(opening: writer.folder)
    reader.close()
    writer.close()
    #expect(storageError { try writer.append(commit(1...1)) }?.kind == .outOfSequence)
    #expect(storageError { _ = try reader.bounds() }?.kind == .outOfSequence)
  }
}
