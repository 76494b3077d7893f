import DuxJSON

/// What may be asked of leases.
public enum LeaseAction: Hashable, Sendable {
  /// Asks for a lease that nobody holds; without a holder it is whoever asks.
  case acquire(name: String, ttlMs: Int64, holder: String? = nil)
  /// Moves the end of a lease that is still held, to `ttlMs` from now; by default what it was
  /// granted for.
  case renew(name: String, fence: Int64, ttlMs: Int64? = nil)
  /// Ends a lease.
  case release(name: String, fence: Int64)
  /// The daemon's own: a lease has run out.
  case expire(name: String, fence: Int64)
  /// The daemon's own: the timer of a lease was lost, and is started again.
  case rearm(name: String, fence: Int64)

  /// What the types of lease actions that clients may send begin with.
  static let prefix = "@lease/"
  /// What the types of the daemon's own begin with: nobody else may send such.
  static let ownPrefix = "@@lease/"

  /// Whether an action's type is one of leases.
  static func isType(_ type: String) -> Bool {
    // Most types are told apart by their first byte.
    guard type.utf8.first == UInt8(ascii: "@") else { return false }
    return type.utf8.starts(with: prefix.utf8) || type.utf8.starts(with: ownPrefix.utf8)
  }

  /// Reads an action from the wire.
  ///
  /// - Throws: ``Refusal/unknownAction(_:)`` for a type that is none of the leases',
  ///   ``Refusal/badAction(_:)`` for a payload that lacks a member or has one that is not allowed.
  public init(_ wire: WireAction) throws(Refusal) {
    let payload = LeasePayload(wire)
    switch wire.type {
    case "@lease/acquire":
      self = .acquire(
        name: try payload.name("name"), ttlMs: try payload.ttl(),
        holder: try payload.optionalName("holder"))
    case "@lease/renew":
      self = .renew(
        name: try payload.name("name"), fence: try payload.fence(),
        ttlMs: try payload.optionalTTL())
    case "@lease/release":
      self = .release(name: try payload.name("name"), fence: try payload.fence())
    case "@@lease/expire":
      self = .expire(name: try payload.name("name"), fence: try payload.fence())
    case "@@lease/rearm":
      self = .rearm(name: try payload.name("name"), fence: try payload.fence())
    default:
      throw .unknownAction(
        "unknown action type \(quoted(wire.type)); leases know @lease/acquire, @lease/renew and"
          + " @lease/release")
    }
  }

  /// The action as it stands on the wire.
  public var wire: WireAction {
    switch self {
    case .acquire(let name, let ttlMs, let holder):
      var members: JSONObject = ["name": .string(name), "ttlMs": .integer(ttlMs)]
      if let holder { members["holder"] = .string(holder) }
      return WireAction(type: "@lease/acquire", payload: .object(members))
    case .renew(let name, let fence, let ttlMs):
      var members: JSONObject = ["name": .string(name), "fence": .integer(fence)]
      if let ttlMs { members["ttlMs"] = .integer(ttlMs) }
      return WireAction(type: "@lease/renew", payload: .object(members))
    case .release(let name, let fence): return Self.wire("@lease/release", name, fence)
    case .expire(let name, let fence): return Self.wire("@@lease/expire", name, fence)
    case .rearm(let name, let fence): return Self.wire("@@lease/rearm", name, fence)
    }
  }

  private static func wire(_ type: String, _ name: String, _ fence: Int64) -> WireAction {
    WireAction(type: type, payload: ["name": .string(name), "fence": .integer(fence)])
  }
}

/// The payload of a lease action, with errors that name the action and the member.
private struct LeasePayload {
  let type: String
  let members: JSONObject?

  init(_ wire: WireAction) {
    type = wire.type
    members = wire.payload?.objectValue
  }

  func name(_ member: String) throws(Refusal) -> String {
    guard let name = try optionalName(member) else { throw lacks(member) }
    return name
  }

  func optionalName(_ member: String) throws(Refusal) -> String? {
    guard let value = try object()[member] else { return nil }
    guard let text = value.stringValue, Lease.isName(text) else {
      throw .badAction(
        "\(type): \"\(member)\" must be a string of 1 to 128 bytes without control characters")
    }
    return text
  }

  func fence() throws(Refusal) -> Int64 {
    guard let value = try object()["fence"] else { throw lacks("fence") }
    guard let fence = value.integerValue, fence >= 1 else {
      throw .badAction("\(type): \"fence\" must be an integer from 1 on")
    }
    return fence
  }

  func ttl() throws(Refusal) -> Int64 {
    guard let ttl = try optionalTTL() else { throw lacks("ttlMs") }
    return ttl
  }

  func optionalTTL() throws(Refusal) -> Int64? {
    guard let value = try object()["ttlMs"] else { return nil }
    guard let ttl = value.integerValue, Lease.ttlRange.contains(ttl) else {
      throw .badAction(
        "\(type): \"ttlMs\" must be an integer from \(Lease.ttlRange.lowerBound) to"
          + " \(Lease.ttlRange.upperBound), 7 days in milliseconds")
    }
    return ttl
  }

  private func object() throws(Refusal) -> JSONObject {
    guard let members else { throw .badAction("\(type) needs a \"payload\" that is an object") }
    return members
  }

  private func lacks(_ member: String) -> Refusal {
    .badAction("\(type) needs \"\(member)\" in its payload")
  }
}
