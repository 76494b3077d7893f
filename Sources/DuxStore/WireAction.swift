public import DuxJSON

/// An action as it stands on the wire and in the log: a Flux Standard Action,
/// `{"type":"todos/add","payload":{…}}`.
public struct WireAction: Hashable, Sendable {
  /// What is asked for; never empty.
  public let type: String
  /// What it is asked with.
  public let payload: JSON?
  /// The whole object as it was sent, members beyond these two included.
  public let json: JSON

  /// Reads an action from JSON.
  ///
  /// - Throws: ``Refusal/badAction(_:)`` when `json` is no object with a `type` that is a string.
  public init(_ json: JSON) throws(Refusal) {
    guard let object = json.objectValue else {
      throw .badAction("an action is an object with a \"type\", this is \(json.kindName)")
    }
    guard let type = object["type"] else {
      throw .badAction("an action needs a \"type\"")
    }
    guard let type = type.stringValue else {
      throw .badAction("the \"type\" of an action is a string, this is \(type.kindName)")
    }
    guard !type.isEmpty else {
      throw .unknownAction("the empty action type is unknown")
    }
    self.type = type
    self.payload = object["payload"]
    self.json = json
  }
}

/// Why a store takes an action not, in the wire's classes.
public enum Refusal: Error, Hashable, Sendable {
  /// No reducer knows the type.
  case unknownAction(String)
  /// The action's shape is not what its type asks for.
  case badAction(String)
  /// The reducer said no.
  case rejected(Rejection)
  /// The state would be nested deeper than allowed.
  case tooDeep(String)
  /// The state would be larger than allowed.
  case tooLarge(String)

  /// The same refusal, its message begun with where it arose.
  package func prefixed(_ place: String) -> Refusal {
    switch self {
    case .unknownAction(let message): .unknownAction(place + message)
    case .badAction(let message): .badAction(place + message)
    case .rejected(let rejection):
      .rejected(Rejection(reason: rejection.reason, message: place + rejection.message))
    case .tooDeep(let message): .tooDeep(place + message)
    case .tooLarge(let message): .tooLarge(place + message)
    }
  }
}

/// How large a state may become, however it is reached.
public struct StateLimits: Hashable, Sendable {
  /// Levels of nesting.
  public var maximumDepth: Int
  /// Bytes of the state's canonical JSON text.
  public var maximumBytes: Int

  /// Makes limits.
  public init(maximumDepth: Int, maximumBytes: Int) {
    self.maximumDepth = maximumDepth
    self.maximumBytes = maximumBytes
  }
}

extension JSON {
  /// What kind of value this is, with its article, for messages.
  package var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer, .double: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
