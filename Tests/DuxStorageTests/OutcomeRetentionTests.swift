import DuxLog
import Testing

@testable import DuxStorage

private let day: Int64 = 24 * 3600 * 1000

@Suite struct OutcomeRetentionTests {
  let folder = TemporaryFolder()

  private func pruneAll(_ writer: LogWriter, now: Int64) throws {
    var calls = 0
    while try writer.pruneOutcomes(now: now) {
      calls += 1
      try #require(calls < 1000)
    }
  }

  /// Makes the writer gather all outcomes that are there, by many more.
  private func gather(_ writer: LogWriter, round: Int64) throws {
    let fillers = (0..<1100).flatMap {
      outcomes(round...round, client: "filler \($0)", time: 0).outcomes
    }
    try writer.append(Commit(entries: [], outcomes: fillers, time: 0))
  }

  /// 20 rows of 100 outcomes each.
  private func appendRows(
    _ writer: LogWriter, client: String, time: (Int64) -> Int64
  ) throws {
    for row in Int64(0)..<20 {
      for n in stride(from: row * 100 + 1, to: row * 100 + 100, by: 10) {
        try writer.append(outcomes(n...n + 9, client: client, time: time(n)))
      }
      try gather(writer, round: row)
    }
  }

  @Test func outcomesAreFoundWhetherGatheredOrNot() throws {
    try withLog(folder.data) { writer in
      try withReader(writer) { reader in
        for n in Int64(1)...2500 {
          let client = "c\(n % 5)"
          try writer.append(outcomes(n...n, client: client, time: 0))
          if n % 100 == 0 {
            for asked in [1, n / 2, n - 7, n] {
              try #expect(reader.outcome(client: "c\(asked % 5)", n: asked)?.n == asked)
              try #expect(reader.outcome(client: "c\((asked + 1) % 5)", n: asked) == nil)
            }
            try #expect(reader.outcome(client: client, n: n + 1) == nil)
            try #expect(reader.lastN(client: client) == n)
          }
        }
        let rows = try writer.connection.integer("SELECT count(*) FROM recent_outcomes")
        #expect(rows < 1024)
        let gathered = try writer.connection.integer("SELECT sum(count) FROM outcomes")
        #expect(rows + gathered == 2500)
      }
    }
    try withLog(folder.data) { writer in
      let repeated = outcomes(2500...2500, client: "c0", time: 0)
      #expect(storageError { try writer.append(repeated) }?.kind == .outOfSequence)
      try writer.append(outcomes(2505...2505, client: "c0", time: 0))
    }
  }

  @Test func aClientsNumbersMustRiseHoweverLongAgoItsLastWas() throws {
    try withLog(folder.data) { writer in
      try writer.append(outcomes(5...5, client: "a", time: 0))
      for round in Int64(0)..<3 {
        let late = outcomes(4...6, client: "a", time: 0)
        #expect(storageError { try writer.append(late) }?.kind == .outOfSequence)
        try gather(writer, round: round)
      }
      try writer.append(outcomes(6...6, client: "a", time: 0))
    }
  }

  @Test func oldOutcomesGoBeyondTheLastThousand() throws {
    try withLog(folder.data) { writer in
      try appendRows(writer, client: "a") { $0 }
      try pruneAll(writer, now: 15 * day)
      try withReader(writer) { reader in
        try #expect(reader.outcome(client: "a", n: 1000) == nil)
        try #expect(reader.outcome(client: "a", n: 1001)?.n == 1001)
        try #expect(reader.outcome(client: "a", n: 2000)?.n == 2000)
        try #expect(reader.lastN(client: "a") == 2000)
      }
    }
  }

  @Test func youngOutcomesStayHoweverManyThereAre() throws {
    try withLog(folder.data) { writer in
      try appendRows(writer, client: "a") { $0 <= 500 ? 0 : 2 * day }
      try pruneAll(writer, now: 15 * day)
      try withReader(writer) { reader in
        try #expect(reader.outcome(client: "a", n: 500) == nil)
        try #expect(reader.outcome(client: "a", n: 501)?.n == 501)
      }
      try pruneAll(writer, now: .max)
      try withReader(writer) { reader in
        try #expect(reader.outcome(client: "a", n: 1000) == nil)
        try #expect(reader.outcome(client: "a", n: 1001)?.n == 1001)
      }
    }
  }

  @Test func theNewestRowOfEveryClientStaysForEver() throws {
    try withLog(folder.data) { writer in
      for client in 0..<100 {
        try writer.append(outcomes(1...1500, client: "c\(client)", time: 0))
      }
      try gather(writer, round: 1)
      try pruneAll(writer, now: .max)
      try withReader(writer) { reader in
        for client in 0..<100 {
          try #expect(reader.lastN(client: "c\(client)") == 1500)
          try #expect(reader.outcome(client: "c\(client)", n: 1500)?.n == 1500)
        }
      }
    }
  }

  @Test func aRoundGoesThroughAllClientsAndStartsOver() throws {
    try withLog(folder.data) { writer in
      for (round, range) in [1...1, 2...1002].enumerated() {
        for client in 0..<70 {
          try writer.append(
            outcomes(
              Int64(range.lowerBound)...Int64(range.upperBound), client: "c\(client)", time: 0))
        }
        try gather(writer, round: Int64(round))
      }
      for _ in 0..<2 { try pruneAll(writer, now: 15 * day) }
      try withReader(writer) { reader in
        for client in 0..<70 {
          try #expect(reader.outcome(client: "c\(client)", n: 1) == nil)
        }
      }
    }
  }
}
