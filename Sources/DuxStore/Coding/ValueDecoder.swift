import DuxJSON

/// Reads one value out of JSON.
final class ValueDecoder: Decoder {
  /// Where a value stands in what is decoded.
  enum Place {
    /// In JSON only.
    case value
    /// Where an action is expected, whose case is named by the part of the type at this offset.
    case part(at: Int)
    /// Where an action may be expected, but the type is used up.
    case end

    var isPart: Bool { if case .part = self { true } else { false } }
  }

  /// Nothing where an action has no payload.
  let json: JSON?
  let session: DecodingSession
  let place: Place
  private let parent: ValueDecoder?
  private let step: PathStep
  private(set) var depth: Int

  init(_ json: JSON?, session: DecodingSession, place: Place) {
    self.json = json
    self.session = session
    self.place = place
    parent = nil
    step = .none
    depth = 0
  }

  /// Makes a decoder for an entry of `parent`, or for what is in its place.
  init(_ json: JSON?, in parent: ValueDecoder, at step: PathStep, place: Place) throws {
    self.json = json
    session = parent.session
    self.place = place
    self.parent = parent
    self.step = step
    depth = parent.depth + 1
    if depth > maximumCodingDepth { throw tooDeep() }
  }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  var codingPath: [any CodingKey] { path(to: .none) }

  func path(to step: PathStep) -> [any CodingKey] {
    var path: [any CodingKey] = []
    if let token = step.token { path.append(token) }
    var next: ValueDecoder? = self
    while let decoder = next {
      if let token = decoder.step.token { path.append(token) }
      next = decoder.parent
    }
    return path.reversed()
  }

  func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    if case .part(let offset) = place {
      return KeyedDecodingContainer(try CaseDecoding(decoder: self, partAt: offset))
    }
    switch json {
    case .object(let object)?:
      return KeyedDecodingContainer(KeyedDecoding(object: object, decoder: self))
    case nil:
      return KeyedDecodingContainer(KeyedDecoding(object: JSONObject(), decoder: self))
    case let json?:
      let error = mismatch([String: JSON].self, "an object", json, at: .none)
      guard case .end = place else { throw error }
      // An enum here lacks a part of its type, whatever the payload; anything else throws this.
      session.shapeError = error
      return KeyedDecodingContainer(KeyedDecoding(object: JSONObject(), decoder: self))
    }
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let json = try present()
    guard let array = json.arrayValue else {
      throw mismatch([JSON].self, "an array", json, at: .none)
    }
    return UnkeyedDecoding(array: array, decoder: self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    SingleValueDecoding(decoder: self)
  }
}

extension ValueDecoder {
  /// The JSON, where there must be some and nothing of a type is left.
  func present() throws -> JSON {
    if case .part(let offset) = place { throw session.noAction(at: offset) }
    guard let json else { throw missing(CodingToken(stringValue: ""), at: .none) }
    return json
  }

  /// The type, where the action is a string and nothing else.
  func wholeType() -> String? {
    guard case .part(at: 0) = place, let type = session.actionType else { return nil }
    session.isTypeWhole = true
    session.reached = type.utf8.count + 1
    return type
  }

  /// Reads a value in this decoder's place.
  func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    // Where the type goes on, there is no JSON for this value.
    guard let json, !place.isPart else { return try unwrapped(type) }
    return try scalar(type, json, at: .none) { try unwrapped(type) }
  }

  private func unwrapped<Value: Decodable>(_ type: Value.Type) throws -> Value {
    // A value may unwrap itself from single values without end.
    depth += 1
    defer { depth -= 1 }
    if depth > maximumCodingDepth { throw tooDeep() }
    return try Value(from: self)
  }

  /// Reads an entry of this value.
  func value<Value: Decodable>(
    _ type: Value.Type, _ json: JSON, at step: PathStep
  ) throws -> Value {
    try scalar(type, json, at: step) {
      try Value(from: ValueDecoder(json, in: self, at: step, place: .value))
    }
  }

  /// Reads a leaf, from what the last state had in its place where that is known.
  func leaf<Leaf: StructuralLeaf>(_ type: Leaf.Type) throws -> Leaf {
    let json = try present()
    let previous =
      session.leaves?.leaf(type, at: codingPath) ?? session.memory?.leaf(type, at: codingPath)
    do {
      let leaf = try Leaf(structural: json, reusing: previous)
      session.memory?.note(leaf, at: codingPath)
      return leaf
    } catch let failure as CodingFailure {
      throw failure.inside(JSONPointer(codingPath), actionType: session.actionType)
    }
  }
}

extension ValueDecoder {
  /// An error for JSON of another kind than the type needs.
  func mismatch(
    _ type: any Any.Type, _ expected: String, _ json: JSON, at step: PathStep
  ) -> DecodingError {
    .typeMismatch(type, context("must be \(expected), it is \(json.kindName)", at: step))
  }

  /// An error for JSON of the right kind whose value does not fit.
  func unfit(_ problem: String, at step: PathStep) -> DecodingError {
    .dataCorrupted(context(problem, at: step))
  }

  /// An error for what is not there; where not even the container is, that is what is missing.
  func missing(_ key: any CodingKey, at step: PathStep) -> DecodingError {
    session.shapeError
      ?? .keyNotFound(key, context("is missing", at: json == nil ? .none : step))
  }

  private func tooDeep() -> DecodingError {
    unfit("is nested deeper than \(maximumCodingDepth) levels", at: .none)
  }

  private func context(_ problem: String, at step: PathStep) -> DecodingError.Context {
    let path = path(to: step)
    return DecodingError.Context(
      codingPath: path, debugDescription: problem,
      underlyingError: CodingFailure(
        kind: .badPayload, path: JSONPointer(path).description, problem: problem,
        actionType: session.actionType))
  }
}
