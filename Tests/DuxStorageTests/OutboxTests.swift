import DuxLog
import Testing

@testable import DuxStorage

/// A row whose content follows from its key and a number.
func effect(_ key: String, _ number: Int = 0) -> OutboxRow {
  OutboxRow(key: key, bytes: Array("{\"run\":\(number)}".utf8))
}

/// A commit of outbox changes alone.
func changes(_ changes: OutboxChange...) -> Commit {
  Commit(entries: [], outcomes: [], outbox: changes, time: 1)
}

/// The outbox as the next start reads it.
func outboxAfterRestart(_ path: String) throws -> [OutboxRow] {
  try withLog(path) { writer in try withReader(writer) { try $0.outbox() } }
}

@Suite struct OutboxTests {
  let folder = TemporaryFolder()

  @Test func changesAreMadeInTheirOrderAndReadBackInTheOrderOfFirstPuts() throws {
    try withLog(folder.data) { writer in
      try withReader(writer) { reader in
        try #expect(reader.outbox() == [])
        var first = commit(1...2)
        first.outbox = [.put(effect("b")), .put(effect("a")), .put(effect("c"))]
        try writer.append(first)
        try #expect(reader.outbox().map(\.key) == ["b", "a", "c"])
        try writer.append(changes(.put(effect("a", 1)), .remove(key: "b"), .put(effect("d"))))
        try #expect(reader.outbox() == [effect("a", 1), effect("c"), effect("d")])
        try writer.append(
          changes(
            .remove(key: "d"), .put(effect("b", 2)), .put(effect("b", 3)), .put(effect("e")),
            .remove(key: "e"), .remove(key: "a"), .put(effect("a", 4))))
        try #expect(reader.outbox() == [effect("c"), effect("b", 3), effect("a", 4)])
      }
    }
    try #expect(outboxAfterRestart(folder.data) == [effect("c"), effect("b", 3), effect("a", 4)])
    try #expect(readBack(folder.data).steps == [step(1), step(2)])
  }

  @Test func anOutboxOfManyChangesIsWhatAPlainListWouldBe() throws {
    var random = Seeded(state: 5)
    var model: [OutboxRow] = []
    for _ in 0..<8 {
      try withLog(folder.data) { writer in
        for _ in 0..<40 {
          let made: [OutboxChange] = (0..<Int.random(in: 0..<6, using: &random)).map { _ in
            let key = "k\(Int.random(in: 0..<12, using: &random))"
            return Int.random(in: 0..<3, using: &random) == 0
              ? .remove(key: key) : .put(effect(key, .random(in: 0..<1000, using: &random)))
          }
          try writer.append(Commit(entries: [], outcomes: [], outbox: made, time: 1))
          for change in made { apply(change, to: &model) }
        }
      }
      try #expect(outboxAfterRestart(folder.data) == model)
    }
  }

  private func apply(_ change: OutboxChange, to model: inout [OutboxRow]) {
    let index = model.firstIndex { $0.key == change.key }
    switch (change, index) {
    case (.put(let row), let index?): model[index] = row
    case (.put(let row), nil): model.append(row)
    case (.remove, let index?): model.remove(at: index)
    case (.remove, nil): break
    }
  }

  @Test func removingAnUnknownKeyIsNoErrorAndChangesNothing() throws {
    try withLog(folder.data) { writer in
      try writer.append(changes(.remove(key: "a")))
      try writer.append(changes(.put(effect("a")), .remove(key: "b"), .remove(key: "")))
    }
    try #expect(outboxAfterRestart(folder.data) == [effect("a")])
  }

  @Test func anyStringIsAKeyAndKeysThatDifferInBytesStayApart() throws {
    let keys =
      LogRoundTripTests.oddNames + ["\u{fffd}", "\u{ffff}", "\u{202e}", "\u{301}", "\u{10ffff}"]
    try withLog(folder.data) { writer in
      for (number, key) in keys.enumerated() {
        try writer.append(changes(.put(effect(key, number)), .put(effect(key, -number))))
      }
      try writer.append(changes(.remove(key: "e\u{301}"), .remove(key: "a")))
    }
    let expected = keys.enumerated().filter { $0.offset != 4 }
    try #expect(outboxAfterRestart(folder.data) == expected.map { effect($0.element, -$0.offset) })
  }

  @Test func bytesAreKeptAsTheyAre() throws {
    let rows = [
      OutboxRow(key: "none", bytes: []), OutboxRow(key: "zeros", bytes: [0, 0]),
      OutboxRow(key: "many", bytes: [UInt8](repeating: 0xff, count: 3_000_000)),
    ]
    try withLog(folder.data) { writer in
      try writer.append(
        Commit(entries: [], outcomes: [], outbox: rows.map { .put($0) }, time: 1))
    }
    try #expect(outboxAfterRestart(folder.data) == rows)
  }

  @Test func tenThousandRowsComeBackInOrder() throws {
    let rows = (0..<10_000).map { effect("\(($0 &* 7919) % 10_000)", $0) }
    try withLog(folder.data) { writer in
      for start in stride(from: 0, to: rows.count, by: 1000) {
        try writer.append(
          Commit(
            entries: [], outcomes: [], outbox: rows[start..<start + 1000].map { .put($0) },
            time: 1))
      }
      try withReader(writer) { try #expect($0.outbox() == rows) }
      try writer.append(
        Commit(
          entries: [], outcomes: [], outbox: rows.dropFirst().map { .remove(key: $0.key) }, time: 1)
      )
    }
    try #expect(outboxAfterRestart(folder.data) == [rows[0]])
  }

  @Test func aRefusedCommitLeavesOutboxAndVersionAsTheyWere() throws {
    try withLog(folder.data) { writer in
      try writer.append(changes(.put(effect("a"))))
      var refused = commit(2...2)
      refused.outbox = [.put(effect("b")), .remove(key: "a")]
      refused.appVersion = 2
      #expect(storageError { try writer.append(refused) }?.kind == .outOfSequence)
      #expect(writer.appVersion == 1)
    }
    try withLog(folder.data) { #expect($0.appVersion == 1) }
    try #expect(outboxAfterRestart(folder.data) == [effect("a")])
  }

  @Test func theVersionGoesWithItsCommit() throws {
    try withLog(folder.data) { writer in
      #expect(writer.appVersion == 1)
      var migration = commit(1...1)
      migration.appVersion = 7
      try writer.append(migration)
      try writer.append(commit(2...2))
      #expect(writer.appVersion == 7)
      try writer.append(Commit(entries: [], outcomes: [], appVersion: 8, time: 1))
    }
    try withLog(folder.data) { #expect($0.appVersion == 8) }
    try #expect(readBack(folder.data).steps.count == 2)
  }

  @Test func compactionLeavesTheOutboxAlone() throws {
    try withLog(folder.data) { writer in
      var first = commit(1...500)
      first.outbox = [.put(effect("a")), .put(effect("b"))]
      try writer.append(first)
      try writer.writeCheckpoint(Checkpoint(seq: SequenceNumber(500), time: 1, state: [1]))
      while try writer.compact(keeping: SequenceNumber(500), slice: 1000) {}
      #expect(writer.floor == SequenceNumber(500))
      while try writer.pruneOutcomes(now: .max) {}
    }
    try #expect(outboxAfterRestart(folder.data) == [effect("a"), effect("b")])
  }
}
