/// Whether the write-ahead log is being copied into the database, and what goes on after that.
///
/// The parts of a checkpoint wait for it: they have to be copied too, and commits would wait for the
/// disk behind both.
struct CopyRun {
  typealias Job = @Sendable () -> Void

  private(set) var isUnderWay = false
  private var deferred: [Job] = []

  /// Begins a run; `false` where one is under way.
  mutating func begin() -> Bool {
    guard !isUnderWay else { return false }
    isUnderWay = true
    return true
  }

  /// Keeps a job until the run ends; `false` where there is none to wait for.
  mutating func keep(_ job: @escaping Job) -> Bool {
    if isUnderWay { deferred.append(job) }
    return isUnderWay
  }

  /// Ends the run and gives back the jobs that waited for that, in order.
  mutating func end() -> [Job] {
    isUnderWay = false
    defer { deferred = [] }
    return deferred
  }
}
