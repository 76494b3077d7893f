import DuxJSON
package import DuxLog

/// The lines a server sends (Protocol/protocol.md, "Server to client").
extension LineWriter {
  /// What `welcome` tells.
  package struct Welcome: Sendable {
    package var server: String
    package var app: String
    package var appVersion: Int
    package var epoch: String
    package var seq: SequenceNumber
    package var client: String
    package var lastN: Int64
    package var limits: Limits
    package var heartbeatMs: Int
    package var durability: String

    /// Makes the contents of a `welcome`.
    package init(
      server: String, app: String, appVersion: Int, epoch: String, seq: SequenceNumber,
      client: String, lastN: Int64, limits: Limits, heartbeatMs: Int, durability: String
    ) {
      self.server = server
      self.app = app
      self.appVersion = appVersion
      self.epoch = epoch
      self.seq = seq
      self.client = client
      self.lastN = lastN
      self.limits = limits
      self.heartbeatMs = heartbeatMs
      self.durability = durability
    }
  }

  /// Writes `welcome`.
  package mutating func welcome(_ welcome: Welcome, id: RequestID?) {
    begin("welcome")
    self.id(id)
    member("protocol", ProtocolVersion.current)
    member("server", welcome.server)
    member("app", welcome.app)
    member("appVersion", welcome.appVersion)
    member("epoch", welcome.epoch)
    member("seq", welcome.seq.value)
    member("client", welcome.client)
    member("lastN", welcome.lastN)
    member("maxLine", welcome.limits.maximumLineBytes)
    member("maxDepth", welcome.limits.maximumDepth)
    member("maxState", welcome.limits.maximumStateBytes)
    member("heartbeatMs", welcome.heartbeatMs)
    member("durability", welcome.durability)
    end()
  }

  /// Writes `snapshot` up to its state; the caller goes on with the state's text and ``end()``.
  package mutating func beginSnapshot(
    path: String, epoch: String, seq: SequenceNumber, reason: SnapshotReason?, id: RequestID?
  ) {
    begin("snapshot")
    self.id(id)
    member("path", path)
    member("epoch", epoch)
    member("seq", seq.value)
    if let reason { member("reason", reason.rawValue) }
  }

  /// Writes `resumed`.
  package mutating func resumed(
    path: String, epoch: String, from: SequenceNumber, seq: SequenceNumber, id: RequestID?
  ) {
    begin("resumed")
    self.id(id)
    member("path", path)
    member("epoch", epoch)
    member("from", from.value)
    member("seq", seq.value)
    end()
  }

  /// Writes `mark`.
  package mutating func mark(path: String, seq: SequenceNumber) {
    begin("mark")
    member("path", path)
    member("seq", seq.value)
    end()
  }

  /// Writes `unsubscribed`.
  package mutating func unsubscribed(path: String, id: RequestID?) {
    begin("unsubscribed")
    self.id(id)
    member("path", path)
    end()
  }

  /// Writes `ack` or `reject`, as the outcome says.
  package mutating func outcome(
    _ result: Outcome.Result, n: Int64?, id: RequestID?, isDuplicate: Bool
  ) {
    switch result {
    case .accepted(let seq, let changed):
      ack(seq: seq, changed: changed, n: n, id: id, isDuplicate: isDuplicate)
    case .rejected(let code, let reason, let message):
      begin("reject")
      self.id(id)
      if let n { member("n", n) }
      member("code", code)
      if let reason { member("reason", reason) }
      member("message", message)
      if isDuplicate { member("duplicate", true) }
      end()
    }
  }

  /// Writes `ack`.
  package mutating func ack(
    seq: SequenceNumber, changed: Bool, n: Int64?, id: RequestID?, isDuplicate: Bool
  ) {
    // Most acks have no id, or a number: they are written at once.
    if case .string? = id {
      begin("ack")
      self.id(id)
    }
    bytes.append(upTo: 3 * LinePiece.numberBytes + 80) { piece in
      switch id {
      case .string?: break
      case .integer(let id)?:
        piece.put("{\"op\":\"ack\",\"id\":")
        piece.put(id)
      case nil: piece.put("{\"op\":\"ack\"")
      }
      if let n {
        piece.put(",\"n\":")
        piece.put(n)
      }
      piece.put(",\"seq\":")
      piece.put(seq.value)
      piece.put(changed ? ",\"changed\":true" : ",\"changed\":false")
      piece.put(isDuplicate ? ",\"duplicate\":true}\n" : "}\n")
    }
  }

