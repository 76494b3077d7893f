package import DuxJSON
package import DuxLog

/// The lines a client sends (Protocol/protocol.md, "Client to server").
extension LineWriter {
  /// Writes `hello`.
  package mutating func hello(client: String?) {
    begin("hello")
    member("protocol", ProtocolVersion.current)
    if let client { member("client", client) }
    end()
  }

  /// Writes `subscribe`.
  package mutating func subscribe(
    path: JSONPointer, position: Request.Position?, withActions: Bool, id: RequestID? = nil
  ) {
    subscribe(path: path.description, position: position, withActions: withActions, id: id)
  }

  /// Writes `subscribe` for what is followed under a name, as `@presence`, or under a path's text.
  package mutating func subscribe(
    path: String, position: Request.Position?, withActions: Bool, id: RequestID? = nil
  ) {
    begin("subscribe")
    self.id(id)
    member("path", path)
    if let position {
      member("since", position.seq.value)
      member("epoch", position.epoch)
    }
    if withActions { member("actions", true) }
    end()
  }

  /// Writes `unsubscribe`.
  package mutating func unsubscribe(path: JSONPointer) {
    begin("unsubscribe")
    member("path", path.description)
    end()
  }

  /// Writes `dispatch`.
  package mutating func dispatch(n: Int64?, actions: [JSON], preconditions: [JSON]) {
    begin("dispatch")
    if let n { member("n", n) }
    if actions.count == 1 {
      member("action", actions[0])
    } else {
      member("actions", JSON.array(JSONArray(actions)))
    }
    if !preconditions.isEmpty { member("if", JSON.array(JSONArray(preconditions))) }
    end()
  }

  /// Writes `get`.
  package mutating func get(path: JSONPointer, at seq: SequenceNumber?, id: RequestID) {
    begin("get")
    self.id(id)
    member("path", path.description)
    if let seq { member("at", seq.value) }
    end()
  }

  /// Writes `log`.
  package mutating func log(_ range: Request.LogRange, id: RequestID) {
    begin("log")
    self.id(id)
    switch range.start {
    case .after(let seq): member("after", seq.value)
    case .time(let time): member("from", time)
    }
    member("limit", range.limit)
    end()
  }

  /// Writes `effects`.
  package mutating func effects(limit: Int, id: RequestID?) {
    begin("effects")
    self.id(id)
    member("limit", limit)
    end()
  }

  /// Writes `cancel`.
  package mutating func cancel(key: String, id: RequestID?) {
    begin("cancel")
    self.id(id)
    member("key", key)
    end()
  }

  /// Writes `presence`.
  package mutating func presence(_ state: JSON, id: RequestID?) {
    begin("presence")
    self.id(id)
    member("state", state)
    end()
  }

  /// Writes `ping`.
  package mutating func ping(id: RequestID?) {
    begin("ping")
    self.id(id)
    end()
  }

  /// Writes `status`.
  package mutating func status(id: RequestID?) {
    begin("status")
    self.id(id)
    end()
  }
}
