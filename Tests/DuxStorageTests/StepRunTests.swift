import DuxLog
import Testing

@testable import DuxStorage

/// Steps packed in a run, and read back out of it.
@Suite struct StepRunTests {
  let folder = TemporaryFolder()

  private static let edges = [
    LogEntry(seq: SequenceNumber(7), time: .min, client: "a", n: nil, actions: [], patch: []),
    LogEntry(seq: SequenceNumber(8), time: -1, client: "", n: .min, actions: [1], patch: []),
    LogEntry(seq: SequenceNumber(9), time: 0, client: "e\u{301}", n: 0, actions: [], patch: [2]),
    LogEntry(seq: SequenceNumber(10), time: 0, client: "\u{e9}", n: -1, actions: [3], patch: [4]),
    LogEntry(
      seq: SequenceNumber(11), time: .max, client: "a", n: .max,
      actions: [UInt8](repeating: 5, count: 60), patch: [UInt8](repeating: 6, count: 50)),
  ]

  private func packed(_ entries: [LogEntry]) throws -> PackedSteps {
    try withLog(folder.data) { writer in
      var packed: PackedSteps?
      try writer.transaction { () throws(StorageError) in
        packed = try PackedSteps(entries[...], writer.names)
      }
      return try #require(packed)
    }
  }

  /// All that a reader makes of a run's bytes, with clients by their place.
  private static func read(
    _ heads: [UInt8], _ payloads: [UInt8], count: Int64, clients: [String], first: Int64
  ) throws -> [LogEntry] {
    try heads.withUnsafeBytes { heads in
      try payloads.withUnsafeBytes { payloads in
        let run = try StepRun(count: count, heads: heads, payloads: payloads)
        for place in -1...run.heads.clientCount { _ = try? run.heads.client(at: place) }
        let row = try LogRow(run, last: SequenceNumber(first + count - 1), clients: clients)
        return try (0..<count).map { try row.entry(SequenceNumber(first + $0)) }
      }
    }
  }

  private static func digest(
    _ heads: [UInt8], _ payloads: [UInt8], clients: [String]
  ) -> Int64 {
    heads.withUnsafeBytes { heads in
      payloads.withUnsafeBytes { payloads in
        RowDigest.run(
          last: 11, time: .max, count: 5, total: 6, clients: clients, heads: heads,
          payloads: payloads)
      }
    }
  }

  @Test func stepsReadBackAsPacked() throws {
    for entries in [Self.edges, (1...500).map { step($0, client: "c\($0 * $0 % 7)") }] {
      let packed = try packed(entries)
      let read = try Self.read(
        packed.heads, packed.payloads, count: Int64(entries.count), clients: packed.clients,
        first: entries[0].seq.value)
      #expect(read == entries)
      #expect(read.map { Array($0.client.utf8) } == entries.map { Array($0.client.utf8) })
      #expect(
        Set(packed.clients.map { Array($0.utf8) }).count == packed.clients.count,
        "each client once")
    }
  }

  @Test func aRunThatIsCutIsRefusedOrCaughtByItsDigest() throws {
    let packed = try packed(Self.edges)
    let whole = Self.digest(packed.heads, packed.payloads, clients: packed.clients)
    for length in 0..<packed.heads.count {
      let heads = Array(packed.heads[..<length])
      #expect(Self.digest(heads, packed.payloads, clients: packed.clients) != whole)
      let read = try? Self.read(heads, packed.payloads, count: 5, clients: [], first: 7)
      #expect(read == nil)
    }
    for length in 0..<packed.payloads.count {
      let payloads = Array(packed.payloads[..<length])
      #expect(Self.digest(packed.heads, payloads, clients: packed.clients) != whole)
      let read = try? Self.read(packed.heads, payloads, count: 5, clients: [], first: 7)
      #expect(read == nil)
    }
  }

  @Test func aFlippedBitIsCaughtByTheDigestAndNeverTraps() throws {
    let packed = try packed(Self.edges)
    let whole = Self.digest(packed.heads, packed.payloads, clients: packed.clients)
    for bit in 0..<(packed.heads.count + packed.payloads.count) * 8 {
      var (heads, payloads) = (packed.heads, packed.payloads)
      let mask = UInt8(1) << UInt8(bit % 8)
      if bit / 8 < heads.count {
        heads[bit / 8] ^= mask
      } else {
        payloads[bit / 8 - heads.count] ^= mask
      }
      #expect(Self.digest(heads, payloads, clients: packed.clients) != whole, "bit \(bit)")
      _ = try? Self.read(heads, payloads, count: 5, clients: packed.clients, first: 7)
    }
    var clients = packed.clients
    clients.swapAt(0, 1)
    #expect(Self.digest(packed.heads, packed.payloads, clients: clients) != whole)
  }

  @Test func bytesOfAnyKindAreReadWithoutATrap() {
    var random = Seeded(state: 5)
    for _ in 0..<20_000 {
      let count = Int64.random(in: -1...4, using: &random)
      let size = max(0, Int(count)) * StepRun.headSize + .random(in: 0...2, using: &random) * 8
      // Small numbers mostly, so that some heads are good.
      let heads = (0..<size).map { _ in
        UInt8.random(in: 0...3, using: &random) == 0 ? .random(in: 0...9, using: &random) : UInt8(0)
      }
      let payloads = [UInt8](repeating: 0, count: .random(in: 0...9, using: &random))
      _ = try? Self.read(heads, payloads, count: count, clients: ["a"], first: 1)
    }
    for count in [Int64.min, -1, 0, 3, .max] {
      let read = try? Self.read(
        [UInt8](repeating: 0, count: 2 * StepRun.headSize), [], count: count, clients: [], first: 1)
      #expect(read == nil)
    }
  }

  @Test func aRunIsBoundedButForOneStep() {
    func end(_ sizes: [Int], from start: Int = 0) -> Int {
      PackedSteps.end(
        of: sizes.enumerated().map {
          var entry = step(Int64($0.offset + 1), size: 0)
          entry.actions = []
          entry.patch = [UInt8](repeating: 0, count: $0.element - LogEntry.flatSize)
          return entry
        }, from: start)
    }
    let limit = PackedSteps.maximumSize
    #expect(end([limit]) == 1)
    #expect(end([limit * 3, 100, 100]) == 1)
    #expect(end([limit - 100, 100]) == 2)
    #expect(end([limit - 100, 101]) == 1)
    #expect(end([100, 100, limit, 100]) == 2)
    #expect(end([100, 100, limit, 100], from: 1) == 2)
    #expect(end([Int](repeating: 64, count: 5000)) == limit / 64)
  }
}
