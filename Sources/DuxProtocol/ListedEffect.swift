package import DuxJSON
package import DuxLog

/// An effect that has not ended, as a list of them shows it (Protocol/protocol.md, 6.5).
package struct ListedEffect: Hashable, Sendable {
  /// Which kind of work it is; a later daemon may know more kinds.
  package struct Kind: RawRepresentable, Hashable, Sendable {
    /// The word of the wire.
    package let rawValue: String

    /// Makes a kind of its word.
    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Written down with the step that asked for it; survives a crash.
    package static let command = Kind(rawValue: "command")
    /// In memory; a crash ends it.
    package static let running = Kind(rawValue: "running")
  }

  /// What it is doing; a later daemon may know more states.
  package struct State: RawRepresentable, Hashable, Sendable {
    /// The word of the wire.
    package let rawValue: String

    /// Makes a state of its word.
    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// It is being worked on.
    package static let running = State(rawValue: "running")
    /// Its turn has not come: it is queued behind another, or its delay is not over.
    package static let waiting = State(rawValue: "waiting")
    /// A try failed, and the next one is due later.
    package static let retrying = State(rawValue: "retrying")
  }

  /// Names it for as long as it is listed; a command's for ever.
  package var key: String
  package var kind: Kind
  /// What it is called: a command's name, or the name its reducer gave to a running one.
  package var name: String
  package var state: State
  /// The names of its owner from the root of the state down, parted by slashes; empty for the root.
  package var scope: String
  /// The id by which a reducer can cancel it within its scope.
  package var effect: String?
  /// The step that asked for it.
  package var cause: SequenceNumber
  /// The client that step is owed to.
  package var author: String
  /// The type of the action that asked for it.
  package var action: String
  /// Tries begun.
  package var attempts: Int
  /// Milliseconds until the next try; `nil` unless one is due.
  package var retryMs: Int64?
  /// How the last try failed.
  package var error: String?

  /// Makes an entry of a list.
  package init(
    key: String, kind: Kind, name: String, state: State, scope: String, effect: String?,
    cause: SequenceNumber, author: String, action: String, attempts: Int, retryMs: Int64?,
    error: String?
  ) {
    self.key = key
    self.kind = kind
    self.name = name
    self.state = state
    self.scope = scope
    self.effect = effect
    self.cause = cause
    self.author = author
    self.action = action
    self.attempts = attempts
    self.retryMs = retryMs
    self.error = error
  }
}

extension ListedEffect: Comparable {
  /// The order of a list: by the step that asked, then by the bytes of the key.
  package static func < (left: Self, right: Self) -> Bool {
    guard left.cause == right.cause else { return left.cause < right.cause }
    return left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
  }
}

extension ListedEffect {
  /// The entry as it stands on the wire.
  package var json: JSON {
    var object: JSONObject = [
      "key": .string(key), "kind": .string(kind.rawValue), "name": .string(name),
      "state": .string(state.rawValue), "scope": .string(scope), "cause": .integer(cause.value),
      "author": .string(author), "action": .string(action), "attempts": .integer(Int64(attempts)),
    ]
    if let effect { object["effect"] = .string(effect) }
    if let retryMs { object["retryMs"] = .integer(retryMs) }
    if let error { object["error"] = .string(error) }
    return .object(object)
  }

  init(_ json: JSON) throws(RequestError) {
    guard let object = json.objectValue else {
      throw RequestError(.badRequest, "each of \"effects\" is an object")
    }
    let fields = Fields(object)
    self.init(
      key: try fields.string("key"), kind: Kind(rawValue: try fields.string("kind")),
      name: try fields.string("name"), state: State(rawValue: try fields.string("state")),
      scope: try fields.string("scope"), effect: try fields.optionalString("effect"),
      cause: SequenceNumber(try fields.integer("cause")), author: try fields.string("author"),
      action: try fields.string("action"),
      attempts: Int(clamping: try fields.integer("attempts")),
      retryMs: try fields.optionalWait("retryMs"), error: try fields.optionalString("error"))
  }
}

/// The answer to `effects`: what has not ended, as it is at one moment.
package struct EffectList: Hashable, Sendable {
  /// The durable head at that moment.
  package var seq: SequenceNumber
  package var effects: [ListedEffect]
  /// Whether there are more than were asked for.
  package var hasMore: Bool

  /// Makes a list; the effects are in their order.
  package init(seq: SequenceNumber, effects: [ListedEffect], hasMore: Bool) {
    self.seq = seq
    self.effects = effects
    self.hasMore = hasMore
  }

  /// Reads the line of the daemon that ``LineWriter/effects(_:id:)`` wrote.
  ///
  /// - Throws: ``RequestError`` when the line lacks something.
  package init(_ json: JSON) throws(RequestError) {
    let fields = Fields(json.objectValue ?? [:])
    guard let list = try fields.optionalArray("effects") else {
      throw RequestError(.badRequest, "the line lacks \"effects\"")
    }
    var effects: [ListedEffect] = []
    for item in list { effects.append(try ListedEffect(item)) }
    self.init(
      seq: SequenceNumber(try fields.integer("seq")), effects: effects,
      hasMore: try fields.optionalBool("more") ?? false)
  }
}
