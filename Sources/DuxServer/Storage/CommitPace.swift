import DuxLog

/// Tells where a commit is made best: on the loop's own thread, or beside it.
///
/// On the loop's thread a commit spares two changes of threads, which take as long as a quick disk
/// does, and all that came meanwhile goes out with one write to each client. Beside it the loop goes
/// on with the next steps, which pays where the disk is slow or the group large. What a commit will
/// take nobody knows before: a disk that stops all at once stops the loop for one commit.
///
/// One client's requests can each need a commit before the next. So a turn of the loop makes a few
/// only, and the others get their turn.
struct CommitPace {
  /// What a commit took lately, in nanoseconds.
  private var usualNs: Int64 = 0
  /// Commits made on the loop's thread in this turn.
  private var countInTurn = 0

  private static let mostInTurn = 4
  private static let quickNs: Int64 = 1_000_000
  private static let smallCount = 64
  private static let smallBytes = 65_536

  /// Begins a turn of the loop.
  mutating func beginTurn() { countInTurn = 0 }

  /// Counts a commit that was made on the loop's thread.
  mutating func noteMade() { countInTurn += 1 }

  /// Whether to make a commit on the loop's thread.
  func isBestAtOnce(_ commit: Commit) -> Bool {
    countInTurn < Self.mostInTurn && usualNs < Self.quickNs && isSmall(commit)
  }

  private func isSmall(_ commit: Commit) -> Bool {
    var count = commit.entries.count + commit.outbox.count
    for client in commit.outcomes { count += client.outcomes.count }
    // A step has an outcome too, where its client numbers what it asks for.
    guard commit.entries.count <= Self.smallCount, count <= 2 * Self.smallCount else {
      return false
    }
    var bytes = 0
    for entry in commit.entries { bytes += entry.actions.count + entry.patch.count }
    for case .put(let row) in commit.outbox { bytes += row.bytes.count }
    return bytes <= Self.smallBytes
  }

  /// Notes what a commit took: one that is slow by chance counts for little.
  mutating func note(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let ns = min(seconds, 60) * 1_000_000_000 + attoseconds / 1_000_000_000
    usualNs += (max(0, ns) - usualNs) / 8
  }
}
