extension StorageError: CustomStringConvertible {
  /// One line for people: the file, what was checked, and the way out.
  package var description: String {
    var text = "\(file): \(failure): \(check)"
    if let seq {
      text += ", at seq \(seq)"
    }
    if let code {
      text += " (\(code)" + (message.map { ", \($0)" } ?? "") + ")"
    } else if let message {
      text += " (\(message))"
    }
    return text + "; " + wayOut
  }

  private var failure: String {
    switch kind {
    case .busy(let pid?): "in use by process \(pid)"
    case .busy(nil): "in use by another process"
    case .full: "no space left"
    case .unwritable: "cannot be opened for writing"
    case .damaged: "damaged"
    case .newerFormat(let found, let supported):
      "format \(found) is newer than format \(supported), the latest this release knows"
    case .foreign: "not a Dux database"
    case .wrongApp(let found, let expected):
      "holds the log of the app \"\(found)\", not of \"\(expected)\""
    case .outOfSequence: "out of sequence"
    case .compacted(let floor): "compacted up to seq \(floor)"
    case .syncFailed: "a sync failed"
    case .io: "input/output failure"
    }
  }

  private var wayOut: String {
    switch kind {
    case .busy: "stop that process or use another data folder"
    case .full: "free some space; nothing has to be restarted"
    case .unwritable: "check owner and permissions of the path, or use another data folder"
    case .damaged:
      "nothing was written; restore the data folder from a backup, or keep a copy of it and salvage"
    case .newerFormat: "use the release that wrote it, or a later one"
    case .foreign: "nothing was written; use another data folder"
    case .wrongApp: "start that app, or use another data folder"
    case .outOfSequence: "nothing was written"
    case .compacted: "start from a snapshot"
    case .syncFailed: "check the disk and start again: what is there is then read back"
    case .io: "check the disk"
    }
  }
}
