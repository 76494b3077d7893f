import DuxEngine
import DuxJSON
import DuxNetwork
import DuxStorage
import Synchronization

/// What is to be written to a journal.
enum JournalChange: Sendable {
  /// A step, in place of what is kept under its token.
  case keep(QueuedStep)
  /// A step whose outcome is known is not needed any more.
  case forget(RequestToken)
}

/// Keeps steps on disk until their outcome is known, on a thread of its own.
///
/// What comes while a transaction is under way is in the next one.
final class StepJournal: Sendable {
  /// What became of steps that were to be kept.
  enum Report: Sendable {
    case kept([QueuedStep])
    case failed([QueuedStep], String)
  }

  /// The client's name, as it was made with the queue.
  let client: String
  /// What an earlier run left.
  let restored: [QueuedStep]

  private let storage: Confined
  private let thread: SerialThread
  private let waiting = Mutex<[JournalChange]>([])

  /// The storage, for the thread alone.
  // Unchecked: it is made before the thread has a job, and only the thread's jobs use it from then.
  private final class Confined: @unchecked Sendable {
    let value: StepStorage
    var contents: JournalContents

    init(_ value: StepStorage, holding steps: [QueuedStep]) {
      self.value = value
      contents = JournalContents(steps.map(\.token))
    }

    func write(_ changes: [JournalChange]) throws(StorageError) {
      let changes = contents.withOverdue(changes)
      guard !changes.isEmpty else { return }
      do throws(StorageError) {
        try value.write(changes.map(\.stored))
        contents.note(written: changes)
      } catch {
        contents.note(failed: changes)
        throw error
      }
    }
  }

  /// Opens the queue in a folder.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - name: the client's name; `nil` for the one that is there, or a new one that is unique.
  /// - Throws: ``ClientError`` when it can't be used; nothing was written then.
  init(at path: String, name: String?) throws(ClientError) {
    let made = try ClientName.checked(name)
    do {
      let storage = try StepStorage(opening: DataFolder(path: path), naming: made)
      restored = try storage.rows().map { try QueuedStep($0, in: path) }
      client = storage.client
      self.storage = Confined(storage, holding: restored)
      thread = try SerialThread(named: "dux-queue")
    } catch let error as NetworkError {
      throw .system(error.description)
    } catch {
      throw .queue("\(error)")
    }
    guard name == nil || client == made else {
      throw .queue(
        "\(path): holds the steps of the client \"\(client)\", not of \"\(made)\"; leave the name out"
          + " or use another folder")
    }
  }

  /// Writes a change, behind those before; `report` is told of steps to keep when it is on disk.
  func write(_ change: JournalChange, report: @escaping @Sendable (Report) -> Void) {
    let isFirst = waiting.withLock { waiting in
      waiting.append(change)
      return waiting.count == 1
    }
    if isFirst { thread.submit { [self] in writeWaiting(report) } }
  }

  /// Fulfils a mark when all changes before it are on disk.
  func reach(_ mark: Eventual<Void>) {
    thread.submit { mark.fulfil(()) }
  }

  /// Writes what is left, and ends.
  func close() {
    thread.submit { [storage] in
      // What a full disk has not let go yet.
      try? storage.write([])
      storage.value.close()
    }
    thread.stopAndJoin()
  }

  private func writeWaiting(_ report: (Report) -> Void) {
    let changes = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    var kept: [QueuedStep] = []
    for case .keep(let step) in changes { kept.append(step) }
    do throws(StorageError) {
      try storage.write(changes)
      if !kept.isEmpty { report(.kept(kept)) }
    } catch {
      report(.failed(kept, error.description))
    }
  }
}

extension JournalChange {
  fileprivate var stored: StepStorage.Change {
    switch self {
    case .keep(let step): .put(step.row)
    case .forget(let token): .remove(id: Int64(token.index))
    }
  }
}

extension QueuedStep {
  fileprivate var row: StepStorage.Row {
    let body: JSON = [
      "actions": .array(JSONArray(actions)), "if": .array(JSONArray(preconditions)),
    ]
    return StepStorage.Row(
      id: Int64(token.index), n: n, numberedMs: numberedMs, bytes: body.bytes)
  }

  fileprivate init(_ row: StepStorage.Row, in path: String) throws(StorageError) {
    guard let index = Int(exactly: row.id), (0..<Int.max).contains(index),
      let body = try? JSON(parsing: row.bytes, maximumDepth: .max),
      let actions = body["actions"]?.arrayValue, let conditions = body["if"]?.arrayValue
    else { throw StorageError(.damaged, file: path, check: "step \(row.id) is no step") }
    self.init(
      token: RequestToken(index: index), n: row.n, numberedMs: row.numberedMs,
      actions: Array(actions), preconditions: Array(conditions))
  }
}
