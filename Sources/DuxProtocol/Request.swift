package import DuxJSON
package import DuxLog

/// What a client may ask, one case a line of the protocol.
package enum Request: Sendable {
  case hello(Hello)
  case subscribe(Subscribe)
  case unsubscribe(path: JSONPointer)
  /// Follow who is connected; presence keeps no history, so a position only says that there was one.
  case subscribeToPresence(since: Position?)
  case unsubscribeFromPresence
  /// What this connection tells of itself; `nil`: nothing any more.
  case presence(state: JSON?)
  case dispatch(Dispatch)
  case get(path: JSONPointer, at: SequenceNumber?)
  case log(LogRange)
  /// Which effects have not ended.
  case effects(limit: Int)
  /// End an effect.
  case cancel(key: String)
  case ping
  case status

  /// Who a client is and what it speaks.
  package struct Hello: Sendable {
    package var version: Int64
    /// `nil`: the server makes a name.
    package var client: String?
  }

  /// What to watch, and from where on.
  package struct Subscribe: Sendable {
    package var path: JSONPointer
    /// The position the client holds already.
    package var position: Position?
    package var withActions: Bool
  }

  /// A place in one life of the log.
  package struct Position: Hashable, Sendable {
    package var epoch: String
    package var seq: SequenceNumber

    /// Makes a position.
    package init(epoch: String, seq: SequenceNumber) {
      self.epoch = epoch
      self.seq = seq
    }
  }

  /// Actions that happen in one step, or not at all.
  package struct Dispatch: Sendable {
    package var n: Int64?
    package var content: Content
    package var preconditions: [Precondition]
    package var body: Body

    /// The actions.
    package enum Content: Sendable {
      /// One action that is a type and perhaps a payload; the type is not empty and does not begin
      /// with `@`, as what is the daemon's own does.
      case plain(type: String, payload: JSON?)
      /// One or more, not yet known to be well formed.
      case any([JSON])
    }

    /// The actions as values; a plain one is made anew each time.
    package var actions: [JSON] {
      switch content {
      case .any(let actions): return actions
      case .plain(let type, let payload):
        var action: JSONObject = ["type": .string(type)]
        action["payload"] = payload
        return [.object(action)]
      }
    }
  }

  /// What must hold of the state for a step to happen.
  package struct Precondition: Sendable {
    package var path: JSONPointer
    /// `nil`: nothing may be there.
    package var value: JSON?
  }

  /// Which entries of the log are asked for.
  package struct LogRange: Sendable {
    /// Where the range begins.
    package enum Start: Sendable {
      case after(SequenceNumber)
      /// Wall clock in milliseconds since 1970.
      case time(Int64)
    }

    package var start: Start
    package var limit: Int

    /// Makes a range.
    package init(start: Start, limit: Int) {
      self.start = start
      self.limit = limit
    }
  }
}

/// What a client calls its request, given back in the answer.
package enum RequestID: Hashable, Sendable {
  case string(String)
  case integer(Int64)
}
