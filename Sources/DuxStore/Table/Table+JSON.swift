public import DuxJSON

extension TableProtocol {
  /// The table in JSON: `{"order":{"<rank>":"<id>"},"rows":{"<id>":row}}`.
  ///
  /// It shares storage with the JSON made last of this table or of one it came from by changes.
  /// - Throws: ``CodingFailure`` with the path of what has no JSON.
  /// - Complexity: O(rows that changed since × log *n*); O(*n*) the first time.
  public var json: JSON {
    get throws(CodingFailure) { try storage.image().json }
  }

  /// The table in JSON.
  public var structuralJSON: JSON { get throws { try json } }

  /// Reads a table from its JSON.
  ///
  /// - Parameters:
  ///   - json: rows, and their order. Members beside these two are ignored.
  ///   - previous: another version: only the rows that its JSON says otherwise are decoded.
  /// - Throws: ``CodingFailure`` with the path of what is wrong: a row under an id that it has not,
  ///   without a rank or with two, a rank without a row or of another form.
  public init(structural json: JSON, reusing previous: Self?) throws {
    let decoding = try TableDecoding(json, reusing: previous?.storage)
    self.init(storage: decoding.storage)
    settle(decoding.changed)
  }
}
