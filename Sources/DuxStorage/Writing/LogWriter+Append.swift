package import DuxLog

extension LogWriter {
  /// Makes a commit durable in one transaction.
  ///
  /// A commit may hold outcomes, outbox changes or a version alone; an empty one does nothing.
  ///
  /// - Throws: `outOfSequence` when the first step is not right after `head`, there is a hole,
  ///   time falls, or a client's outcomes do not rise from its last one on; `full` when
  ///   there is no space, and the same commit may be tried again; `syncFailed`.
  /// - Complexity: O(*n*) in the number of bytes.
  package func append(_ commit: Commit) throws(StorageError) {
    try checkUsable()
    guard !commit.isEmpty else { return }
    if recentOutcomesAreStale {
      try recentOutcomes.reload()
      recentOutcomesAreStale = false
    }
    try check(commit)
    try enforceCeiling()
    let outbox = try currentOutbox()
    var position = self.position
    try transaction { () throws(StorageError) in
      for entry in commit.entries {
        try insert(entry, at: &position)
      }
      if !commit.outcomes.isEmpty {
        try insert(commit.outcomes, time: commit.time)
      }
      try outbox.apply(commit.outbox)
      if let version = commit.appVersion {
        try meta.setInteger(.appVersion, version)
      }
    }
    self.position = position
    appVersion = commit.appVersion ?? appVersion
    recentOutcomesAreStale = false
  }

  private func check(_ commit: Commit) throws(StorageError) {
    var head = head
    var time = lastTime
    for entry in commit.entries {
      guard entry.seq == head.next, entry.seq > head else {
        throw outOfSequence("a step after \(head) was expected", entry.seq)
      }
      guard entry.time >= time else {
        throw outOfSequence("a step's time is before its predecessor's", entry.seq)
      }
      head = entry.seq
      time = entry.time
    }
    for group in commit.outcomes {
      guard !group.outcomes.isEmpty else {
        throw outOfSequence("a group of no outcomes", nil)
      }
      try checkRising(group)
    }
  }

  private func checkRising(_ group: Commit.ClientOutcomes) throws(StorageError) {
    var last: Int64?
    if let client = try names.existing(group.client) {
      last = try recentOutcomes.lastN(ofClient: client)
    }
    for outcome in group.outcomes {
      guard last.map({ $0 < outcome.n }) ?? true else {
        throw outOfSequence("a client's outcomes do not rise", nil)
      }
      last = outcome.n
    }
  }

  private func outOfSequence(_ check: String, _ seq: SequenceNumber?) -> StorageError {
    StorageError(.outOfSequence, file: connection.file, check: check, seq: seq)
  }

  private func insert(_ entry: LogEntry, at position: inout Position) throws(StorageError) {
    let client = try names.id(entry.client)
    let total = position.total &+ Int64(entry.storedSize)
    let statement = statements.entry
    var name = entry.client
    let code = name.withUTF8 { name in
      entry.actions.withUnsafeBytes { actions in
        entry.patch.withUnsafeBytes { patch in
          let digest = RowDigest.entry(
            seq: entry.seq.value, time: entry.time, client: UnsafeRawBufferPointer(name),
            n: entry.n, total: total, actions: actions, patch: patch)
          statement.bind(1, entry.seq.value)
          statement.bind(2, entry.time)
          statement.bind(3, client)
          statement.bind(4, entry.n)
          statement.bind(5, total)
          statement.bind(6, digest)
          statement.bind(7, actions)
          statement.bind(8, patch)
          return statement.runForCode()
        }
      }
    }
    guard code == 0 else { throw statement.failure(code, seq: entry.seq) }
    position.head = entry.seq
    position.time = entry.time
    position.total = total
  }

  private func insert(
    _ outcomes: [Commit.ClientOutcomes], time: Int64
  ) throws(StorageError) {
    var groups: [(client: Int64, outcomes: [Outcome])] = []
    groups.reserveCapacity(outcomes.count)
    for group in outcomes {
      groups.append((try names.id(group.client), group.outcomes))
    }
    recentOutcomesAreStale = true
    try recentOutcomes.append(groups, time: time)
  }
}

extension LogEntry {
  /// What the entry counts for in the limit of bytes: its payloads and a flat rate for the rest.
  var storedSize: Int {
    actions.count &+ patch.count &+ 64
  }
}
