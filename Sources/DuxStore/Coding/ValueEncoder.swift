import DuxJSON

/// What all encoders of one call share.
final class EncodingSession {
  /// What stands for an optional that is nil.
  enum Absence { case null, nothing }

  let absence: Absence
  /// Filled where leaves are asked for.
  var leaves: StateLeaves?
  /// What went wrong in a call that can't throw.
  var failure: CodingFailure?

  /// Encoders that hold others, which point back to them.
  private var holders: [ValueEncoder] = []

  init(absence: Absence) { self.absence = absence }

  /// Notes an encoder that holds others.
  func note(holder: ValueEncoder) { holders.append(holder) }

  /// Ends the encoders: those still held are let go of, as after an error.
  func end() {
    for holder in holders { holder.letGo() }
    holders = []
  }

  /// The failure that an error of the encoded types' code means.
  func failure(for error: any Error) -> CodingFailure {
    switch error {
    case let failure as CodingFailure: failure
    case EncodingError.invalidValue(_, let context):
      context.underlyingError as? CodingFailure
        ?? CodingFailure(
          kind: .unencodable, path: JSONPointer(context.codingPath).description,
          problem: "is refused: \(context.debugDescription)")
    default: CodingFailure(kind: .unencodable, problem: "is refused: \(error)")
    }
  }
}

/// Takes one value apart into JSON.
///
/// Its properties are accessed for each field of each value, and never from within another access
/// to them: the checks for that are off, since they cost more than the accesses.
final class ValueEncoder: Encoder {
  /// What a value is to an action.
  enum Role {
    /// Nothing but a value.
    case value
    /// An action, or what may be one: its case becomes a part of the type.
    case action
    /// The associated values of an action's case.
    case payload(PayloadForm)
  }

  /// The kind of container asked for so far.
  enum Shape { case nothing, value, object, array }

  let session: EncodingSession
  let role: Role
  @exclusivity(unchecked) private(set) var depth: Int
  private let parent: ValueEncoder?
  private let step: PathStep
  @exclusivity(unchecked) private(set) var shape = Shape.nothing
  @exclusivity(unchecked) private var value = JSON.null
  @exclusivity(unchecked) private(set) var members = JSONObjectBuilder()
  /// The member of an object that has no other so far and whose value is complete only later, as
  /// the case of an enum is: without it, each level of an action would need arrays of one.
  @exclusivity(unchecked) private(set) var sole: (key: String, encoder: ValueEncoder)?
  @exclusivity(unchecked) private var elements: ContiguousArray<JSON> = []
  /// Entries that are complete only when encoding ends, with their indices in the container.
  @exclusivity(unchecked) private(set) var nested: [(index: Int, encoder: ValueEncoder)] = []
  /// The type being encoded, which tells whether the order of an array has a meaning.
  @exclusivity(unchecked) private var type: (any Any.Type)?
  @exclusivity(unchecked) private var disorder: (any Disordered.Type)?

  init(session: EncodingSession, role: Role) {
    self.session = session
    self.role = role
    depth = 0
    parent = nil
    step = .none
  }

