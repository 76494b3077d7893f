import DuxJSON
import DuxStore
import Foundation
import Testing

/// The stock app, hidden behind another type: its actions are reduced, seen and compared.
private struct ReducedDocument: App {
  let document: DocumentApp

  var name: String { document.name }
  var initialState: JSON { document.initialState }

  func action(from wire: WireAction) throws(Refusal) -> DocumentAction {
    try document.action(from: wire)
  }

  func wireAction(of action: DocumentAction) -> WireAction { document.wireAction(of: action) }

  func view(of state: JSON) -> JSON { document.view(of: state) }

  func state(fromView view: JSON) throws(Refusal) -> JSON { try document.state(fromView: view) }

  func reduce(into state: inout JSON, action: DocumentAction) throws -> Effect<DocumentAction> {
    try document.reduce(into: &state, action: action)
  }
}

/// One action of the stock app is carried out where the view lies; that must be what reducing it,
/// seeing the state and comparing the views comes to.
struct ViewEditorTests {
  private typealias Edited = HostedApp<Leased<DocumentApp>>
  private typealias Reduced = HostedApp<Leased<ReducedDocument>>

  private static func stores(
    _ view: JSON, app: StateLimits, limits: StateLimits
  ) throws -> (Edited, Reduced) {
    let document = DocumentApp(limits: app)
    let dependencies = DependencyValues(.test).setting {
      $0.date = .fixed(Date(timeIntervalSince1970: 1_000))
    }
    var edited = try Edited(Leased(document), limits: limits, dependencies: dependencies)
    var reduced = try Reduced(
      Leased(ReducedDocument(document: document)), limits: limits, dependencies: dependencies)
    _ = try edited.restore(view: view, version: 1)
    _ = try reduced.restore(view: view, version: 1)
    return (edited, reduced)
  }

