import DuxJSON
import DuxStore

extension StateLimits {
  static let wide = StateLimits(maximumDepth: 100, maximumBytes: 1_000_000)
}

/// A store of the stock app with a document in it.
func store(
  _ document: JSON = [:], limits: StateLimits = .wide
) throws -> HostedApp<DocumentApp> {
  var store = try HostedApp(DocumentApp(limits: limits), limits: limits)
  _ = try store.restore(view: document, version: 1)
  return store
}

extension HostedApp<DocumentApp> {
  /// Takes actions as one step of somebody's.
  @discardableResult
  mutating func dispatch(_ actions: [WireAction]) throws(Refusal) -> JSONPatch {
    try dispatch(actions, DispatchContext(author: "somebody")).patch
  }

  /// Takes one action of a type and a payload.
  @discardableResult
  mutating func take(_ type: String, _ payload: JSON?) throws(Refusal) -> JSONPatch {
    var action: JSONObject = ["type": .string(type)]
    if let payload { action["payload"] = payload }
    return try dispatch([try WireAction(.object(action))])
  }
}

/// What becomes of a document by one action.
func document(_ document: JSON, after type: String, _ payload: JSON) throws -> JSON {
  var store = try store(document)
  try store.take(type, payload)
  return store.view
}

/// The refusal of one action, which must leave the document alone.
func refusal(of type: String, _ payload: JSON?, on document: JSON) throws -> Refusal? {
  var store = try store(document)
  do throws(Refusal) {
    try store.take(type, payload)
    return nil
  } catch {
    guard store.view == document, store.state == document else { return nil }
    return error
  }
}

/// The app's own reason for the refusal of one action.
func reason(of type: String, _ payload: JSON, on document: JSON) throws -> String? {
  guard case .rejected(let rejection) = try refusal(of: type, payload, on: document) else {
    return nil
  }
  return rejection.reason
}
