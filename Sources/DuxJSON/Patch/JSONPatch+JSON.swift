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
    if operations.count > 1 {
      bytes.append(addingCapacity: operations.reduce(2) { $0.addingSaturating($1.length(.plain)) })
      { _ in }
    }
    var opening: StaticString = "["
    for index in operations.indices {
      let closing: StaticString = index == operations.count - 1 ? "]" : ""
      operations[index].write(opening, closing: closing, into: &bytes)
      opening = ","
    }
    if operations.isEmpty { bytes.append(contentsOf: "[]".utf8) }
  }
}

/// How the length of a string's canonical text is found.
private enum TextMeasure {
  /// As if no byte needed an escape, which is so for nearly all strings.
  case plain
  /// Byte by byte.
  case exact

  @inline(__always)
  func callAsFunction(_ text: String) -> Int {
    switch self {
    case .plain: text.utf8.count &+ 2
    case .exact: encodedLength(of: text)
    }
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
  package func write(into bytes: inout [UInt8]) { write("", closing: "", into: &bytes) }

  /// Appends the canonical text with what stands around it.
  fileprivate func write(
    _ opening: StaticString, closing: StaticString, into bytes: inout [UInt8]
  ) {
    if write(opening, closing, upTo: .plain, into: &bytes) { return }
    let isWritten = write(opening, closing, upTo: .exact, into: &bytes)
    precondition(isWritten, "a text longer than its count")
  }

  @inline(__always)
  private func write(
    _ opening: StaticString, _ closing: StaticString, upTo measure: TextMeasure,
    into bytes: inout [UInt8]
  ) -> Bool {
    bytes.appendText(upTo: length(measure)) { writer in
      writer.put(opening)
      writer.write(self)
      writer.put(closing)
    }
  }

  /// The length of the text with what stands around it, or a little more.
  fileprivate func length(_ measure: TextMeasure) -> Int {
    switch self {
    case .add(let path, let value): path.length(with: value, measure)
    case .replace(let path, let value): path.length(with: value, measure)
    case .test(let path, let value): path.length(with: value, measure)
    case .remove(let path): #"[{"op":"remove","path":}]"#.utf8.count &+ path.textLength(measure)
    case .move(let from, let path), .copy(let from, let path):
      #"[{"from":,"op":"move","path":}]"#.utf8.count &+ from.textLength(measure)
        &+ path.textLength(measure)
    }
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

extension JSONPointer {
  /// The length of an operation with this path and a value, or a little more.
  fileprivate func length(with value: JSON, _ measure: TextMeasure) -> Int {
    let rest = #"[{"op":"replace","path":,"value":}]"#.utf8.count &+ textLength(measure)
    if case .string(let text) = value { return rest &+ measure(text) }
    return rest.addingSaturating(value.encodedByteCount)
  }

  fileprivate func textLength(_ measure: TextMeasure) -> Int {
    if let text { return measure(text) }
    return measure(description)
  }
}

extension JSONWriter {
  private mutating func write(_ pointer: JSONPointer) {
    if let text = pointer.text { return write(text) }
    write(pointer.description)
  }

  /// Writes the canonical text of an operation: the members in the order of their names.
  fileprivate mutating func write(_ operation: JSONPatchOperation) {
    switch operation {
    case .add(let path, let value): write(#"{"op":"add","path":"#, path, value)
    case .remove(let path): write(#"{"op":"remove","path":"#, path)
    case .replace(let path, let value): write(#"{"op":"replace","path":"#, path, value)
    case .test(let path, let value): write(#"{"op":"test","path":"#, path, value)
    case .move(let from, let path):
      put(#"{"from":"#)
      write(from)
      write(#","op":"move","path":"#, path)
    case .copy(let from, let path):
      put(#"{"from":"#)
      write(from)
      write(#","op":"copy","path":"#, path)
    }
  }

  private mutating func write(_ opening: StaticString, _ path: JSONPointer) {
    put(opening)
    write(path)
    put("}")
  }

  private mutating func write(_ opening: StaticString, _ path: JSONPointer, _ value: JSON) {
    put(opening)
    write(path)
    put(#","value":"#)
    write(value)
    put("}")
  }
}

extension JSONPatchError {
  fileprivate static func malformed(_ text: String, at index: Int) -> JSONPatchError {
    JSONPatchError(operation: index, path: "", reason: .malformed(text))
  }
}
