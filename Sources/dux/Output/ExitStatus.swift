/// What the process ends with (`dux --help`); from 64 on as in sysexits(3), from 124 on as with
/// timeout(1) and in shells.
struct ExitStatus: RawRepresentable, Hashable, Sendable {
  let rawValue: Int32

  static let success = ExitStatus(rawValue: 0)
  /// The daemon refused for good.
  static let rejected = ExitStatus(rawValue: 1)
  /// There is no such value.
  static let notFound = ExitStatus(rawValue: 2)
  /// What the daemon did is not what it promises.
  static let checkFailed = ExitStatus(rawValue: 3)
  /// The command line or the input is wrong.
  static let usage = ExitStatus(rawValue: 64)
  /// The daemon can't be reached, or does not answer.
  static let unavailable = ExitStatus(rawValue: 69)
  /// A fault, here or in the daemon.
  static let `internal` = ExitStatus(rawValue: 70)
  /// The output can't be written.
  static let output = ExitStatus(rawValue: 74)
  /// Refused for the moment.
  static let temporary = ExitStatus(rawValue: 75)
  /// What was waited for did not come in time.
  static let timedOut = ExitStatus(rawValue: 124)
  /// The lease was lost while the program ran.
  static let leaseLost = ExitStatus(rawValue: 125)
  /// The program can't be run.
  static let notRunnable = ExitStatus(rawValue: 126)
  /// There is no such program.
  static let noProgram = ExitStatus(rawValue: 127)
  /// Ended by SIGINT.
  static let interrupted = ExitStatus(rawValue: 130)
}
