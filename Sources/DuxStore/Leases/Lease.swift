public import DuxJSON

/// A name that somebody holds for a while, so that nobody else does what the name stands for.
public struct Lease: Hashable, Sendable {
  /// Who holds it: as the holder called itself, by default the client's name.
  public var holder: String
  /// A number larger than that of every lease granted before, whatever its name.
  ///
  /// What the lease guards can refuse whoever comes with a smaller one: a holder that slept through
  /// the end of its lease does no harm then.
  public var fence: Int64
  /// When it ends unless it is renewed, in milliseconds since 1970 by the daemon's wall clock.
  public var expiresMs: Int64
  /// For how long it was granted, in milliseconds.
  public var ttlMs: Int64

  /// Makes a lease.
  public init(holder: String, fence: Int64, expiresMs: Int64, ttlMs: Int64) {
    self.holder = holder
    self.fence = fence
    self.expiresMs = expiresMs
    self.ttlMs = ttlMs
  }

  /// Reads a lease as it stands in a view; `nil` for anything else.
  public init?(_ json: JSON) {
    guard let object = json.objectValue, object.count == 4,
      let holder = object["holder"]?.stringValue, Self.isName(holder),
      let fence = object["fence"]?.integerValue, fence >= 1,
      let expiresMs = object["expiresMs"]?.integerValue,
      let ttlMs = object["ttlMs"]?.integerValue, ttlMs >= 1
    else { return nil }
    self.init(holder: holder, fence: fence, expiresMs: expiresMs, ttlMs: ttlMs)
  }

  /// The lease as it stands in a view.
  public var json: JSON {
    [
      "holder": .string(holder), "fence": .integer(fence), "expiresMs": .integer(expiresMs),
      "ttlMs": .integer(ttlMs),
    ]
  }

  /// For how long a lease may be asked for, in milliseconds: up to 7 days.
  public static let ttlRange: ClosedRange<Int64> = 1...604_800_000

  /// Whether a text can name a lease or its holder: 1 to 128 bytes without control characters.
  public static func isName(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count)
      && !text.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) }
  }
}

/// All leases that are held, by name, with the last fence that was given.
///
/// They are kept as they stand in the view, so that the view costs nothing to make.
public struct Leases: Hashable, Sendable {
  /// The leases held, as JSON by name.
  public private(set) var held: JSONObject
  /// The fence of the newest lease ever granted; 0 before the first.
  public private(set) var lastFence: Int64

  /// None, and none granted before.
  public init() {
    held = JSONObject()
    lastFence = 0
  }

  /// The names of the two members that leases take in a state.
  public enum Member {
    /// The leases held; there while there are any.
    public static let leases = "@leases"
    /// The last fence; there once a lease was granted.
    public static let fence = "@fence"
  }

  /// Reads the leases of a state as clients see it.
  ///
  /// - Returns: `nil` when one of the two members is there and is none that leases would have made.
  public init?(inView view: JSON) {
    self.init()
    guard let members = view.objectValue else { return }
    let fence = members[Member.fence]
    guard let leases = members[Member.leases] else {
      guard let fence else { return }
      guard let last = fence.integerValue, last >= 1 else { return nil }
      lastFence = last
      return
    }
    guard let last = fence?.integerValue, let object = leases.objectValue, object.count > 0 else {
      return nil
    }
    for (name, value) in object {
      guard Lease.isName(name), let lease = Lease(value), lease.fence <= last else { return nil }
    }
    held = object
    lastFence = last
  }

  /// The lease of a name; `nil` while nobody holds it.
  public subscript(name: String) -> Lease? { held[name].flatMap { Lease($0) } }

  /// The names of the leases held, in the order of their bytes.
  public var names: [String] { held.map(\.key) }

  /// Whether neither a lease is held nor one was ever granted.
  public var isUnused: Bool { lastFence == 0 }

  /// Whether a state has a member that only leases may have.
  static func isFound(in members: JSONObject) -> Bool {
    members[Member.leases] != nil || members[Member.fence] != nil
  }

  /// The same state without the members of the leases.
  static func removed(from view: JSON) -> JSON {
    guard case .object(var members) = view else { return view }
    members[Member.leases] = nil
    members[Member.fence] = nil
    return .object(members)
  }

  /// The same state with the members of these leases.
  func added(to view: JSON) -> JSON {
    guard !isUnused, case .object(var members) = view else { return view }
    members[Member.fence] = .integer(lastFence)
    if held.count > 0 { members[Member.leases] = .object(held) }
    return .object(members)
  }

  /// Grants a lease under the next fence.
  mutating func grant(
    _ name: String, to holder: String, until expiresMs: Int64, ttlMs: Int64
  ) throws(Rejection) {
    guard lastFence < .max else {
      throw Rejection(reason: "fences_used_up", message: "there is no fence above \(lastFence)")
    }
    lastFence += 1
    put(Lease(holder: holder, fence: lastFence, expiresMs: expiresMs, ttlMs: ttlMs), as: name)
  }

  mutating func put(_ lease: Lease, as name: String) {
    held[name] = lease.json
  }

  mutating func end(_ name: String) {
    held[name] = nil
  }
}
