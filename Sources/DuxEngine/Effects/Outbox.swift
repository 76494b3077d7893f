import DuxJSON
import DuxLog
import DuxStore

/// What the outbox holds, by key: commands until they are done, and follow-ups that were still
/// waiting when the group of the step that sent them went to the disk.
struct Outbox {
  /// A command, and what became of its tries.
  struct PendingCommand {
    var entry: CommandEntry
    /// Wall clock in milliseconds since 1970 of the step that asked for it.
    var time: Int64
    /// Why the last try failed.
    var error: String?
    /// When it is tried again, on the engine's clock.
    var retryAtMs: Int64?
  }

  /// A follow-up that waits to be reduced.
  typealias PendingFollowUp = KeptFollowUp<WireAction>

  private(set) var commands: [String: PendingCommand] = [:]
  private(set) var followUps: [String: PendingFollowUp] = [:]
  /// The keys in the order of the rows.
  private var order: [String: Int] = [:]
  private var count = 0
  /// Rows that this release can't read: they stay where they are.
  private(set) var unreadable: [String] = []

  /// The outbox that rows make.
  init(_ rows: [OutboxRow]) {
    for row in rows where !put(row) { unreadable.append(row.key) }
  }

  /// The keys of the commands in order.
  var commandsInOrder: [PendingCommand] {
    commands.values.sorted { order[$0.entry.key.text] ?? 0 < order[$1.entry.key.text] ?? 0 }
  }

  /// The follow-ups in order, with their keys.
  var followUpsInOrder: [(key: String, followUp: PendingFollowUp)] {
    followUps.sorted { order[$0.key] ?? 0 < order[$1.key] ?? 0 }
      .map { ($0.key, $0.value) }
  }

  /// Follows a change of the rows.
  mutating func apply(_ change: OutboxChange) {
    switch change {
    case .put(let row): put(row)
    case .remove(let key):
      commands[key] = nil
      followUps[key] = nil
      order[key] = nil
    }
  }

  /// Notes when a command is tried again, which is not kept on disk: a new start tries at once.
  mutating func note(_ key: String, retryAtMs: Int64) {
    commands[key]?.retryAtMs = retryAtMs
  }

  @discardableResult
  private mutating func put(_ row: OutboxRow) -> Bool {
    guard let json = try? JSON(parsing: row.bytes, maximumDepth: .max) else { return false }
    if let command = PendingCommand(json, key: row.key) {
      commands[row.key] = PendingCommand(
        entry: command.entry, time: command.time, error: command.error,
        retryAtMs: commands[row.key]?.retryAtMs)
    } else if let followUp = PendingFollowUp(json) {
      followUps[row.key] = followUp
    } else {
      return false
    }
    if order[row.key] == nil {
      count += 1
      order[row.key] = count
    }
    return true
  }
}
