import DuxJSON

/// The one case of an enum that a part of an action's type names.
struct CaseDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let decoder: ValueDecoder
  private let key: Key
  private let offset: Int
  private let next: ValueDecoder.Place

  /// Takes a part of the type as the name of a case.
  ///
  /// - Throws: ``CodingFailure`` of the kind `unknownType` where the enum has no such case; names that
  ///   Unicode calls equivalent are different names.
  init(decoder: ValueDecoder, partAt offset: Int) throws {
    let (name, next, end) = decoder.session.part(at: offset)
    guard let key = Key(stringValue: name), hasSameBytes(key.stringValue, name) else {
      throw decoder.session.noAction(at: offset)
    }
    self.decoder = decoder
    self.key = key
    self.offset = offset
    self.next = next
    decoder.session.reached = end
  }

  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] { [key] }

  func contains(_ key: Key) -> Bool { key.stringValue == self.key.stringValue }

  func nestedContainer<NestedKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    guard contains(key) else { throw notInType() }
    let form = PayloadForm(type)
    if case .part(let offset) = next, form == .labelled, NestedKey(stringValue: "action") == nil {
      throw decoder.session.noAction(at: offset)
    }
    return KeyedDecodingContainer(PayloadDecoding(decoder: decoder, form: form, next: next))
  }

  func decodeNil(forKey key: Key) throws -> Bool { throw notInType() }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    throw notInType()
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw notInType()
  }

  func superDecoder() throws -> any Decoder { throw notInType() }

  func superDecoder(forKey key: Key) throws -> any Decoder { throw notInType() }

  /// The failure for a part of the type that meets no enum, but a value with members.
  private func notInType() -> CodingFailure { decoder.session.noAction(at: offset) }
}

/// What a case holds, in the payload of an action.
struct PayloadDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  /// The decoder of the enum, whose JSON is the payload.
  let decoder: ValueDecoder
  let form: PayloadForm
  /// The rest of the type, for the value that continues it.
  let next: ValueDecoder.Place

  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] {
    switch form {
    case .sole: Key(stringValue: "_0").map { [$0] } ?? []
    case .labelled: decoder.json?.objectValue?.compactMap { Key(stringValue: $0.key) } ?? []
    }
  }

  func contains(_ key: Key) -> Bool {
    isContinued(key.stringValue) || (try? member(key.stringValue).json) != nil
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    if isContinued(key.stringValue) { return false }
    if case .null = try present(key).json { return true }
    return false
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    let (json, step) = try present(key)
    return try decoder.bool(json, at: step)
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    let (json, step) = try present(key)
    return try decoder.string(json, at: step)
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    let (json, step) = try present(key)
    return try decoder.double(json, at: step)
  }

  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    let (json, step) = try present(key)
    return try decoder.float(json, at: step)
  }

  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    let (json, step) = try present(key)
    return try decoder.integer(type, json, at: step)
  }

  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    let (json, step) = try present(key)
    return try decoder.integer(type, json, at: step)
  }

  func decode<Number: FixedWidthInteger & Decodable>(
    _ type: Number.Type, forKey key: Key
  ) throws -> Number {
    let (json, step) = try present(key)
    return try decoder.integer(type, json, at: step)
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    if form.isChild(key.stringValue) { return try child(key).value(type) }
    let (json, step) = try present(key)
    return try decoder.value(type, json, at: step)
  }

  func decodeIfPresent<Value: Decodable>(
    _ type: Value.Type, forKey key: Key
  ) throws -> Value? {
    if !isContinued(key.stringValue) {
      switch try member(key.stringValue).json {
      case nil, .null?: return nil
      default: break
      }
    }
    return try decode(type, forKey: key)
  }

  func nestedContainer<NestedKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try entry(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try entry(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    try ValueDecoder(member("super").json ?? .null, in: decoder, at: .key("super"), place: .value)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try entry(key) }
}

extension PayloadDecoding {
  /// Whether a key's value is named by the rest of the type.
  private func isContinued(_ key: String) -> Bool {
    if case .part = next { form.isChild(key) } else { false }
  }

  /// The JSON of a key's value, if there is any, and where it is.
  ///
  /// A sole value is the payload, unless that is an object with a member `_0`: then it is this.
  private func member(_ key: String) throws -> (json: JSON?, step: PathStep) {
    switch form {
    case .sole:
      if let wrapped = decoder.json?["_0"] { return (wrapped, .key("_0")) }
      return (decoder.json, .none)
    case .labelled:
      switch decoder.json {
      case nil: return (nil, .none)
      case .object(let object)?: return (object[key], .key(key))
      case let json?: throw decoder.mismatch([String: JSON].self, "an object", json, at: .none)
      }
    }
  }

  /// The JSON of a key's value, which nothing of the type names.
  private func present(_ key: Key) throws -> (json: JSON, step: PathStep) {
    let name = key.stringValue
    if case .part(let offset) = next, form.isChild(name) {
      throw decoder.session.noAction(at: offset)
    }
    let (json, step) = try member(name)
    guard let json else { throw decoder.missing(key, at: step) }
    return (json, step)
  }

  private func entry(_ key: Key) throws -> ValueDecoder {
    let (json, step) = try present(key)
    return try ValueDecoder(json, in: decoder, at: step, place: .value)
  }

  /// The decoder of the value that may continue the type.
  private func child(_ key: Key) throws -> ValueDecoder {
    let name = key.stringValue
    if form == .sole, isContinued(name) {
      return try ValueDecoder(decoder.json, in: decoder, at: .none, place: next)
    }
    do {
      let (json, step) = try member(name)
      return try ValueDecoder(json, in: decoder, at: step, place: next)
    } catch let error as DecodingError {
      decoder.session.shapeError = error
      return try ValueDecoder(nil, in: decoder, at: .key(name), place: next)
    }
  }
}
