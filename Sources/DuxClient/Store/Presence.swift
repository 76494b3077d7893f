public import DuxJSON

/// A client that is connected to the daemon.
public struct Presence: Hashable, Sendable {
  /// The client's name.
  public let client: String
  /// Counts the daemon's connections: another one under the same name has a greater number.
  public let serial: Int64
  /// When the client connected, in milliseconds of the daemon's wall clock.
  public let sinceMs: Int64
  /// What the client says of itself; `nil` until it says something.
  public let state: JSON?

  /// Makes an entry.
  public init(client: String, serial: Int64, sinceMs: Int64, state: JSON?) {
    self.client = client
    self.serial = serial
    self.sinceMs = sinceMs
    self.state = state
  }
}

extension Presence {
  /// The clients in a copy of who is here, by name.
  static func all(in value: JSON?) -> [Presence] {
    guard let members = value?.objectValue else { return [] }
    return members.map { client, entry in
      Presence(
        client: client, serial: entry["serial"]?.integerValue ?? 0,
        sinceMs: entry["sinceMs"]?.integerValue ?? 0, state: entry["state"])
    }
  }
}
