import DuxJSON
import DuxLog
import DuxStorage
import Foundation

/// Commits into a real log, each synced.
extension Benchmark {
  static let disk = [
    commit(steps: 1, rounds: 256), commit(steps: 16, rounds: 64), commit(steps: 256, rounds: 16),
  ]

  private static func commit(steps: Int, rounds: Int) -> Benchmark {
    let group = steps == 1 ? "alone" : "with \(steps) in the commit"
    return Benchmark(
      "commit-\(steps)", "make one step durable, \(group)", rounds: rounds, operations: steps
    ) {
      let log = try TemporaryLog()
      return { meter in
        let commit = try log.nextCommit(steps)
        try meter.measure { try log.writer.append(commit) }
      }
    }
  }
}

/// A log in a folder of its own, removed with it.
private final class TemporaryLog {
  private let folder: URL
  let writer: LogWriter
  private var step = 0
  private var n: Int64 = 0

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "dux-benchmark-\(UUID().uuidString)")
    writer = try LogWriter(
      opening: DataFolder(path: folder.path()), durability: .full,
      app: AppIdentity(name: "document", version: 1), limits: .standard)
  }

  deinit {
    writer.close()
    try? FileManager.default.removeItem(at: folder)
  }

  /// A commit of steps of all clients in turn, their outcomes with them.
  func nextCommit(_ count: Int) throws -> Commit {
    var entries: [LogEntry] = []
    var outcomes: [Commit.ClientOutcomes] = []
    for offset in 0..<count {
      let client = step % Inputs.clientCount
      step += 1
      if client == 0 { n += 1 }
      entries.append(try entry(client: client))
      let outcome = Outcome(
        n: n, bodyDigest: UInt64(step) &* 0x9E37_79B9_7F4A_7C15,
        result: .accepted(seq: SequenceNumber(Int64(step)), changed: true))
      if offset < Inputs.clientCount {
        outcomes.append(.init(client: Inputs.client(client), outcomes: [outcome]))
      } else {
        outcomes[offset % Inputs.clientCount].outcomes.append(outcome)
      }
    }
    return Commit(entries: entries, outcomes: outcomes, time: Int64(step))
  }

  private func entry(client: Int) throws -> LogEntry {
    let patch = JSONPatch(operations: [
      .replace(path: try JSONPointer(Inputs.path(step)), value: .string(Inputs.value(step)))
    ])
    var text: [UInt8] = []
    patch.write(into: &text)
    return LogEntry(
      seq: SequenceNumber(Int64(step)), time: Int64(step), client: Inputs.client(client), n: n,
      actions: JSON.array([Inputs.action(step)]).bytes, patch: text)
  }
}
