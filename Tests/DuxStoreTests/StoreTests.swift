import DuxJSON
import DuxStore
import Testing

struct StoreTests {
  private func actions(_ list: [(String, JSON)]) throws -> [WireAction] {
    try list.map { try WireAction(["type": .string($0.0), "payload": $0.1]) }
  }

  @Test func `an action is given as it was sent, and is equal however it was made`() throws {
    let plain: JSON = ["payload": 1, "type": "t"]
    let noted: JSON = ["payload": 1, "type": "t", "meta": [:]]
    #expect(try WireAction(plain).json == plain)
    #expect(try WireAction(noted).json == noted)
    #expect(try WireAction(plain) == WireAction(type: "t", payload: 1))
    #expect(try WireAction(["type": "t"]) == WireAction(type: "t", payload: nil))
    #expect(try WireAction(noted) != WireAction(plain))
  }

  @Test func `the patch leads from the view before to the view after`() throws {
    var generator = Generator(seed: 7)
    var store = try store(["list": [], "object": [:], "number": 0])
    var taken = 0
    for _ in 0..<2_000 {
      let before = store.view
      guard let patch = try? store.dispatch([try WireAction(generator.action())]) else {
        #expect(store.view == before)
        continue
      }
      taken += 1
      var after = before
      try patch.apply(to: &after)
      #expect(after == store.view)
      #expect(after.description == store.view.description)
      #expect(patch.operations.isEmpty == (before == store.view))
    }
    #expect(taken > 500)
  }

  @Test func `one action of a batch sees what those before it made`() throws {
    var store = try store()
    let patch = try store.dispatch(
      actions([
        ("doc/set", ["path": "/a", "value": []]), ("doc/append", ["path": "/a", "value": 1]),
        ("doc/increment", ["path": "/a/0"]),
      ]))
    #expect(store.view == ["a": [2]])
    #expect(patch == JSONPatch(operations: [.add(path: JSONPointer(tokens: ["a"]), value: [2])]))
  }

