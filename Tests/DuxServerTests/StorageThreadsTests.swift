import DuxJSON
import DuxLog
import DuxNetwork
import DuxStorage
import Foundation
import Testing

@testable import DuxServer

/// Which commits are made at once, on the thread that asks for them.
@Suite(.timeLimit(.minutes(1)))
struct StorageThreadsTests {
  @Test func `a turn makes four commits at once, and the next one as many`() throws {
    try withStorage { stage in
      var full = 0
      // Another thread may hold the writer, and a busy machine may be slow, for a moment.
      for _ in 0..<500 where full < 2 {
        stage.storage.beginTurn()
        var count = 0
        while count < 8, stage.isCommittedAtOnce() { count += 1 }
        try #require(count <= 4)
        if count == 4 { full += 1 }
      }
      #expect(full == 2)
    }
  }

  @Test(arguments: [true, false])
  func `what first has to shorten the write-ahead log is not done at once`(
    isAtCeiling: Bool
  ) throws {
    var limits = WALLimits.standard
    if isAtCeiling { limits.ceilingPages = 1 }
    try withStorage(limits: limits) { stage in
      #expect(stage.isCommittedAtOnce() == !isAtCeiling)
    }
  }

  @Test func `a checkpoint goes on after each run that copies the write-ahead log`() throws {
    let limits = WALLimits(
      checkpointPages: 8, restartPages: 8, tailPages: 4, ceilingPages: 16_384)
    try withStorage(limits: limits) { stage in
      // Some 30 parts, each of which makes a run due.
      let state = JSON.string(String(repeating: "x", count: 2 << 20))
      try stage.write(state)
      let found = try LogReader(opening: stage.folder).newestCheckpoint(atOrBefore: nil)
      #expect(found.checkpoint?.state == state.bytes)
    }
  }

  /// Threads with a log of one step, and a loop that they tell what became of commits.
  private final class Stage {
    let storage: StorageThreads
    let folder: DataFolder
    private let loop: EventLoop
    private var head: Int64 = 1

    init(_ writer: LogWriter, loop: EventLoop) throws {
      self.loop = loop
      folder = writer.folder
      try writer.append(Self.commit(head))
      let mailbox = try Mailbox<StorageMessage>(on: loop) { messages in
        for message in messages {
          switch message {
          case .commitEnded(let outcome): Self.expectDurable(outcome)
          case .warned(let text): Issue.record("\(text)")
          case .checkpointEnded: break
          default: continue
          }
          loop.stop()
        }
      }
      storage = try StorageThreads(
        writer: writer,
        reader: HistoryReader(
          LogReader(opening: writer.folder), initialState: Fold.bareState),
        copier: writer.makeCheckpointer(),
        retention: RetentionLimits(count: nil, ageMs: nil, bytes: nil), mailbox: mailbox)
    }

    /// Commits another step, beside this thread where it is not done at once.
    func isCommittedAtOnce() -> Bool {
      head += 1
      guard let outcome = storage.commit(Self.commit(head)) else {
        loop.run()
        return false
      }
      Self.expectDurable(outcome)
      return true
    }

    /// Writes a checkpoint at the first step and waits for its end.
    func write(_ state: JSON) throws {
      storage.writeCheckpoint(seq: SequenceNumber(1), time: 0, state: state)
      loop.run()
    }

    private static func expectDurable(_ outcome: CommitOutcome) {
      if case .durable = outcome { return }
      Issue.record("a commit failed: \(outcome)")
    }

    private static func commit(_ seq: Int64) -> Commit {
      let entry = LogEntry(
        seq: SequenceNumber(seq), time: 0, client: "c", n: nil, actions: Array("[]".utf8),
        patch: Array("[]".utf8))
      return Commit(entries: [entry], outcomes: [], time: 0)
    }
  }

  private func withStorage(
    limits: WALLimits = .standard, _ body: (Stage) throws -> Void
  ) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("dux-threads-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let loop = try EventLoop()
    let writer = try LogWriter(
      opening: DataFolder(path: folder), durability: .normal,
      app: AppIdentity(name: "app", version: 1), limits: limits)
    let stage = try Stage(writer, loop: loop)
    defer {
      stage.storage.close(writing: nil)
      loop.close()
    }
    try body(stage)
  }
}
