/// Whether the write-ahead log is being copied into the database, and what goes on after that.
///
/// The parts of a checkpoint wait for it: they have to be copied too, and commits would wait for the
/// disk behind both. Where one run follows the other, since many commits come, some parts are
/// written beside each, or the checkpoint would hardly get on.
struct CopyRun {
  typealias Job = @Sendable () -> Void

  /// How many jobs go on between two that wait.
  static let patience = 32

  private(set) var isUnderWay = false
  private var passed = 0
  private var deferred: [Job] = []

  /// Begins a run; `false` where one is under way.
  mutating func begin() -> Bool {
    guard !isUnderWay else { return false }
    isUnderWay = true
    return true
  }

  /// Keeps a job until the run ends; `false` where there is none to wait for, and where it is not
  /// this job's turn to wait.
  mutating func keep(_ job: @escaping Job) -> Bool {
    guard isUnderWay, passed >= Self.patience else {
      passed += 1
      return false
    }
    passed = 0
    deferred.append(job)
    return true
  }

  /// Ends the run and gives back the jobs that waited for that, in order.
  mutating func end() -> [Job] {
    isUnderWay = false
    defer { deferred = [] }
    return deferred
  }
}
