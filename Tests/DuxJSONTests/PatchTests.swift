import Testing

@testable import DuxJSON

struct PatchTests {
  static func patch(_ text: String) throws -> JSONPatch { try JSONPatch(try JSON(parsing: text)) }

  static func error(_ text: String, on document: JSON) throws -> JSONPatchError? {
    let patch = try patch(text)
    var state = document
    do throws(JSONPatchError) {
      try patch.apply(to: &state)
      return nil
    } catch {
      #expect(state == document, "a refused patch changes nothing")
      return error
    }
  }

  static let refused: [(String, Int, String, JSONPatchError.Reason)] = [
    (#"[{"op":"remove","path":"/x"}]"#, 0, "/x", .missingPath),
    (#"[{"op":"replace","path":"/x","value":1}]"#, 0, "/x", .missingPath),
    (#"[{"op":"add","path":"/x/y","value":1}]"#, 0, "/x/y", .missingPath),
    (
      #"[{"op":"add","path":"/n","value":2},{"op":"test","path":"/n","value":1}]"#, 1, "/n",
      .testFailed
    ),
    (#"[{"op":"test","path":"/x","value":null}]"#, 0, "/x", .missingPath),
    (#"[{"op":"add","path":"/n/x","value":1}]"#, 0, "/n/x", .notAContainer),
    (#"[{"op":"remove","path":"/n/0"}]"#, 0, "/n/0", .notAContainer),
    (#"[{"op":"add","path":"/a/4","value":1}]"#, 0, "/a/4", .indexOutOfRange),
    (
      #"[{"op":"add","path":"/a/999999999999999999999999999999","value":1}]"#, 0,
      "/a/999999999999999999999999999999", .indexOutOfRange
    ),
    (#"[{"op":"remove","path":"/a/3"}]"#, 0, "/a/3", .indexOutOfRange),
    (#"[{"op":"remove","path":"/a/-"}]"#, 0, "/a/-", .indexOutOfRange),
    (#"[{"op":"add","path":"/a/01","value":1}]"#, 0, "/a/01", .malformedIndex),
    (#"[{"op":"add","path":"/a/+1","value":1}]"#, 0, "/a/+1", .malformedIndex),
    (#"[{"op":"replace","path":"/a/","value":1}]"#, 0, "/a/", .malformedIndex),
    (#"[{"op":"remove","path":""}]"#, 0, "", .rootRemoved),
    (#"[{"op":"move","from":"/o","path":"/o/p/q"}]"#, 0, "/o/p/q", .movedIntoItself),
    (#"[{"op":"move","from":"","path":"/o"}]"#, 0, "/o", .movedIntoItself),
    (#"[{"op":"move","from":"/x","path":"/y"}]"#, 0, "/x", .missingPath),
    (#"[{"op":"move","from":"/x","path":"/x"}]"#, 0, "/x", .missingPath),
    (#"[{"op":"copy","from":"/a/7","path":"/y"}]"#, 0, "/a/7", .indexOutOfRange),
    (#"[{"op":"copy","from":"/n","path":"/x/y"}]"#, 0, "/x/y", .missingPath),
  ]

  @Test(arguments: refused)
  func aRefusalNamesOperationPathAndRule(
    text: String, operation: Int, path: String, reason: JSONPatchError.Reason
  ) throws {
    let document: JSON = ["a": [1, 2, 3], "n": 5, "o": ["p": [:]]]
    let error = try #require(try Self.error(text, on: document))
    #expect(error.operation == operation && error.path == path && error.reason == reason)
    #expect(error.description.contains("operation \(operation)"))
    #expect(error.description.contains(path))
    #expect(throws: error) { try Self.patch(text).inverse(on: document) }
  }

  static let malformed: [(String, Int?)] = [
    ("{}", nil), ("1", nil), ("[1]", 0), (#"[{"op":"test","path":"","value":1},{}]"#, 1),
    (#"[{"op":1,"path":""}]"#, 0), (#"[{"op":"spam","path":""}]"#, 0),
    (#"[{"op":"add","path":""}]"#, 0),
    (#"[{"op":"add","value":1}]"#, 0), (#"[{"op":"add","path":"a","value":1}]"#, 0),
    (#"[{"op":"add","path":"/~2","value":1}]"#, 0), (#"[{"op":"move","path":"/a"}]"#, 0),
    (#"[{"op":"copy","path":"/a","from":null}]"#, 0), (#"[{"op":"remove","path":null}]"#, 0),
  ]

  @Test(arguments: malformed)
  func whatIsNoPatchIsMalformed(text: String, operation: Int?) throws {
    let json = try JSON(parsing: text)
    do throws(JSONPatchError) {
      _ = try JSONPatch(json)
      Issue.record("accepted")
    } catch {
      #expect(error.operation == operation)
      guard case .malformed = error.reason else { Issue.record("\(error.reason)"); return }
    }
  }

  @Test func aPatchIsWrittenAsItWasReadWithoutUnknownMembers() throws {
    let text =
      #"[{"op":"add","path":"/a~1b/m~0n","value":1},{"op":"remove","path":""},"#
      + #"{"op":"replace","path":"/","value":null},{"from":"/a","op":"move","path":"/b"},"#
      + #"{"from":"","op":"copy","path":"/c"},{"op":"test","path":"/d","value":[1.0]}]"#
    let patch = try Self.patch(text.replacing("\"op\"", with: "\"also\":1,\"op\""))
    #expect(patch.json.description == text)
    var bytes: [UInt8] = []
    patch.write(into: &bytes)
    #expect(bytes == Array(text.utf8))
    #expect(try JSONPatch(patch.json) == patch)
  }

  @Test func depthAndLengthOfTheResultAreLimited() throws {
    let patch = try Self.patch(#"[{"op":"add","path":"/a/b","value":[[]]}]"#)
    let document: JSON = ["a": [:]]
    var state = document
    try patch.apply(to: &state, maximumDepth: 4, maximumBytes: 16)
    #expect(state == ["a": ["b": [[]]]] && state.depth == 4 && state.encodedByteCount == 16)
    for (depth, bytes, reason) in [(3, 16, JSONPatchError.Reason.tooDeep), (4, 15, .tooLarge)] {
      var state = document
      let error = #expect(throws: JSONPatchError.self) {
        try patch.apply(to: &state, maximumDepth: depth, maximumBytes: bytes)
      }
      #expect(error?.reason == reason && error?.operation == 0 && state == document)
    }
  }

  @Test func aPatchThatDoublesTheStateEachTimeStopsAtTheLimit() throws {
    let operations = (0..<200).map { number in
      JSONPatchOperation.copy(from: .root, path: JSONPointer(tokens: [number % 2 == 0 ? "a" : "b"]))
    }
    var state: JSON = ["text": "0123456789"]
    let error = #expect(throws: JSONPatchError.self) {
      try JSONPatch(operations: operations).apply(
        to: &state, maximumDepth: 1000, maximumBytes: 1_000_000)
    }
    #expect(error?.reason == .tooLarge && (error?.operation ?? 0) < 30)
    #expect(state == ["text": "0123456789"])
  }

  @Test func theSizeOfAnExplodedStateSaturates() throws {
    var state: JSON = ["text": "0123456789"]
    for _ in 0..<100 {
      let copies = [
        JSONPatchOperation.copy(from: .root, path: JSONPointer(tokens: ["a"])),
        .copy(from: JSONPointer(tokens: ["a"]), path: JSONPointer(tokens: ["b"])),
      ]
      try JSONPatch(operations: copies).apply(to: &state)
    }
    #expect(state.encodedByteCount == .max && state.depth == 101)
    var smaller = state
    try JSONPatch(operations: [.remove(path: JSONPointer(tokens: ["a"]))]).apply(to: &smaller)
    #expect(smaller.encodedByteCount == .max)
    try JSONPatch(operations: [.remove(path: JSONPointer(tokens: ["b"]))]).apply(to: &smaller)
    #expect(smaller == ["text": "0123456789"] && smaller.encodedByteCount == 21)
    #expect(smaller.depth == 1)
    let root = JSON.array([state, state])
    #expect(root.encodedByteCount == .max && root != state && root == [state, state])
  }

  @Test func nestingWithoutLimitsEndsAtAThousand() throws {
    var state: JSON = [:]
    let tokens = (0..<1100).map { _ in "a" }
    let error = #expect(throws: JSONPatchError.self) {
      for depth in 1...1100 {
        let path = JSONPointer(tokens: Array(tokens.prefix(depth)))
        try JSONPatch(operations: [.add(path: path, value: [:])]).apply(to: &state)
      }
    }
    #expect(error?.reason == .tooDeep && state.depth == 1000)
  }

  @Test(arguments: seeds)
  func aRandomPatchIsUndoneByItsInverse(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var applied = 0
    for step in 0..<400 {
      let document = random.document(depth: 3)
      let patch = random.patch(for: document)
      let label = Comment(rawValue: "seed \(seed) step \(step) \(document) \(patch.json)")
      var state = document
      guard (try? patch.apply(to: &state)) != nil else {
        #expect(state == document, label)
        continue
      }
      applied += 1
      #expect(state.encodedByteCount == state.bytes.count, label)
      let inverse = try patch.inverse(on: document)
      try inverse.apply(to: &state)
      #expect(state == document, label)
    }
    #expect(applied > 100, "seed \(seed)")
  }
}

extension SeededGenerator {
  /// A pointer to something in a document, or near it.
  mutating func pointer(into document: JSON) -> JSONPointer {
    var pointer = JSONPointer.root
    var value = document
    while chance(75) {
      switch value {
      case .object(let object):
        let key = object.map(\.key).randomElement(using: &self) ?? key()
        pointer = pointer.appending(chance(85) ? key : self.key())
      case .array(let array):
        pointer = pointer.appending(chance(90) ? String(below(array.count + 1)) : "-")
      default: return pointer
      }
      guard let next = document.value(at: pointer) else { return pointer }
      value = next
    }
    return pointer
  }

  /// A patch of some operations at places of a document.
  mutating func patch(for document: JSON) -> JSONPatch {
    var state = document
    var operations: [JSONPatchOperation] = []
    for _ in 0..<(1 + below(5)) {
      let path = pointer(into: state)
      let operation: JSONPatchOperation =
        switch below(6) {
        case 0: .add(path: path, value: self.document(depth: 2))
        case 1: .remove(path: path)
        case 2: .replace(path: path, value: self.document(depth: 2))
        case 3: .move(from: pointer(into: state), path: path)
        case 4: .copy(from: pointer(into: state), path: path)
        default: .test(path: path, value: state.value(at: path) ?? nil)
        }
      operations.append(operation)
      if (try? JSONPatch(operations: [operation]).apply(to: &state)) == nil, chance(80) {
        operations.removeLast()
      }
    }
    return JSONPatch(operations: operations)
  }
}
