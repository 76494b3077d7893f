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
    let clients = try check(commit)
    try enforceCeiling()
    let outbox = try currentOutbox()
    var position = self.position
    try transaction { () throws(StorageError) in
      try insert(commit.entries, at: &position)
      if !commit.outcomes.isEmpty {
        try insert(commit.outcomes, of: clients, time: commit.time)
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

  /// Checks that a commit follows what is there.
  ///
  /// - Returns: The numbers of the clients that its outcomes are of, `nil` for a new client.
  private func check(_ commit: Commit) throws(StorageError) -> [Int64?] {
    var head = head
    var time = lastTime
    for index in commit.entries.indices {
      let (seq, stepTime) = (commit.entries[index].seq, commit.entries[index].time)
      guard seq == head.next, seq > head else {
        throw outOfSequence("a step after \(head) was expected", seq)
      }
      guard stepTime >= time else {
        throw outOfSequence("a step's time is before its predecessor's", seq)
      }
      head = seq
      time = stepTime
    }
    var clients: [Int64?] = []
    clients.reserveCapacity(commit.outcomes.count)
    for group in commit.outcomes {
      guard !group.outcomes.isEmpty else {
        throw outOfSequence("a group of no outcomes", nil)
      }
      let client = try names.existing(group.client)
      try checkRising(group.outcomes, of: client)
      clients.append(client)
    }
    return clients
  }

  private func checkRising(_ outcomes: [Outcome], of client: Int64?) throws(StorageError) {
    var last: Int64?
    if let client {
      last = try recentOutcomes.lastN(ofClient: client)
    }
    for outcome in outcomes {
      guard last.map({ $0 < outcome.n }) ?? true else {
        throw outOfSequence("a client's outcomes do not rise", nil)
      }
      last = outcome.n
    }
  }

  private func outOfSequence(_ check: String, _ seq: SequenceNumber?) -> StorageError {
    StorageError(.outOfSequence, file: connection.file, check: check, seq: seq)
  }

  /// A step that is alone is a row as it is, any others are packed in runs: packing would make the
  /// small commit dearer, and copy the large step once more.
  private func insert(
    _ entries: [LogEntry], at position: inout Position
  ) throws(StorageError) {
    var start = 0
    while start < entries.count {
      let end = PackedSteps.end(of: entries, from: start)
      if end - start == 1 {
        try insert(entries[start], at: &position)
      } else {
        try insert(entries[start..<end], at: &position)
      }
      start = end
    }
  }

  private func insert(_ entry: LogEntry, at position: inout Position) throws(StorageError) {
    let client = try names.id(entry.client)
    position.head = entry.seq
    position.time = entry.time
    position.total &+= Int64(entry.storedSize)
    let total = position.total
    var name = entry.client
    let digest = name.withUTF8 { name in
      entry.actions.withUnsafeBytes { actions in
        entry.patch.withUnsafeBytes { patch in
          RowDigest.entry(
            seq: entry.seq.value, time: entry.time, client: UnsafeRawBufferPointer(name),
            n: entry.n, total: total, actions: actions, patch: patch)
        }
      }
    }
    try insertRow(
      position, client: client, n: entry.n, digest: digest, entry.actions, entry.patch)
  }

  private func insert(
    _ entries: ArraySlice<LogEntry>, at position: inout Position
  ) throws(StorageError) {
    guard let last = entries.last else { return }
    let packed = try PackedSteps(entries, names)
    let count = Int64(entries.count)
    position.head = last.seq
    position.time = last.time
    position.total &+= Int64(packed.payloads.count) &+ count &* Int64(LogEntry.flatSize)
    let total = position.total
    let digest = packed.heads.withUnsafeBytes { heads in
      packed.payloads.withUnsafeBytes { payloads in
        RowDigest.run(
          last: last.seq.value, time: last.time, count: count, total: total,
          clients: packed.clients, heads: heads, payloads: payloads)
      }
    }
    try insertRow(
      position, client: StepRun.mark, n: count, digest: digest, packed.heads, packed.payloads)
  }

  /// Adds the row that makes `position` the end of the log.
  private func insertRow(
    _ position: Position, client: Int64, n: Int64?, digest: Int64, _ actions: [UInt8],
    _ patch: [UInt8]
  ) throws(StorageError) {
    let statement = statements.row
    statement.bind(1, position.head.value)
    statement.bind(2, position.time)
    statement.bind(3, client)
    statement.bind(4, n)
    statement.bind(5, position.total)
    statement.bind(6, digest)
    let code = actions.withUnsafeBytes { actions in
      patch.withUnsafeBytes { patch in
        statement.bind(7, actions)
        statement.bind(8, patch)
        return statement.runForCode()
      }
    }
    guard code == 0 else { throw statement.failure(code, seq: position.head) }
  }

  private func insert(
    _ outcomes: [Commit.ClientOutcomes], of clients: [Int64?], time: Int64
  ) throws(StorageError) {
    var groups: [(client: Int64, outcomes: [Outcome])] = []
    groups.reserveCapacity(outcomes.count)
    for (group, client) in zip(outcomes, clients) {
      if let client {
        groups.append((client, group.outcomes))
      } else {
        groups.append((try names.id(group.client), group.outcomes))
      }
    }
    recentOutcomesAreStale = true
    try recentOutcomes.append(groups, time: time)
  }
}

extension LogEntry {
  /// What the entry counts for in the limit of bytes: its payloads and a flat rate for the rest.
  var storedSize: Int {
    actions.count &+ patch.count &+ Self.flatSize
  }

  /// What an entry counts for beside its payloads.
  static var flatSize: Int { 64 }
}
