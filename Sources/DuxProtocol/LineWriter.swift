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
    bytes.reserveCapacity(capacity)
  }

  /// Begins a line of one `op`.
  package mutating func begin(_ op: StaticString) {
    append("{\"op\":\"")
    append(op)
    append("\"")
  }

  /// Ends the line.
  package mutating func end() {
    append("}\n")
  }

  /// Adds a member.
  package mutating func member(_ name: StaticString, _ value: Int64) {
    begin(member: name)
    append(decimal: value)
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
    JSON.write(string: value, into: &bytes)
  }

  /// Adds a member.
  package mutating func member(_ name: StaticString, _ value: JSON) {
    begin(member: name)
    value.write(into: &bytes)
  }

  /// Adds a member whose name may need escaping.
  package mutating func member(named name: String, _ value: JSON) {
    append(",")
    JSON.write(string: name, into: &bytes)
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
    append(",\"")
    append(name)
    append("\":")
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

  private mutating func append(decimal value: Int64) {
    var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
    withUnsafeMutableBytes(of: &digits) { digits in
      var rest = value.magnitude
      var start = digits.count
      repeat {
        start -= 1
        digits[start] = UInt8(0x30 + rest % 10)
        rest /= 10
      } while rest > 0
      if value < 0 {
        start -= 1
        digits[start] = 0x2D
      }
      bytes.append(contentsOf: UnsafeRawBufferPointer(digits)[start...])
    }
  }
}
