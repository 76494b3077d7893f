/// What the daemon's process ends with (`duxd --help`).
package enum ExitStatus {
  /// Stopped in good order.
  package static let success: Int32 = 0
  /// The command line, the environment or the configuration file is wrong.
  package static let usage: Int32 = 64
  /// The data can't be used: damaged, of another app, or of a newer format.
  package static let data: Int32 = 65
  /// It can't listen where it should.
  package static let unavailable: Int32 = 69
  /// The data folder can't be read or written.
  package static let storage: Int32 = 74
  /// Another daemon uses the data folder.
  package static let busy: Int32 = 75
}
