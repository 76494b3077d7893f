import DuxEngine

/// Which steps a journal holds, and which of them it should not hold any more.
///
/// A step that is over must leave the journal even if the write that was to take it out failed: the
/// next run would send it, and one that was taken back would take effect.
struct JournalContents {
  private var held: Set<RequestToken>
  private var overdue: Set<RequestToken> = []

  /// Begins with what an earlier run left.
  init(_ tokens: some Sequence<RequestToken>) {
    held = Set(tokens)
  }

  /// Changes to be written, with what earlier ones should have taken out.
  func withOverdue(_ changes: [JournalChange]) -> [JournalChange] {
    overdue.sorted().map { .forget($0) } + changes
  }

  /// Notes changes that are on disk.
  mutating func note(written changes: [JournalChange]) {
    for change in changes {
      switch change {
      case .keep(let step): held.insert(step.token)
      case .forget(let token):
        held.remove(token)
        overdue.remove(token)
      }
    }
  }

  /// Notes changes of which none is on disk.
  mutating func note(failed changes: [JournalChange]) {
    for case .forget(let token) in changes where held.contains(token) { overdue.insert(token) }
  }
}