  private init(parent: ValueEncoder, step: PathStep, role: Role) {
    session = parent.session
    self.role = role
    depth = parent.depth + 1
    self.parent = parent
    self.step = step
  }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var next: ValueEncoder? = self
    while let encoder = next {
      if let token = encoder.step.token { path.append(token) }
      next = encoder.parent
    }
    return path.reversed()
  }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    become(.object)
    return KeyedEncodingContainer(KeyedEncoding(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    become(.array)
    disorder = type as? any Disordered.Type
    return UnkeyedEncoding(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleValueEncoding(encoder: self)
  }

  private func become(_ shape: Shape) {
    if self.shape == .nothing {
      self.shape = shape
    } else if self.shape != shape {
      fail("is encoded as two kinds of JSON")
    }
  }

  /// Keeps a failure for the end, since containers are made without throwing.
  private func fail(_ problem: String) {
    session.failure =
      session.failure
      ?? CodingFailure(
        kind: .unencodable, path: JSONPointer(codingPath).description, problem: problem)
  }
}

extension ValueEncoder {
  /// The number of entries of an array so far.
  var elementCount: Int { elements.count }

  /// Makes this value a certain JSON.
  func put(_ json: JSON) {
    become(.value)
    value = json
  }

  /// Makes this value a leaf's JSON, and keeps the leaf where that is asked for.
  func put<Leaf: StructuralLeaf>(leaf: Leaf) throws {
    do {
      put(try leaf.structuralJSON)
    } catch let failure as CodingFailure {
      throw failure.inside(JSONPointer(codingPath), actionType: nil)
    }
    session.leaves?.insert(leaf, at: codingPath)
  }

  func append(_ json: JSON) { elements.append(json) }

  func append(_ json: JSON, forKey key: String) {
    if let sole { settle(sole) }
    members.append(json, forKey: key)
  }

  /// Makes the sole member one of several.
  private func settle(_ member: (key: String, encoder: ValueEncoder)) {
    sole = nil
    nested.append((members.count, member.encoder))
    members.append(.null, forKey: member.key)
  }

  /// The JSON of a value that becomes an entry of this container.
  func json<Value: Encodable>(of value: Value, at step: PathStep) throws -> JSON {
    if let json = try scalar(value, at: step) { return json }
    let encoder = try entry(at: step, role: .value)
    encoder.type = Value.self
    try value.encode(to: encoder)
    return encoder.finish()
  }

  /// Encodes a value in this encoder's place.
  func encode<Value: Encodable>(_ value: Value) throws {
    if let json = try scalar(value, at: .none) { return put(json) }
    // A value may wrap itself in single values without end.
    depth += 1
    try checkDepth()
    type = Value.self
    try value.encode(to: self)
  }

  /// An encoder for an entry that its caller completes at once.
  func entry(at step: PathStep, role: Role) throws -> ValueEncoder {
    let encoder = ValueEncoder(parent: self, step: step, role: role)
    try encoder.checkDepth()
    return encoder
  }

  /// An encoder for an entry that may be completed any time before encoding ends.
  func pendingEntry(at step: PathStep, role: Role) -> ValueEncoder {
    let encoder = ValueEncoder(parent: self, step: step, role: role)
    if encoder.depth > maximumCodingDepth {
      encoder.fail(Self.tooDeep)
    } else {
      adopt(encoder)
    }
    return encoder
  }

  /// Makes an entry of this container of another encoder's value.
  func adopt(_ encoder: ValueEncoder) {
    if sole == nil, nested.isEmpty { session.note(holder: self) }
    if case .key(let key) = encoder.step {
      if let sole { settle(sole) }
      if members.count == 0 {
        sole = (key, encoder)
      } else {
        nested.append((members.count, encoder))
        members.append(.null, forKey: key)
      }
    } else {
      nested.append((elements.count, encoder))
      elements.append(.null)
    }
  }

  /// Lets go of the encoders held: their entries stay as they are.
  func letGo() {
    sole = nil
    nested = []
  }

  private static let tooDeep = "is nested deeper than \(maximumCodingDepth) levels"

  private func checkDepth() throws {
    if depth > maximumCodingDepth { throw unencodable(self, Self.tooDeep, at: .none) }
  }

  /// The JSON of everything encoded; the encoder is spent.
  func finish() -> JSON {
    if let sole { settle(sole) }
    if !nested.isEmpty { finishNested() }
    switch shape {
    case .nothing: return .object(JSONObject())
    case .value: return value
    case .object: return .object(members.build())
    case .array: return .array(JSONArray(disorder?.sorted(elements) ?? elements))
    }
  }

  private func finishNested() {
    for (index, encoder) in nested {
      if shape == .object {
        members[index] = encoder.finish()
      } else {
        elements[index] = encoder.finish()
      }
    }
    nested = []
  }

  /// An error at an entry, as users' code may expect it.
  func unencodable(_ value: Any, _ problem: String, at step: PathStep) -> EncodingError {
    let path = codingPath + (step.token.map { [$0] } ?? [])
    return .invalidValue(
      value,
      EncodingError.Context(
        codingPath: path, debugDescription: problem,
        underlyingError: CodingFailure(
          kind: .unencodable, path: JSONPointer(path).description, problem: problem)))
  }
}
