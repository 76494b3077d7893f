public import DuxJSON

extension JSON: Codable {
  /// Writes the value: to this module's coders as it is, to others piece by piece.
  public func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? ValueEncoder {
      encoder.put(self)
      return
    }
    switch self {
    case .array(let array):
      var container = encoder.unkeyedContainer()
      for element in array { try container.encode(element) }
    case .object(let object):
      var container = encoder.container(keyedBy: CodingToken.self)
      for (key, value) in object {
        try container.encode(value, forKey: CodingToken(stringValue: key))
      }
    default:
      var container = encoder.singleValueContainer()
      try encodeScalar(to: &container)
    }
  }

  private func encodeScalar(to container: inout any SingleValueEncodingContainer) throws {
    switch self {
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .null, .array, .object: try container.encodeNil()
    }
  }

  /// Reads any value; a number is an integer where the other coder can give it as one.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? ValueDecoder {
      self = try decoder.present()
      return
    }
    if let container = try? decoder.container(keyedBy: CodingToken.self) {
      var object = JSONObject()
      for key in container.allKeys {
        object[key.stringValue] = try container.decode(JSON.self, forKey: key)
      }
      self = .object(object)
    } else if var container = try? decoder.unkeyedContainer() {
      var array = JSONArray()
      while !container.isAtEnd { array.append(try container.decode(JSON.self)) }
      self = .array(array)
    } else {
      self = try Self.scalar(from: decoder.singleValueContainer())
    }
  }

  private static func scalar(from container: any SingleValueDecodingContainer) throws -> JSON {
    if container.decodeNil() { return .null }
    if let value = try? container.decode(Bool.self) { return .bool(value) }
    if let value = try? container.decode(Int64.self) { return .integer(value) }
    if let value = try? container.decode(Double.self) { return .double(value) }
    return .string(try container.decode(String.self))
  }
}
