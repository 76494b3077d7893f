import DuxLog
import Testing

@testable import DuxStorage

/// What a log must answer, worked out on a plain array.
private struct Model {
  var entries: [LogEntry] = []
  var floor: Int64 = 0

  var head: Int64 { Int64(entries.count) }
  private var kept: ArraySlice<LogEntry> { entries[Int(floor)...] }

  func read(_ after: Int64, _ through: Int64?, _ count: Int, _ bytes: Int) -> [LogEntry]? {
    guard after >= floor else { return nil }
    var size = 0
    var found: [LogEntry] = []
    for entry in kept where entry.seq.value > after && entry.seq.value <= through ?? .max {
      size += entry.storedSize
      if !found.isEmpty && (found.count >= count || size > bytes) { break }
      found.append(entry)
    }
    return found
  }

  func first(atOrAfter time: Int64) -> SequenceNumber? {
    kept.first { $0.time >= time }?.seq
  }

  var bytes: Int64 { kept.reduce(0) { $0 + Int64($1.storedSize) } }

  func floor(forBytes limit: Int64) -> Int64 {
    var size: Int64 = 0
    let dropped = kept.last { entry in
      size += Int64(entry.storedSize)
      return size > limit
    }
    return dropped?.seq.value ?? floor
  }

  func floor(forAge age: Int64, now: Int64) -> Int64 {
    kept.last { $0.time < now - age }?.seq.value ?? floor
  }
}

/// Commits of all sizes, packed in runs or not, read as one step after another.
@Suite struct LogRunTests {
  let folder = TemporaryFolder()

  /// One to a few hundred steps of any size, of clients that take turns or don't.
  private func randomCommit(_ model: Model, _ random: inout Seeded) -> Commit {
    let count = [1, 1, 2, 5, 40, 300].randomElement(using: &random) ?? 1
    let size = [0, 30, 300, 3000].randomElement(using: &random) ?? 0
    let stretch = [1, 3, 100].randomElement(using: &random) ?? 1
    var time = model.entries.last?.time ?? 0
    let entries = (0..<count).map { index in
      time += .random(in: 0...2, using: &random)
      var entry = step(
        model.head + Int64(index) + 1, client: "c\(index / stretch % 9)",
        size: .random(in: 0...size, using: &random))
      if UInt8.random(in: 0...200, using: &random) == 0 {
        entry.patch = [UInt8](repeating: 9, count: .random(in: 0...200_000, using: &random))
      }
      if index % 3 == 0 { entry.n = nil }
      entry.time = time
      return entry
    }
    return Commit(entries: entries, outcomes: [], time: 1)
  }

  private func expectAnswers(
    of model: Model, _ reader: LogReader, _ random: inout Seeded
  ) throws {
    let bounds = try reader.bounds()
    #expect(bounds.floor.value == model.floor && bounds.head.value == model.head)
    for _ in 0..<60 {
      let after = Int64.random(in: max(-1, model.floor - 3)...model.head + 2, using: &random)
      let through =
        Bool.random(using: &random)
        ? nil : after + Int64.random(in: -2...500, using: &random)
      let count = [1, 2, 50, 1000, .max].randomElement(using: &random) ?? 1
      let bytes = [0, 1, 500, 5000, 100_000, .max].randomElement(using: &random) ?? 0
      var read: [LogEntry]?
      let refused = storageError {
        read = try reader.entries(
          after: SequenceNumber(after), through: through.map { SequenceNumber($0) },
          maximumCount: count, maximumBytes: bytes)
      }
      // Not within the macro, which would print each byte.
      let isSame = read == model.read(after, through, count, bytes)
      try #require(isSame, "after \(after) through \(through ?? -1), \(count) and \(bytes) bytes")
      let compacted = StorageError.Kind.compacted(floor: SequenceNumber(model.floor))
      #expect(refused?.kind == (after < model.floor ? compacted : nil))
    }
    for _ in 0..<20 {
      let time = Int64.random(in: -1...(model.entries.last?.time ?? 0) + 2, using: &random)
      try #expect(
        reader.firstEntry(atOrAfter: time) == model.first(atOrAfter: time), "time \(time)")
      try expectRetention(of: model, reader, &random)
    }
    let sizes = try reader.sizes()
    #expect(sizes.entryCount == model.head - model.floor)
    #expect(sizes.logBytes == model.bytes)
  }

  private func expectRetention(
    of model: Model, _ reader: LogReader, _ random: inout Seeded
  ) throws {
    let now = (model.entries.last?.time ?? 0) + 1
    let bytes = Int64.random(in: 0...model.bytes + 1, using: &random)
    let age = Int64.random(in: 0...now, using: &random)
    func floor(age: Int64?, bytes: Int64?) throws -> Int64 {
      try reader.retentionFloor(RetentionLimits(count: nil, ageMs: age, bytes: bytes), now: now)
        .value
    }
    try #expect(floor(age: nil, bytes: bytes) == model.floor(forBytes: bytes), "\(bytes) bytes")
    try #expect(floor(age: age, bytes: nil) == model.floor(forAge: age, now: now), "age \(age)")
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func readingGivesWhatAPlainArrayGives(seed: UInt64) throws {
    var random = Seeded(state: seed)
    var model = Model()
    for _ in 0..<3 {
      try withLog(folder.data) { writer in
        try withReader(writer) { reader in
          for _ in 0..<6 {
            let commit = randomCommit(model, &random)
            try writer.append(commit)
            model.entries += commit.entries
          }
          try expectAnswers(of: model, reader, &random)
          try compact(writer, &model, reader, &random)
        }
      }
    }
    let (steps, recovery) = try readBack(folder.data)
    let isSame = steps == Array(model.entries[Int(recovery.checkpoint?.value ?? 0)...])
    #expect(isSame)
  }

  /// Compacts to a checkpoint anywhere in the log, looking at the log on the way.
  private func compact(
    _ writer: LogWriter, _ model: inout Model, _ reader: LogReader, _ random: inout Seeded
  ) throws {
    let floor = Int64.random(in: model.floor...model.head, using: &random)
    try writer.writeCheckpoint(
      Checkpoint(seq: SequenceNumber(floor), time: 1, state: Array("{}".utf8)))
    let slice = [7, 100, 100_000].randomElement(using: &random) ?? 1
    while try writer.compact(keeping: SequenceNumber(floor), slice: slice) {
      model.floor = writer.floor.value
      if Bool.random(using: &random) { try expectAnswers(of: model, reader, &random) }
    }
    #expect(writer.floor.value == floor)
    model.floor = floor
    try expectAnswers(of: model, reader, &random)
  }

  @Test func aCommitOfManyStepsIsAFewRowsAndAStepAloneIsOne() throws {
    try withLog(folder.data) { writer in
      func rows() throws -> Int64 { try writer.connection.integer("SELECT count(*) FROM log") }
      try writer.append(commit(1...100))
      try #expect(rows() == 1)
      try writer.append(commit(101...101))
      try #expect(rows() == 2)
      try #expect(writer.connection.integer("SELECT client FROM log WHERE seq=101") != 0)
      try writer.append(commit(102...201, size: 3000))
      try #expect((7...9).contains(rows()))
    }
  }
}