  /// Writes a `reject` that is no outcome; the same `n` may be sent again if it is transient.
  package mutating func refusal(_ error: RequestError, n: Int64?, id: RequestID?) {
    begin("reject")
    self.id(id)
    if let n { member("n", n) }
    member("code", error.code.rawValue)
    member("message", error.message)
    if error.code.isTransient { member("final", false) }
    for (name, value) in error.details { member(named: name, value) }
    end()
  }

  /// Writes `value` up to the value; the caller goes on with its text and ``end()``.
  package mutating func beginValue(path: String, seq: SequenceNumber, id: RequestID?) {
    begin("value")
    self.id(id)
    member("path", path)
    member("seq", seq.value)
  }

  /// Writes `entry`.
  package mutating func entry(_ entry: LogEntry, id: RequestID?) {
    begin("entry")
    self.id(id)
    member("seq", entry.seq.value)
    member("time", entry.time)
    member("client", entry.client)
    if let n = entry.n { member("n", n) }
    member("actions", text: entry.actions)
    member("patch", text: entry.patch)
    end()
  }

  /// Writes `end`.
  package mutating func logEnd(seq: SequenceNumber, hasMore: Bool, id: RequestID?) {
    begin("end")
    self.id(id)
    member("seq", seq.value)
    member("more", hasMore)
    end()
  }

  /// Writes `pong`.
  package mutating func pong(seq: SequenceNumber, id: RequestID?) {
    begin("pong")
    self.id(id)
    member("seq", seq.value)
    end()
  }

  /// Writes `error`.
  package mutating func error(_ error: RequestError, id: RequestID?) {
    begin("error")
    self.id(id)
    member("code", error.code.rawValue)
    member("message", error.message)
    for (name, value) in error.details { member(named: name, value) }
    end()
  }

  /// Writes `bye`; `retryMs` says when to come back, in milliseconds, and `nil` not to.
  package mutating func bye(_ error: RequestError, retryMs: Int?) {
    begin("bye")
    member("code", error.code.rawValue)
    member("message", error.message)
    if let retryMs { member("retryMs", retryMs) }
    end()
  }
}

extension LineWriter {
  /// Writes `effects`.
  package mutating func effects(_ list: EffectList, id: RequestID?) {
    begin("effects")
    self.id(id)
    member("seq", list.seq.value)
    begin(member: "effects")
    append("[")
    for (index, effect) in list.effects.enumerated() {
      if index > 0 { append(",") }
      effect.json.write(into: &bytes)
    }
    append("]")
    if list.hasMore { member("more", true) }
    end()
  }

  /// Writes `cancelled`.
  package mutating func cancelled(key: String, id: RequestID?) {
    begin("cancelled")
    self.id(id)
    member("key", key)
    end()
  }

  /// Writes the answer to `presence`.
  package mutating func presence(id: RequestID?) {
    begin("presence")
    self.id(id)
    end()
  }

  /// Writes `status`.
  package mutating func status(_ status: DaemonStatus, id: RequestID?) {
    begin("status")
    self.id(id)
    member("server", status.server)
    member("protocol", JSON.array([.integer(ProtocolVersion.current)]))
    member("app", status.app)
    member("appVersion", status.appVersion)
    member("epoch", status.epoch)
    member("seq", status.seq.value)
    member("floor", status.floor.value)
    member("clients", status.clients)
    member("subscriptions", status.subscriptions)
    member("uptimeMs", status.uptimeMs)
    member("durability", status.durability)
    member("readOnly", status.isReadOnly)
    member("stateBytes", status.stateBytes)
    member("stateDepth", status.stateDepth)
    member("logEntries", status.logEntries)
    member("logBytes", status.logBytes)
    member("checkpointSeq", status.checkpoint.value)
    member("pid", status.processID)
    member("pipeline", status.pipeline)
    member("unknownSlices", status.unknownSlices)
    member("effects", status.effects)
    member("unknownActions", status.unknownActions)
    member("lateActions", status.lateActions)
    end()
  }
}

/// Why a subscriber that asked to go on from a position gets a snapshot.
package enum SnapshotReason: String, Sendable {
  /// The position is of another life of the log.
  case epoch
  /// The position is past the log's end.
  case ahead
  /// The log does not reach back to the position.
  case compacted
  /// The subscriber was so far behind that a snapshot is cheaper, or the log no longer reaches it.
  case lagged
}
