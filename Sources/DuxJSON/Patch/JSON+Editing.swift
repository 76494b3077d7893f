/// A rule that an edit of a value broke, before the operation it belongs to is known.
typealias EditFailure = JSONPatchError.Reason

extension JSON {
  /// Changes the entry that a token names, where it lies if nobody else holds it.
  ///
  /// - Precondition: ``entry(_:)`` finds it.
  mutating func updateEntry<R>(
    _ token: String, _ body: (inout JSON) throws(EditFailure) -> R
  ) throws(EditFailure) -> R {
    switch self {
    case .object(var object):
      guard let path = object.tree.path(to: token) else { throw .missingPath }
      self = .null
      defer { self = .object(object) }
      return try object.tree.update(at: path) { (member) throws(EditFailure) in
        try body(&member.value)
      }
    case .array(var array):
      let index = try array.existingIndex(token)
      self = .null
      defer { self = .array(array) }
      return try array.tree.update(at: array.path(to: index)) { (element) throws(EditFailure) in
        try body(&element)
      }
    default: throw .notAContainer
    }
  }

  /// Changes the value that tokens lead to.
  mutating func update<R>(
    at tokens: ArraySlice<String>, _ body: (inout JSON) throws(EditFailure) -> R
  ) throws(EditFailure) -> R {
    guard let token = tokens.first else { return try body(&self) }
    return try updateEntry(token) { (value) throws(EditFailure) in
      try value.update(at: tokens.dropFirst(), body)
    }
  }

  /// What an `add` did, as far as undoing it needs to know.
  enum Addition {
    /// A member or the root held this before.
    case replaced(JSON)
    /// A new member, or an element at this index.
    case inserted(index: Int?)
  }

  /// Adds a value as RFC 6902 §4.1 wants it.
  mutating func add(_ value: JSON, at pointer: JSONPointer) throws(EditFailure) -> Addition {
    guard let last = pointer.last else {
      defer { self = value }
      return .replaced(self)
    }
    return try update(at: pointer.tokens.dropLast()) { (container) throws(EditFailure) in
      try container.addEntry(value, last)
    }
  }

  private mutating func addEntry(
    _ value: JSON, _ token: String
  ) throws(EditFailure) -> Addition {
    switch self {
    case .object(var object):
      self = .null
      defer { self = .object(object) }
      let old = object[token]
      object[token] = value
      return old.map { .replaced($0) } ?? .inserted(index: nil)
    case .array(var array):
      let index = hasSameBytes(token, "-") ? array.count : arrayIndex(token)
      guard let index else { throw token.isIndexLike ? .indexOutOfRange : .malformedIndex }
      guard index <= array.count else { throw .indexOutOfRange }
      self = .null
      defer { self = .array(array) }
      array.insert(value, at: index)
      return .inserted(index: index)
    default: throw .notAContainer
    }
  }

  /// Removes the value at a pointer and gives it back.
  mutating func remove(at pointer: JSONPointer) throws(EditFailure) -> JSON {
    guard let last = pointer.last else { throw .rootRemoved }
    return try update(at: pointer.tokens.dropLast()) { (container) throws(EditFailure) in
      try container.removeEntry(last)
    }
  }

  private mutating func removeEntry(_ token: String) throws(EditFailure) -> JSON {
    switch self {
    case .object(var object):
      self = .null
      defer { self = .object(object) }
      guard let old = object.removeValue(forKey: token) else { throw .missingPath }
      return old
    case .array(var array):
      let index = try array.existingIndex(token)
      self = .null
      defer { self = .array(array) }
      return array.remove(at: index)
    default: throw .notAContainer
    }
  }

  /// Replaces the value at a pointer and gives the old one back.
  mutating func replace(at pointer: JSONPointer, with value: JSON) throws(EditFailure) -> JSON {
    try update(at: pointer.tokens[...]) { (place) in
      defer { place = value }
      return place
    }
  }

  /// The value at a pointer, or the rule that tells why there is none.
  func existing(at pointer: JSONPointer) throws(EditFailure) -> JSON {
    var value = self
    for token in pointer.tokens {
      guard let next = value.entry(token) else {
        switch value {
        case .object: throw .missingPath
        case .array(let array):
          _ = try array.existingIndex(token)
          throw .missingPath
        default: throw .notAContainer
        }
      }
      value = next
    }
    return value
  }
}

extension JSONArray {
  /// The index that a token names, of an element that exists.
  func existingIndex(_ token: String) throws(EditFailure) -> Int {
    guard let index = arrayIndex(token) else {
      throw token.isIndexLike || hasSameBytes(token, "-") ? .indexOutOfRange : .malformedIndex
    }
    guard index < count else { throw .indexOutOfRange }
    return index
  }
}

extension String {
  /// Whether this is an array index by its form, however large.
  var isIndexLike: Bool {
    utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 } && !utf8.isEmpty
      && (utf8.count == 1 || utf8.first != UInt8(ascii: "0"))
  }
}