  private static func taken(
    _ action: WireAction, by store: inout some HostedStore
  ) -> Result<HostedStep, Refusal> {
    do throws(Refusal) {
      return .success(try store.dispatch([action], DispatchContext(author: "ada")))
    } catch {
      return .failure(error)
    }
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `editing a view is reducing, seeing and comparing`(seed: UInt64) throws {
    var random = Generator(seed: seed)
    let small = StateLimits(
      maximumDepth: 5 + random.below(3), maximumBytes: 1_500 + random.below(4_000))
    var (edited, reduced) = try Self.stores(
      random.document(), app: random.below(2) == 0 ? .wide : small,
      limits: random.below(4) == 0 ? .wide : small)
    var kept: [(store: Edited, text: [UInt8])] = []
    for _ in 0..<150 {
      let action = try WireAction(random.documentAction())
      if random.below(3) == 0 { kept.append((edited, edited.view.bytes)) }
      let before = edited.view
      let results = (
        Self.taken(action, by: &edited), Self.taken(action, by: &reduced)
      )
      switch results {
      case (.success(let one), .success(let other)):
        #expect(one.patch == other.patch, "\(action.json)")
        var patched = before
        try one.patch.apply(to: &patched)
        #expect(patched == edited.view, "\(action.json)")
        #expect(one.loggedActions == other.loggedActions)
        #expect(one.effect.isNone == other.effect.isNone)
      case (.failure(let one), .failure(let other)):
        #expect(one == other, "\(action.json)")
        #expect(edited.view == before)
      default:
        Issue.record("\(action.json): \(results.0) and \(results.1)")
      }
      #expect(edited.view == reduced.view, "\(action.json)")
      #expect(edited.state.hosted == reduced.state.hosted)
      #expect(edited.state.leases == reduced.state.leases)
      try Self.checkSizes(of: edited.view)
    }
    for version in kept { #expect(version.store.view.bytes == version.text) }
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `steps that are undone, the last first, lead back`(seed: UInt64) throws {
    var random = Generator(seed: seed)
    var (store, _) = try Self.stores(random.document(), app: .wide, limits: .wide)
    var steps: [(before: [UInt8], undo: HostedUndo)] = []
    for _ in 0..<300 {
      if random.below(20) == 0, let step = steps.popLast() {
        store.undo(step.undo)
        #expect(store.view.bytes == step.before)
        #expect(try store.app.view(of: store.state) == store.view)
        try Self.checkSizes(of: store.view)
        continue
      }
      let before = store.view.bytes
      let action = try WireAction(random.documentAction())
      guard case .success(let step) = Self.taken(action, by: &store) else { continue }
      steps.append((before, step.undo))
    }
    #expect(steps.count > 10)
    while let step = steps.popLast() {
      store.undo(step.undo)
      #expect(store.view.bytes == step.before)
    }
  }

  private static func checkSizes(of view: JSON) throws {
    let bytes = view.bytes
    #expect(view.encodedByteCount == bytes.count)
    let again = try JSON(parsing: bytes)
    #expect(again == view)
    #expect(again.depth == view.depth)
  }

  @Test func `what is set on a path of objects has the patch of the comparison`() throws {
    var (edited, reduced) = try Self.stores(
      ["items": ["a": ["v": 1], "b": ["v": ["x": 1, "y": 2]]]], app: .wide, limits: .wide)
    let values: [(path: JSON, value: JSON)] = [
      ("/items/a/v", 2), ("/items/a/v", 2), ("/items/c/d/e", "new"), ("/items/b/v/x", nil),
      ("/items/b", ["v": ["x": nil, "y": 3]]), ("/items/a", []), ("/items/b/v", ["z": 1]),
    ]
    for (path, value) in values {
      let action = try WireAction(["type": "doc/set", "payload": ["path": path, "value": value]])
      let one = try Self.taken(action, by: &edited).get().patch
      #expect(try one == Self.taken(action, by: &reduced).get().patch)
      #expect(one.operations.allSatisfy { $0.path == JSONPointer(tokens: $0.path.tokens) })
    }
  }

  @Test func `a version that is kept stays as it was while the view is edited`() throws {
    var (store, _) = try Self.stores(["n": 0, "rows": [1, 2, 3]], app: .wide, limits: .wide)
    var versions: [(Edited, JSON)] = []
    for number in 1...20 {
      versions.append((store, store.view))
      let action = try WireAction(["type": "doc/increment", "payload": ["path": "/n"]])
      _ = try Self.taken(action, by: &store).get()
      #expect(store.view["n"] == .integer(Int64(number)))
    }
    for (number, version) in versions.enumerated() {
      #expect(version.0.view["n"] == .integer(Int64(number)))
      #expect(version.0.state.hosted == version.1)
    }
  }
}

extension Generator {
  fileprivate mutating func document() -> JSON {
    var rows = JSONObject()
    for row in 0..<below(60) { rows["k\(row)"] = ["v": .integer(Int64(row))] }
    let list = (0..<below(40)).map { _ in JSON.integer(Int64(below(3))) }
    var document: JSON = ["list": .array(JSONArray(list)), "object": ["x": 1], "number": 1]
    if case .object(var members) = document {
      members["rows"] = .object(rows)
      // A state from before there were leases.
      if below(6) == 0 { members["@fence"] = .integer(Int64(below(3))) }
      if below(8) == 0 { members["@leases"] = ["a": "b"] }
      document = .object(members)
    }
    return document
  }

  private mutating func place() -> JSON {
    let row = below(60)
    let paths = [
      "", "/", "list", "/list", "/list/0", "/list/1", "/list/-", "/list/01", "/list/\(below(40))",
      "/list/0/x",
      "/object", "/object/x", "/object/x/y", "/object/deep/er/and/deep/er/still", "/number",
      "/number/x", "/other", "/rows", "/rows/k\(row)", "/rows/k\(row)/v", "/rows/k\(row)/w",
      "/rows/longer than fifteen bytes \(row)", "/a~1b/~0", "/a~b", "/é/\u{1F600}",
      "/object/\(String(repeating: "k", count: 300 + below(600)))", "/@leases", "/@fence",
      "/@leases/a", "/@other",
    ]
    return .string(paths[below(paths.count)])
  }

  private mutating func content() -> JSON {
    let values: [JSON] = [
      nil, true, 1, 1.0, -0.0, 0.0, 2, "t", "a \"quoted\"\n text", [], [1, 2], [:], ["x": 1],
      ["x": nil], [["x": 3]], ["deep": ["er": ["and": ["deep": [1]]]]], .integer(.max),
      .double(.greatestFiniteMagnitude), .string(String(repeating: "long", count: below(400))),
      ["v": .integer(Int64(below(3)))],
    ]
    return values[below(values.count)]
  }

  fileprivate mutating func documentAction() -> JSON {
    if below(25) == 0 {
      return ["type": "@lease/acquire", "payload": ["name": "a", "ttlMs": 1_000]]
    }
    if below(25) == 0 {
      return [
        "type": "@lease/release", "payload": ["name": "a", "fence": .integer(Int64(below(4)))],
      ]
    }
    let types: [JSON] = [
      "doc/set", "doc/set", "doc/remove", "doc/merge", "doc/patch", "doc/increment", "doc/append",
      "doc/insert", "doc/none",
    ]
    let kinds: [JSON] = ["add", "remove", "replace", "move", "copy", "test"]
    let operations = (0..<(below(4) == 0 ? 2 : 1)).map { _ -> JSON in
      ["op": kinds[below(6)], "path": place(), "from": place(), "value": content()]
    }
    var payload: JSONObject = [
      "path": place(), "value": content(), "index": .integer(Int64(below(30) - 1)),
      "ops": .array(JSONArray(operations)),
    ]
    if below(2) == 0 { payload["by"] = content() }
    if below(30) == 0 { payload["path"] = nil }
    return ["type": types[below(types.count)], "payload": .object(payload)]
  }
}
