import Testing

@testable import DuxJSON

/// What a change costs, counted in nodes that old and new do not share.
struct SharingTests {
  static func nodes<Kind>(_ tree: Tree<Kind>) -> [ObjectIdentifier: Int] {
    var nodes: [ObjectIdentifier: Int] = [:]
    func visit(_ node: Node<Kind>) {
      nodes[ObjectIdentifier(node)] = node.slots
      if !node.isLeaf { for slot in 0..<node.slots { visit(node.children[slot].node) } }
    }
    if let root = tree.root { visit(root) }
    return nodes
  }

  /// How many nodes of `new` are not in `old`.
  static func copied<Kind>(_ new: Tree<Kind>, _ old: Tree<Kind>) -> Int {
    let shared = nodes(old)
    return nodes(new).keys.count { shared[$0] == nil }
  }

  static let million = JSONObject(
    uniqueSorted: (0..<1_000_000).map { (key: "k" + String(10_000_000 + $0), value: .integer(1)) })

  @Test func aChangeAmongAMillionMembersCopiesOneNodeALevel() {
    let old = Self.million
    let height = (old.tree.root?.height ?? 0) + 1
    #expect(height <= 5)
    for key in ["k10000000", "k10500000", "k10999999"] {
      var new = old
      new[key] = "changed"
      #expect(Self.copied(new.tree, old.tree) == height)
      var smaller = old
      smaller.removeValue(forKey: key)
      #expect(Self.copied(smaller.tree, old.tree) <= height * 2 + 2)
      var larger = old
      larger[key + "a"] = "inserted"
      #expect(Self.copied(larger.tree, old.tree) <= height * 2 + 2)
      #expect(old[key] == 1 && new[key] == "changed" && smaller[key] == nil)
      #expect(larger.count == 1_000_001 && smaller.count == 999_999 && old.count == 1_000_000)
    }
  }

  @Test func aChangeAmongAMillionElementsCopiesOneNodeALevel() {
    let old = JSONArray((0..<1_000_000).map { .integer($0) })
    let height = (old.tree.root?.height ?? 0) + 1
    for index in [0, 333_333, 999_999] {
      var new = old
      new[index] = "changed"
      #expect(Self.copied(new.tree, old.tree) == height)
      new = old
      new.insert("inserted", at: index)
      #expect(Self.copied(new.tree, old.tree) <= height * 2 + 2)
      #expect(new[index] == "inserted" && new[index + 1] == .integer(Int64(index)))
      new = old
      new.remove(at: index)
      #expect(Self.copied(new.tree, old.tree) <= height * 2 + 2)
      #expect(old[index] == .integer(Int64(index)))
    }
  }

  @Test func whatNobodyElseHoldsIsChangedInPlace() {
    var object = JSONObject()
    for number in 0..<5000 { object["k\(number)"] = 1 }
    let before = Set(Self.nodes(object.tree).keys)
    for number in 0..<5000 { object["k\(number)"] = .integer(Int64(number)) }
    #expect(Set(Self.nodes(object.tree).keys) == before)
  }

  @Test func aNestedChangeByPatchCopiesOnlyItsPath() throws {
    let old = JSON.object(["rows": .object(Self.million), "other": ["a": [1, 2, 3]]])
    var new = old
    let path = try JSONPointer("/rows/k10123456")
    try JSONPatch(operations: [.replace(path: path, value: ["v": 2])]).apply(to: &new)
    let rows = try #require(new["rows"]?.objectValue)
    #expect(Self.copied(rows.tree, Self.million.tree) <= 5)
    #expect(
      new["other"]?.objectValue?.isIdentical(to: old["other"]?.objectValue ?? [:]) == true)
    #expect(old.value(at: path) == 1 && new.value(at: path) == ["v": 2])
  }

  @Test func aSmallContainerIsOneNode() throws {
    for count in 1...16 {
      let array = JSONArray((0..<count).map { .integer(Int64($0)) })
      #expect(Self.nodes(array.tree).count == 1)
      let text = "{" + (0..<count).map { "\"k\($0)\":1" }.joined(separator: ",") + "}"
      let object = try #require(try JSON(parsing: text).objectValue)
      #expect(Self.nodes(object.tree).count == 1)
      #expect(object.tree.root.map { Int($0.head.pointee.capacity) } == count)
    }
  }

  @Test(arguments: seeds)
  func sizeAndDepthAreThoseOfTheTextAfterAnyChange(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var state = random.document(depth: 4)
    for step in 0..<300 {
      try? random.patch(for: state).apply(to: &state)
      if state.encodedByteCount > 20_000 { state = [:] }
      let label = Comment(rawValue: "seed \(seed) step \(step)")
      #expect(state.encodedByteCount == state.bytes.count, label)
      let parsed = try JSON(parsing: state.bytes, maximumDepth: 1000)
      #expect(state.depth == parsed.depth, label)
      #expect(state == parsed, label)
    }
  }
}
