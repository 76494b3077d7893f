import DuxJSON

/// The members of an object being encoded.
struct KeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil(forKey key: Key) { encoder.append(.null, forKey: key.stringValue) }

  func encode(_ value: Bool, forKey key: Key) {
    encoder.append(.bool(value), forKey: key.stringValue)
  }

  func encode(_ value: String, forKey key: Key) {
    encoder.append(.string(value), forKey: key.stringValue)
  }

  func encode(_ value: Int, forKey key: Key) {
    encoder.append(.integer(Int64(value)), forKey: key.stringValue)
  }

  func encode<Number: BinaryFloatingPoint & Encodable>(_ value: Number, forKey key: Key) throws {
    let name = key.stringValue
    encoder.append(try encoder.number(value, at: .key(name)), forKey: name)
  }

  func encode(_ value: Int128, forKey key: Key) throws { try encodeNumber(value, key) }

  func encode(_ value: UInt128, forKey key: Key) throws { try encodeNumber(value, key) }

  func encode<Number: FixedWidthInteger & Encodable>(_ value: Number, forKey key: Key) throws {
    try encodeNumber(value, key)
  }

  @inline(__always)
  private func encodeNumber<Number: FixedWidthInteger>(_ value: Number, _ key: Key) throws {
    let name = key.stringValue
    encoder.append(try encoder.number(value, at: .key(name)), forKey: name)
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    let name = key.stringValue
    if case .payload(let form) = encoder.role, form.isChild(name) {
      return try encoder.encodeChild(value, forKey: name)
    }
    encoder.append(try encoder.json(of: value, at: .key(name)), forKey: name)
  }

  func nestedContainer<NestedKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    let role: ValueEncoder.Role =
      if case .action = encoder.role { .payload(PayloadForm(keyType)) } else { .value }
    return encoder.pendingEntry(at: .key(key.stringValue), role: role).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.pendingEntry(at: .key(key.stringValue), role: .value).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder.pendingEntry(at: .key("super"), role: .value) }

  func superEncoder(forKey key: Key) -> any Encoder {
    encoder.pendingEntry(at: .key(key.stringValue), role: .value)
  }
}

// Each of these has a default that writes nothing, which would be taken in place of one for all;
// so have the integers of 128 bits, whose defaults refuse every value.
extension KeyedEncoding {
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try optional(value, key) }

  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    try optional(value, key)
  }

  @inline(__always)
  private func optional<Value: Encodable>(_ value: Value?, _ key: Key) throws {
    if let value {
      try encode(value, forKey: key)
    } else if encoder.session.absence == .null {
      encodeNil(forKey: key)
    }
  }
}

/// The elements of an array being encoded.
struct UnkeyedEncoding: UnkeyedEncodingContainer {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.elementCount }
  private var step: PathStep { .index(encoder.elementCount) }

  func encodeNil() { encoder.append(.null) }

  func encode(_ value: Bool) { encoder.append(.bool(value)) }

  func encode(_ value: String) { encoder.append(.string(value)) }

  func encode<Number: BinaryFloatingPoint & Encodable>(_ value: Number) throws {
    encoder.append(try encoder.number(value, at: step))
  }

  func encode(_ value: Int128) throws { encoder.append(try encoder.number(value, at: step)) }

  func encode(_ value: UInt128) throws { encoder.append(try encoder.number(value, at: step)) }

  func encode<Number: FixedWidthInteger & Encodable>(_ value: Number) throws {
    encoder.append(try encoder.number(value, at: step))
  }

  func encode<Value: Encodable>(_ value: Value) throws {
    encoder.append(try encoder.json(of: value, at: step))
  }

  func nestedContainer<NestedKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    encoder.pendingEntry(at: step, role: .value).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    encoder.pendingEntry(at: step, role: .value).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder.pendingEntry(at: step, role: .value) }
}

/// A value being encoded as another one.
struct SingleValueEncoding: SingleValueEncodingContainer {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() { encoder.put(.null) }

  func encode(_ value: Bool) { encoder.put(.bool(value)) }

  func encode(_ value: String) { encoder.put(.string(value)) }

  func encode<Number: BinaryFloatingPoint & Encodable>(_ value: Number) throws {
    encoder.put(try encoder.number(value, at: .none))
  }

  func encode(_ value: Int128) throws { encoder.put(try encoder.number(value, at: .none)) }

  func encode(_ value: UInt128) throws { encoder.put(try encoder.number(value, at: .none)) }

  func encode<Number: FixedWidthInteger & Encodable>(_ value: Number) throws {
    encoder.put(try encoder.number(value, at: .none))
  }

  func encode<Value: Encodable>(_ value: Value) throws { try encoder.encode(value) }
}
