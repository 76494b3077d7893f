extension JSONPatch {
  /// Reads a patch from its JSON form; members that no operation knows are ignored.
  ///
  /// - Throws: ``JSONPatchError`` whose reason is `malformed`, naming the operation.
  public init(_ json: JSON) throws(JSONPatchError) {
    guard case .array(let array) = json else {
      throw JSONPatchError(operation: nil, path: "", reason: .malformed("a patch is an array"))
    }
    operations = []
    operations.reserveCapacity(array.count)
    for (index, element) in array.enumerated() {
      guard case .object(let object) = element else {
        throw .malformed("an operation is an object", at: index)
      }
      operations.append(try JSONPatchOperation(object, index: index))
    }
  }

  /// The patch in its JSON form.
  public var json: JSON { .array(JSONArray(operations.map(\.json))) }

  /// Appends the canonical text of the JSON form.
  ///
  /// - Complexity: O(*n*) in the bytes appended; the JSON form itself is not made.
  public func write(into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "["))
    for (index, operation) in operations.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      operation.write(into: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }
}

extension JSONPatchOperation {
  fileprivate init(_ object: JSONObject, index: Int) throws(JSONPatchError) {
    func value() throws(JSONPatchError) -> JSON {
      guard let value = object["value"] else { throw .malformed("value is missing", at: index) }
      return value
    }
    func pointer(_ key: String) throws(JSONPatchError) -> JSONPointer {
      guard case .string(let text) = object[key] else {
        throw .malformed("\(key) is missing or no string", at: index)
      }
      do throws(JSONPointerError) {
        return try JSONPointer(text)
      } catch {
        throw .malformed(error.description, at: index)
      }
    }
    guard case .string(let name) = object["op"] else {
      throw .malformed("op is missing or no string", at: index)
    }
    let path = try pointer("path")
    switch name {
    case "add": self = .add(path: path, value: try value())
    case "remove": self = .remove(path: path)
    case "replace": self = .replace(path: path, value: try value())
    case "move": self = .move(from: try pointer("from"), path: path)
    case "copy": self = .copy(from: try pointer("from"), path: path)
    case "test": self = .test(path: path, value: try value())
    default: throw .malformed("op is none of add, remove, replace, move, copy, test", at: index)
    }
  }

  fileprivate var json: JSON {
    var object: JSONObject = ["op": .string(name), "path": .string(path.description)]
    if let source { object["from"] = .string(source.description) }
    if let value { object["value"] = value }
    return .object(object)
  }

  /// Appends the canonical text: the members in the order of their names.
  package func write(into bytes: inout [UInt8]) {
    if let source {
      bytes.append(contentsOf: "{\"from\":".utf8)
      JSON.write(string: source.description, into: &bytes)
      bytes.append(contentsOf: ",\"op\":\"".utf8)
    } else {
      bytes.append(contentsOf: "{\"op\":\"".utf8)
    }
    bytes.append(contentsOf: name.utf8)
    bytes.append(contentsOf: "\",\"path\":".utf8)
    JSON.write(string: path.description, into: &bytes)
    if let value {
      bytes.append(contentsOf: ",\"value\":".utf8)
      value.write(into: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private var name: String {
    switch self {
    case .add: "add"
    case .remove: "remove"
    case .replace: "replace"
    case .move: "move"
    case .copy: "copy"
    case .test: "test"
    }
  }

  private var source: JSONPointer? {
    switch self {
    case .move(let from, _), .copy(let from, _): from
    default: nil
    }
  }

  private var value: JSON? {
    switch self {
    case .add(_, let value), .replace(_, let value), .test(_, let value): value
    case .remove, .move, .copy: nil
    }
  }
}

extension JSONPatchError {
  fileprivate static func malformed(_ text: String, at index: Int) -> JSONPatchError {
    JSONPatchError(operation: index, path: "", reason: .malformed(text))
  }
}
