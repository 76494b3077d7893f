package import DuxJSON

/// Writes the lines of one side, member by member, into one buffer.
///
/// Names are literals that need no escaping. The caller keeps the order: `begin`, members, `end`.
package struct LineWriter: Sendable {
  /// All lines ended so far, and the members of the one begun.
  package var bytes: [UInt8]

  /// Makes an empty writer.
  package init(reservingBytes capacity: Int = 256) {
    bytes = []
    if capacity > 0 { bytes.reserveCapacity(capacity) }
  }

  /// Begins a line of one `op`.
  package mutating func begin(_ op: StaticString) {
    bytes.append(upTo: op.utf8CodeUnitCount + 8) { piece in
      piece.put("{\"op\":\"")
      piece.put(op)
      piece.put("\"")
    }
  }

  /// Ends the line.
  package mutating func end() {
    append("}\n")
  }

  /// Adds a member.
  package mutating func member(_ name: StaticString, _ value: Int64) {
    bytes.append(upTo: name.utf8CodeUnitCount + 4 + LinePiece.numberBytes) { piece in
      piece.begin(member: name)
      piece.put(value)
    }
  }

  /// Adds a member.
  package mutating func member(_ name: StaticString, _ value: Int) {
    member(name, Int64(value))
  }

  /// Adds a member.
  package mutating func member(_ name: StaticString, _ value: Bool) {
    begin(member: name)
    append(value ? "true" : "false")
  }

  /// Adds a member.
  package mutating func member(_ name: StaticString, _ value: String) {
    begin(member: name)
    bytes.append(string: value)
  }

  /// Adds a member.
  package mutating func member(_ name: StaticString, _ value: JSON) {
    begin(member: name)
    value.write(into: &bytes)
  }

  /// Adds a member that is a list of texts.
  package mutating func member(_ name: StaticString, _ values: [String]) {
    begin(member: name)
    append("[")
    for (index, value) in values.enumerated() {
      if index > 0 { append(",") }
      bytes.append(string: value)
    }
    append("]")
  }

  /// Adds a member whose name may need escaping.
  package mutating func member(named name: String, _ value: JSON) {
    append(",")
    bytes.append(string: name)
    append(":")
    value.write(into: &bytes)
  }

  /// Adds a member whose value is JSON text already.
  package mutating func member(_ name: StaticString, text: [UInt8]) {
    begin(member: name)
    bytes.append(contentsOf: text)
  }

  /// Adds a member whose value the caller writes as JSON text right behind it.
  package mutating func begin(member name: StaticString) {
    bytes.append(upTo: name.utf8CodeUnitCount + 4) { $0.begin(member: name) }
  }

  /// Adds the request's id, if it had one.
  package mutating func id(_ id: RequestID?) {
    switch id {
    case nil: break
    case .string(let text)?: member("id", text)
    case .integer(let number)?: member("id", number)
    }
  }

  /// Adds literal text.
  package mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }
}

extension LinePiece {
  /// Adds a member's name and what stands around it.
  @inline(__always)
  fileprivate mutating func begin(member name: StaticString) {
    put(",\"")
    put(name)
    put("\":")
  }
}
