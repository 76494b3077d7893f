package import DuxLog

/// What went wrong between the log and the disk, told so that it can be acted upon.
///
/// It never holds a user's data: only names of files and of effects, counts, codes and SQLite's own
/// words.
package struct StorageError: Error, Hashable, Sendable {
  /// The class of failure, which says what the caller may do next.
  package enum Kind: Hashable, Sendable {
    /// Another process holds the data folder or the database; its id where it is known.
    case busy(pid: Int32?)
    /// No space is left. Nothing was changed, and the same call works once there is space.
    case full
    /// The folder or a file may not be written or opened.
    case unwritable
    /// Something on disk is not what was written. Nothing was changed.
    case damaged
    /// The files were made by a later release.
    case newerFormat(found: Int64, supported: Int64)
    /// The file belongs to another application.
    case foreign
    /// The log belongs to another app of Dux.
    case wrongApp(found: String, expected: String)
    /// What the caller passed does not follow what is there. Nothing was changed.
    case outOfSequence
    /// The entries asked for are no longer kept; the log starts right after `floor`.
    case compacted(floor: SequenceNumber)
    /// A sync failed: whether the last commit survives a crash is not known, so the writer takes
    /// no more. Opening the log again tells.
    case syncFailed
    /// Any other failure of the disk or of SQLite. Nothing was changed.
    case io
  }

  /// The class of failure.
  package var kind: Kind
  /// The file or folder concerned.
  package var file: String
  /// What was being done or checked, in words.
  package var check: String
  /// The step concerned, where one is.
  package var seq: SequenceNumber?
  /// SQLite's extended result code, or the system's error number where SQLite was not involved.
  package var code: Int32?
  /// SQLite's or the system's own words for `code`.
  package var message: String?

  /// Makes an error of its parts.
  package init(
    _ kind: Kind, file: String, check: String, seq: SequenceNumber? = nil, code: Int32? = nil,
    message: String? = nil
  ) {
    self.kind = kind
    self.file = file
    self.check = check
    self.seq = seq
    self.code = code
    self.message = message
  }
}
