import DuxJSON

extension ValueEncoder {
  /// The string that was encoded in a single value container, if that is all.
  var text: String? { shape == .value ? finish().stringValue : nil }

  /// The case, where this encoder took an enum: nothing but a nested container under a name.
  var enumCase: (name: String, values: ValueEncoder, form: PayloadForm)? {
    guard shape == .object, let sole, case .payload(let form) = sole.encoder.role else {
      return nil
    }
    return (sole.key, sole.encoder, form)
  }

  /// Encodes a value that continues the type if it is an enum.
  func encodeChild<Value: Encodable>(_ value: Value, forKey key: String) throws {
    if let json = try scalar(value, at: .key(key)) { return append(json, forKey: key) }
    let encoder = try entry(at: .key(key), role: .action)
    try encoder.encode(value)
    if encoder.enumCase == nil {
      append(encoder.finish(), forKey: key)
    } else {
      adopt(encoder)
    }
  }

  /// Adds this encoder's case to a type and gives back the payload.
  func payload(extending type: inout String) throws(CodingFailure) -> JSON? {
    guard let (name, values, form) = enumCase else { return finish() }
    guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "/")) else {
      throw CodingFailure(
        kind: .unencodable,
        problem: "has a case named \(quoted(name)), and the names in an action's type are"
          + " neither empty nor with a slash")
    }
    if !type.isEmpty { type += "/" }
    type += name
    switch form {
    case .sole: return try values.soleValue(extending: &type)
    case .labelled: return try values.labelledValues(extending: &type)
    }
  }

  private func soleValue(extending type: inout String) throws(CodingFailure) -> JSON? {
    if let child = sole?.encoder, child.enumCase != nil {
      return try child.payload(extending: &type)
    }
    guard let value = finish()["_0"] else { return nil }
    return value["_0"] == nil ? value : .object(["_0": value])
  }

  private func labelledValues(extending type: inout String) throws(CodingFailure) -> JSON? {
    var payload: (key: String, json: JSON?)?
    if let sole, sole.encoder.enumCase != nil {
      payload = (sole.key, try sole.encoder.payload(extending: &type))
    } else if let (index, child) = nested.first(where: { $0.encoder.enumCase != nil }) {
      payload = (members.key(at: index), try child.payload(extending: &type))
    }
    var object = finish().objectValue ?? JSONObject()
    if let payload { object[payload.key] = payload.json }
    return object.isEmpty ? JSON?.none : .object(object)
  }
}
