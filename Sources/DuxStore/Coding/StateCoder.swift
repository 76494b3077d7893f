public import DuxJSON

/// Writes `Codable` values as JSON values and reads them, without any text between.
///
/// Integers are exact, and one above `Int64.max` is refused as is a number that is not finite. An
/// optional that is nil is an explicit `null`; read, a missing member is nil too. Dates are
/// milliseconds since 1970: an integer where they are whole, otherwise a double, which is exact to
/// half a microsecond. `URL`, `UUID` and `Decimal` are strings, `Data` is base64. Sets, and
/// dictionaries that `Codable` writes as arrays, are sorted, so that equal states have equal JSON.
public enum StateCoder {
  /// The JSON of a value.
  ///
  /// - Throws: ``CodingFailure`` with the path of what has no JSON.
  /// - Complexity: O(size), without what ``StructuralLeaf``s and `JSON` hold.
  public static func encode(_ value: some Encodable) throws(CodingFailure) -> JSON {
    try encode(value, in: EncodingSession(absence: .null))
  }

  /// The JSON of a value, whose structural leaves are collected beside it.
  ///
  /// - Parameters:
  ///   - value: what to write.
  ///   - leaves: the leaves of `value` afterwards, whatever it held before.
  /// - Returns: the JSON.
  /// - Throws: ``CodingFailure`` with the path of what has no JSON; `leaves` is then unchanged.
  public static func encode(
    _ value: some Encodable, collecting leaves: inout StateLeaves
  ) throws(CodingFailure) -> JSON {
    let session = EncodingSession(absence: .null)
    session.leaves = StateLeaves()
    let json = try encode(value, in: session)
    leaves = session.leaves ?? StateLeaves()
    return json
  }

  /// Reads a value.
  ///
  /// - Parameters:
  ///   - type: what to read.
  ///   - json: where from.
  ///   - leaves: those of an earlier version of the state: each leaf decodes only what differs.
  /// - Returns: the value.
  /// - Throws: ``CodingFailure`` with the path of what does not fit.
  public static func decode<Value: Decodable>(
    _ type: Value.Type, from json: JSON, reusing leaves: StateLeaves? = nil
  ) throws(CodingFailure) -> Value {
    let session = DecodingSession(leaves: leaves, actionType: nil)
    let decoder = ValueDecoder(json, session: session, place: .value)
    do {
      guard let memory = LeafMemory.current else { return try decoder.value(type) }
      session.memory = memory
      // What a leaf decodes inside itself has places of its own.
      return try LeafMemory.$current.withValue(nil) { try decoder.value(type) }
    } catch {
      throw session.failure(for: error, in: json)
    }
  }

  /// Runs a body whose decoding finds the leaves of an earlier version of what it decodes, and leaves
  /// those of the new version behind.
  ///
  /// It reaches decoding that is out of the caller's hands, as an app's own.
  ///
  /// - Throws: what the body throws; `leaves` are then as they were.
  package static func reusing<Value, Failure: Error>(
    _ leaves: inout StateLeaves, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let memory = LeafMemory(leaves)
    let result = LeafMemory.$current.withValue(memory) {
      Result { () throws(Failure) in try body() }
    }
    let value = try result.get()
    leaves = memory.found
    return value
  }

  private static func encode(
    _ value: some Encodable, in session: EncodingSession
  ) throws(CodingFailure) -> JSON {
    let encoder = ValueEncoder(session: session, role: .value)
    defer { session.end() }
    do {
      try encoder.encode(value)
    } catch {
      throw session.failure(for: error)
    }
    if let failure = session.failure { throw failure }
    return encoder.finish()
  }
}
