import DuxJSON

/// The members of an object being decoded.
struct KeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let object: JSONObject
  let decoder: ValueDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] {
    if case .end = decoder.place { decoder.session.isPartWanted = true }
    return object.compactMap { Key(stringValue: $0.key) }
  }

  func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool {
    if case .null = try member(key, key.stringValue) { true } else { false }
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    let name = key.stringValue
    return try decoder.bool(member(key, name), at: .key(name))
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    let name = key.stringValue
    return try decoder.string(member(key, name), at: .key(name))
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    let name = key.stringValue
    return try decoder.double(member(key, name), at: .key(name))
  }

  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    let name = key.stringValue
    return try decoder.float(member(key, name), at: .key(name))
  }

  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    let name = key.stringValue
    return try decoder.integer(type, member(key, name), at: .key(name))
  }

  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    let name = key.stringValue
    return try decoder.integer(type, member(key, name), at: .key(name))
  }

  func decode<Number: FixedWidthInteger & Decodable>(
    _ type: Number.Type, forKey key: Key
  ) throws -> Number {
    let name = key.stringValue
    return try decoder.integer(type, member(key, name), at: .key(name))
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    let name = key.stringValue
    return try decoder.value(type, member(key, name), at: .key(name))
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    let name = key.stringValue
    return try presentMember(name).map { try decoder.bool($0, at: .key(name)) }
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    let name = key.stringValue
    return try presentMember(name).map { try decoder.string($0, at: .key(name)) }
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    let name = key.stringValue
    return try presentMember(name).map { try decoder.double($0, at: .key(name)) }
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    let name = key.stringValue
    return try presentMember(name).map { try decoder.integer(type, $0, at: .key(name)) }
  }

  func decodeIfPresent<Value: Decodable>(
    _ type: Value.Type, forKey key: Key
  ) throws -> Value? {
    let name = key.stringValue
    guard let json = try presentMember(name) else { return nil }
    return try decoder.value(type, json, at: .key(name))
  }

  /// A member that is neither missing nor null.
  private func presentMember(_ name: String) throws -> JSON? {
    switch object[name] {
    case nil:
      if let error = decoder.session.shapeError { throw error }
      return nil
    case .null?: return nil
    case let json?: return json
    }
  }

  func nestedContainer<NestedKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    // An enum that asks for the values of a case found in the payload: the case belongs in the type.
    if case .end = decoder.place, decoder.session.isPartWanted {
      throw decoder.session.partWanted()
    }
    return try entry(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try entry(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    try ValueDecoder(object["super"] ?? .null, in: decoder, at: .key("super"), place: .value)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    let name = key.stringValue
    return try ValueDecoder(object[name] ?? .null, in: decoder, at: .key(name), place: .value)
  }

  private func member(_ key: Key, _ name: String) throws -> JSON {
    guard let json = object[name] else { throw decoder.missing(key, at: .key(name)) }
    return json
  }

  private func entry(_ key: Key) throws -> ValueDecoder {
    let name = key.stringValue
    return try ValueDecoder(member(key, name), in: decoder, at: .key(name), place: .value)
  }
}

/// The elements of an array being decoded.
struct UnkeyedDecoding: UnkeyedDecodingContainer {
  /// The elements side by side, since looking one up in the array walks a tree.
  let elements: ContiguousArray<JSON>
  let decoder: ValueDecoder
  private(set) var currentIndex = 0

  init(array: JSONArray, decoder: ValueDecoder) {
    elements = ContiguousArray(array)
    self.decoder = decoder
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  mutating func decodeNil() throws -> Bool {
    guard case .null = try current() else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool {
    try advance { try $0.bool($1, at: $2) }
  }

  mutating func decode(_ type: String.Type) throws -> String {
    try advance { try $0.string($1, at: $2) }
  }

  mutating func decode(_ type: Double.Type) throws -> Double {
    try advance { try $0.double($1, at: $2) }
  }

  mutating func decode(_ type: Float.Type) throws -> Float {
    try advance { try $0.float($1, at: $2) }
  }

  mutating func decode(_ type: Int128.Type) throws -> Int128 {
    try advance { try $0.integer(type, $1, at: $2) }
  }

  mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
    try advance { try $0.integer(type, $1, at: $2) }
  }

  mutating func decode<Number: FixedWidthInteger & Decodable>(
    _ type: Number.Type
  ) throws -> Number {
    try advance { try $0.integer(type, $1, at: $2) }
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try advance { try $0.value(type, $1, at: $2) }
  }

  mutating func nestedContainer<NestedKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try advance {
      try ValueDecoder($1, in: $0, at: $2, place: .value).container(keyedBy: type)
    }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try advance { try ValueDecoder($1, in: $0, at: $2, place: .value).unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder {
    try advance { try ValueDecoder($1, in: $0, at: $2, place: .value) }
  }

  private func current() throws -> JSON {
    guard currentIndex < elements.count else {
      let step = PathStep.index(currentIndex)
      throw decoder.missing(CodingToken(intValue: currentIndex), at: step)
    }
    return elements[currentIndex]
  }

  /// Reads the current element, and goes on to the next unless that fails.
  @inline(__always)
  private mutating func advance<Value>(
    _ read: (ValueDecoder, JSON, PathStep) throws -> Value
  ) throws -> Value {
    let value = try read(decoder, current(), .index(currentIndex))
    currentIndex += 1
    return value
  }
}

/// A value being decoded as another one.
struct SingleValueDecoding: SingleValueDecodingContainer {
  let decoder: ValueDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool {
    if case .part = decoder.place { return false }
    return switch decoder.json {
    case nil, .null?: true
    default: false
    }
  }

  func decode(_ type: Bool.Type) throws -> Bool {
    try decoder.bool(decoder.present(), at: .none)
  }

  func decode(_ type: String.Type) throws -> String {
    if let type = decoder.wholeType() { return type }
    return try decoder.string(decoder.present(), at: .none)
  }

  func decode(_ type: Double.Type) throws -> Double {
    try decoder.double(decoder.present(), at: .none)
  }

  func decode(_ type: Float.Type) throws -> Float {
    try decoder.float(decoder.present(), at: .none)
  }

  func decode(_ type: Int128.Type) throws -> Int128 {
    try decoder.integer(type, decoder.present(), at: .none)
  }

  func decode(_ type: UInt128.Type) throws -> UInt128 {
    try decoder.integer(type, decoder.present(), at: .none)
  }

  func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
    try decoder.integer(type, decoder.present(), at: .none)
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.value(type) }
}
