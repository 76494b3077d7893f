extension JSON {
  /// The depth that no caller can raise.
  static let greatestDepth = 1000

  /// Parses the one value of a UTF-8 text.
  ///
  /// - Parameters:
  ///   - bytes: the text.
  ///   - maximumDepth: containers that may lie in one another; values above 1,000 count as 1,000, so
  ///     that no value needs a deep stack.
  /// - Throws: ``JSONParseError`` for whatever RFC 8259 or RFC 7493 forbids, and for integers outside
  ///   64 signed bits.
  /// - Complexity: O(*n*) for objects whose keys ascend, O(*n* log *n*) otherwise.
  public init(
    parsing bytes: UnsafeRawBufferPointer, maximumDepth: Int = 128
  ) throws(JSONParseError) {
    self = try JSON.parse(bytes, maximumDepth: maximumDepth).value
  }

  /// Parses the one value of a UTF-8 text and tells whether the text is its canonical form.
  ///
  /// A text with escapes or doubles is not looked at so closely: it counts as another form.
  ///
  /// - Throws: as ``init(parsing:maximumDepth:)-(UnsafeRawBufferPointer,_)``.
  package static func parse(
    _ bytes: UnsafeRawBufferPointer, maximumDepth: Int
  ) throws(JSONParseError) -> (value: JSON, isCanonical: Bool) {
    guard let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else {
      throw JSONParseError(offset: 0, reason: .unexpectedEnd)
    }
    // Most texts have few members: they need no memory but that of the call.
    return try withUnsafeTemporaryAllocation(of: PendingMember.self, capacity: 8) {
      (room) throws(JSONParseError) in
      var parser = JSONParser(start: start, count: bytes.count, room: room)
      let value = try parser.parseText(maximumDepth: maximumDepth)
      // White space alone can make the one longer than the other then.
      return (value, parser.isSpeltCanonically && parser.parsedBytes == bytes.count)
    }
  }

  /// Parses the one value of a UTF-8 text.
  ///
  /// - Throws: as ``init(parsing:maximumDepth:)-(UnsafeRawBufferPointer,_)``.
  public init(parsing bytes: [UInt8], maximumDepth: Int = 128) throws(JSONParseError) {
    self = try bytes.withUnsafeBufferPointer { (buffer) throws(JSONParseError) in
      try JSON(parsing: UnsafeRawBufferPointer(buffer), maximumDepth: maximumDepth)
    }
  }

  /// Parses the one value of a UTF-8 text; offsets in errors count from the slice's start.
  ///
  /// - Throws: as ``init(parsing:maximumDepth:)-(UnsafeRawBufferPointer,_)``.
  public init(parsing bytes: ArraySlice<UInt8>, maximumDepth: Int = 128) throws(JSONParseError) {
    self = try bytes.withUnsafeBufferPointer { (buffer) throws(JSONParseError) in
      try JSON(parsing: UnsafeRawBufferPointer(buffer), maximumDepth: maximumDepth)
    }
  }

  /// Parses the one value of a text.
  ///
  /// - Throws: as ``init(parsing:maximumDepth:)-(UnsafeRawBufferPointer,_)``.
  public init(parsing text: String, maximumDepth: Int = 128) throws(JSONParseError) {
    let result = withBytes(of: text) { bytes in
      Result { () throws(JSONParseError) in try JSON(parsing: bytes, maximumDepth: maximumDepth) }
    }
    self = try result.get()
  }
}
