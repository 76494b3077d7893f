/// What the process ends with (`dux --help`); from 64 on as in sysexits(3).
enum ExitStatus: Int32, Sendable {
  case success = 0
  /// The daemon refused for good.
  case rejected = 1
  /// There is no such value.
  case notFound = 2
  /// The command line or the input is wrong.
  case usage = 64
  /// The daemon can't be reached, or does not answer.
  case unavailable = 69
  /// A fault, here or in the daemon.
  case `internal` = 70
  /// The output can't be written.
  case output = 74
  /// Refused for the moment.
  case temporary = 75
  /// Ended by SIGINT.
  case interrupted = 130
}
