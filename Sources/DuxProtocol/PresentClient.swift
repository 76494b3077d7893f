package import DuxJSON

/// Somebody who is connected, as those who follow presence are told.
package struct PresentClient: Hashable, Sendable {
  /// The name.
  package let client: String
  /// Names the connection, in one run of the daemon.
  package let serial: Int64
  /// Wall clock of its welcome, in milliseconds since 1970.
  package let sinceMs: Int64
  /// What it says of itself.
  package let state: JSON?

  /// Reads one entry.
  ///
  /// - Throws: ``RequestError`` when the entry lacks something.
  package init(client: String, _ entry: JSON) throws(RequestError) {
    guard let object = entry.objectValue else {
      throw RequestError(.badRequest, "an entry of presence is an object")
    }
    let fields = Fields(object)
    self.client = client
    serial = try fields.integer("serial")
    sinceMs = try fields.integer("sinceMs")
    state = fields.json("state")
  }

  /// Reads the value at ``ReservedWords/presencePath``, in the order of the names' bytes.
  ///
  /// - Throws: ``RequestError`` when it is none.
  package static func all(in value: JSON?) throws(RequestError) -> [PresentClient] {
    guard let object = value?.objectValue else {
      throw RequestError(.badRequest, "presence is an object")
    }
    var clients: [PresentClient] = []
    for (name, entry) in object { clients.append(try PresentClient(client: name, entry)) }
    return clients
  }

  /// The entry with the name in it, for whoever wants one object for each.
  package var json: JSON {
    var object: JSONObject = [
      "client": .string(client), "serial": .integer(serial), "sinceMs": .integer(sinceMs),
    ]
    if let state { object["state"] = state }
    return .object(object)
  }
}
