public import DuxJSON

/// Writes actions as a type and a payload, and reads them, by the `Codable` that Swift synthesizes
/// for enums.
///
/// The name of a case is a part of the type. What a case holds is the payload:
///
/// | case | type | payload |
/// |---|---|---|
/// | `.clear` | `clear` | none |
/// | `.add("milk")` | `add` | `"milk"` |
/// | `.move(from: 1, to: 2)` | `move` | `{"from":1,"to":2}` |
/// | `.pair(1, note: "x")` | `pair` | `{"_0":1,"note":"x"}` |
/// | `.todos(.add("milk"))` | `todos/add` | `"milk"` |
/// | `.row(id: "a", action: .rename("x"))` | `row/rename` | `{"id":"a","action":"x"}` |
/// | `.show(.dark)`, an enum of strings | `show` | `"dark"` |
///
/// So an enum continues the type where it is all that a case holds, or what it holds as `action`;
/// anywhere else it is a value, `{"caseName":{…}}`. An optional that is nil is left out. A sole value
/// that is itself an object with a member `_0` is wrapped in another such. An enum of strings
/// (`: String, Codable`) as the app's whole action has its raw value as the type; inside another
/// action it is a value as any string is.
public enum ActionCoder {
  /// The type and the payload of an action.
  ///
  /// - Throws: ``CodingFailure`` where the action is no enum with synthesized `Codable`, where a name
  ///   of a case is empty or holds a slash, and for values that ``StateCoder`` refuses.
  public static func encode(
    _ action: some Encodable
  ) throws(CodingFailure) -> (type: String, payload: JSON?) {
    let session = EncodingSession(absence: .nothing)
    let encoder = ValueEncoder(session: session, role: .action)
    defer { session.end() }
    var type = ""
    do {
      try action.encode(to: encoder)
      if let failure = session.failure { throw failure }
      if let text = encoder.text, !text.isEmpty { return (text, nil) }
      guard encoder.enumCase != nil else { throw noCase(of: action) }
      let payload = try encoder.payload(extending: &type)
      return (type, payload)
    } catch {
      var failure = session.failure(for: error)
      if !type.isEmpty { failure.actionType = type }
      throw failure
    }
  }

  /// Reads an action.
  ///
  /// - Parameters:
  ///   - action: the enum to read.
  ///   - type: the names of the cases, with a slash between.
  ///   - payload: what the last of them, and those with an `action`, hold.
  /// - Returns: the action.
  /// - Throws: ``CodingFailure`` of the kinds ``CodingFailure/Kind/unknownType`` and
  ///   ``CodingFailure/Kind/badPayload``, whatever type and payload are.
  public static func decode<Action: Decodable>(
    _ action: Action.Type, type: String, payload: JSON?
  ) throws(CodingFailure) -> Action {
    let session = DecodingSession(leaves: nil, actionType: type)
    let decoder = ValueDecoder(payload, session: session, place: .part(at: 0))
    do {
      let action = try Action(from: decoder)
      try session.checkNothingIsLeft()
      return action
    } catch {
      throw session.failure(for: error, in: payload)
    }
  }

  private static func noCase(of action: some Encodable) -> CodingFailure {
    CodingFailure(
      kind: .unencodable,
      problem: "is a \(type(of: action)), which is no enum with synthesized Codable")
  }
}

/// How the values of a case stand in a payload.
enum PayloadForm {
  /// The payload is the value: the case holds one, without a label.
  case sole
  /// The payload is an object of the values by label, unlabelled ones as `_0`, `_1`….
  case labelled

  /// The form for a case, by the keys of its values.
  init<Key: CodingKey>(_ keys: Key.Type) {
    // An enum of one case takes no memory, other keys do: its only key is this one or another.
    self = MemoryLayout<Key>.size == 0 && Key(stringValue: "_0") != nil ? .sole : .labelled
  }

  /// Whether an enum under this key continues the type.
  func isChild(_ key: String) -> Bool {
    switch self {
    case .sole: true
    case .labelled: key == "action"
    }
  }
}