  @Test func `a state past a limit that was lowered may shrink and may not grow`() throws {
    let tight = StateLimits(maximumDepth: 2, maximumBytes: 40)
    let deep: JSON = ["a": ["b": ["c": 1]], "d": ["e": ["f": 2]], "text": "0123456789"]
    var lowered = try store(deep, limits: tight)
    #expect(throws: Refusal.self) {
      try lowered.dispatch(actions([("doc/set", ["path": "/a/b/c", "value": ["g": 1]])]))
    }
    #expect(throws: Refusal.self) {
      try lowered.dispatch(actions([("doc/set", ["path": "/more", "value": "x"])]))
    }
    _ = try lowered.dispatch(actions([("doc/remove", ["path": "/a"])]))
    _ = try lowered.dispatch(
      actions([("doc/remove", ["path": "/d"]), ("doc/remove", ["path": "/text"])]))
    #expect(lowered.view == [:])
  }

  @Test func `limits hold for the result of a step, not for what lies between`() throws {
    let tight = StateLimits(maximumDepth: 2, maximumBytes: 60)
    var passing = try store(["a": 1], limits: tight)
    _ = try passing.dispatch(
      actions([
        ("doc/set", ["path": "/b", "value": ["c": ["d": ["e": 1]]]]),
        ("doc/remove", ["path": "/b"]),
      ]))
    let through: JSON = [
      "ops": [
        ["op": "add", "path": "/b", "value": ["c": ["d": 1]]], ["op": "remove", "path": "/b/c"],
      ]
    ]
    _ = try passing.dispatch(actions([("doc/patch", through)]))
    #expect(passing.view == ["a": 1, "b": [:]])
  }

  @Test func `a batch whose last action is refused changes nothing`() throws {
    var store = try store(["a": 1])
    let batch = try actions([
      ("doc/set", ["path": "/b", "value": 2]), ("doc/increment", ["path": "/a"]),
      ("doc/remove", ["path": "/none"]),
    ])
    #expect(throws: Refusal.self) { try store.dispatch(batch) }
    #expect(store.view == ["a": 1])
    #expect(store.state == ["a": 1])
  }

  @Test func `steps that cancel each other out leave an empty patch`() throws {
    var store = try store(["a": 1])
    let patch = try store.dispatch(
      actions([("doc/increment", ["path": "/a"]), ("doc/increment", ["path": "/a", "by": -1])]))
    #expect(patch.operations.isEmpty)
  }

  @Test func `another spelling of a number is a change`() throws {
    var store = try store(["a": 1])
    #expect(try store.take("doc/set", ["path": "/a", "value": 1]).operations.isEmpty)
    #expect(try !store.take("doc/set", ["path": "/a", "value": 1.0]).operations.isEmpty)
  }

  @Test func `the state's depth is bounded to the level, whatever makes it`() throws {
    let limits = StateLimits(maximumDepth: 3, maximumBytes: 1_000)
    var store = try store(["a": [:]], limits: limits)
    try store.take("doc/set", ["path": "/a/b", "value": [:]])
    let before = store.view
    for (type, payload) in [
      ("doc/set", ["path": "/a/b/c", "value": []]), ("doc/set", ["path": "/x/y/z/w", "value": 1]),
      ("doc/merge", ["path": "", "value": ["a": ["b": ["c": [:]]]]]),
      ("doc/patch", ["ops": [["op": "copy", "from": "/a", "path": "/a/b/c"]]]),
    ] as [(String, JSON)] {
      var error: Refusal?
      do throws(Refusal) { try store.take(type, payload) } catch let refusal { error = refusal }
      guard case .tooDeep = error else {
        Issue.record("\(type): \(String(describing: error))")
        continue
      }
      #expect(store.view == before)
    }
  }

  @Test func `the state's size is bounded to the byte, whatever makes it`() throws {
    let limits = StateLimits(maximumDepth: 9, maximumBytes: 20)
    var store = try store([:], limits: limits)
    try store.take("doc/set", ["path": "/a", "value": .string(String(repeating: "x", count: 12))])
    #expect(store.view.encodedByteCount == 20)
    let before = store.view
    for (type, payload) in [
      ("doc/set", ["path": "/a", "value": "1234567890123"]),
      ("doc/set", ["path": "/b", "value": 1]),
      ("doc/merge", ["path": "", "value": ["b": 1]]),
      ("doc/patch", ["ops": [["op": "copy", "from": "/a", "path": "/b"]]]),
    ] as [(String, JSON)] {
      var error: Refusal?
      do throws(Refusal) { try store.take(type, payload) } catch let refusal { error = refusal }
      guard case .tooLarge = error else {
        Issue.record("\(type): \(String(describing: error))")
        continue
      }
      #expect(store.view == before)
    }
  }

  @Test func `a patch that doubles the document again and again is stopped early`() throws {
    let limits = StateLimits(maximumDepth: 100, maximumBytes: 10_000)
    var store = try store(["a": ["0123456789"]], limits: limits)
    let doubling: JSON = ["op": "copy", "from": "/a", "path": "/a/-"]
    let bomb = JSON.array(JSONArray(Array(repeating: doubling, count: 90)))
    #expect(throws: Refusal.self) { try store.take("doc/patch", ["ops": bomb]) }
    #expect(store.view == ["a": ["0123456789"]])
  }

  @Test func `an action is an object with a type that is a word`() {
    for (json, isUnknown) in [
      (1, false), ([], false), ([:], false), (["type": 1], false), (["type": nil], false),
      (["type": ""], true),
    ] as [(JSON, Bool)] {
      do throws(Refusal) {
        _ = try WireAction(json)
        Issue.record("\(json) was taken")
      } catch {
        if case .unknownAction = error { #expect(isUnknown) } else { #expect(!isUnknown) }
      }
    }
  }

  @Test func `only an object is restored as a document`() throws {
    var store = try store(["a": 1])
    #expect(throws: RestoreFailure.self) { try store.restore(view: [1], version: 1) }
    #expect(store.view == ["a": 1])
    _ = try store.restore(view: ["b": 2], version: 1)
    #expect(store.view == ["b": 2])
    #expect(store.state == ["b": 2])
  }

  @Test func `a copy of a store is a version that nothing changes any more`() throws {
    var store = try store(["a": 1])
    let former = store
    try store.take("doc/set", ["path": "/a", "value": 2])
    #expect(former.view == ["a": 1])
  }
}
