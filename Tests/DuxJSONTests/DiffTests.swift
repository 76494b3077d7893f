import Testing

@testable import DuxJSON

struct DiffTests {
  /// The operations between two values, after checking that they lead from one to the other.
  @discardableResult
  static func diff(_ old: JSON, _ new: JSON, _ label: Comment = "") throws -> [JSONPatchOperation] {
    let patch = JSONPatch.diff(from: old, to: new)
    var state = old
    try patch.apply(to: &state)
    #expect(state == new, label)
    for operation in patch.operations {
      switch operation {
      case .add, .remove, .replace: break
      default: Issue.record("\(operation) in a difference, \(label)")
      }
    }
    let inverse = try patch.inverse(on: old)
    try inverse.apply(to: &state)
    #expect(state == old, label)
    return patch.operations
  }

  @Test(arguments: seeds)
  func anyTwoDocumentsDifferByAPatchThatLeadsThere(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for step in 0..<300 {
      let old = random.document(depth: 4)
      let new = random.chance(50) ? random.document(depth: 4) : random.edited(old)
      try Self.diff(old, new, "seed \(seed) step \(step)")
      #expect(JSONPatch.diff(from: old, to: old).operations.isEmpty)
    }
  }

  @Test(arguments: seeds, [40, 400, 4000])
  func manyEditsOfALargeArrayAreFound(seed: UInt64, count: Int) throws {
    var random = SeededGenerator(seed: seed)
    let old = JSONArray(
      (0..<count).map { random.chance(50) ? .integer(Int64($0)) : ["id": .integer(Int64($0 % 99))] }
    )
    var new = old
    for step in 0..<60 {
      random.edit(&new)
      if step % 4 == 0 {
        try Self.diff(["a": .array(old)], ["a": .array(new)], "seed \(seed) step \(step)")
      }
    }
    let rebuilt = JSONArray(Array(new))
    try Self.diff(.array(old), .array(rebuilt), "seed \(seed), nothing shared")
  }

  @Test(arguments: seeds, [40, 400, 4000])
  func manyEditsOfALargeObjectAreFoundOneByOne(seed: UInt64, count: Int) throws {
    var random = SeededGenerator(seed: seed)
    var old = JSONObject()
    for number in 0..<count { old["key \(number)"] = ["id": .integer(Int64(number)), "v": 1] }
    var new = old
    var changed: Set<String> = []
    for _ in 0..<20 {
      let key = "key \(random.below(count * 2))"
      new[key] = random.chance(40) ? nil : ["id": .integer(Int64(random.below(9) - 10)), "v": 1]
      changed.insert(key)
    }
    let rebuilt = JSONObject(uniqueSorted: Array(new))
    for target in [new, rebuilt] {
      let operations = try Self.diff(.object(old), .object(target), "seed \(seed)")
      #expect(operations.count <= changed.count, "seed \(seed)")
    }
  }

  @Test func oneFieldOfAMillionEntriesIsOneOperationAndFewLooks() throws {
    let members = (0..<1_000_000).map { number in
      (key: "k" + String(10_000_000 + number), value: JSON.integer(Int64(number)))
    }
    let old = JSON.object(["rows": .object(JSONObject(uniqueSorted: members)), "other": 1])
    var new = old
    let path = try JSONPointer("/rows/k10765432")
    try JSONPatch(operations: [.replace(path: path, value: "new")]).apply(to: &new)
    var difference = Difference()
    difference.compare(old, new)
    #expect(difference.operations == [.replace(path: path, value: "new")])
    #expect(difference.work < 200)
  }

  @Test func anInsertionAndADistantRemovalInAMillionElementsAreTwoOperations() throws {
    let array = JSONArray((0..<1_000_000).map { .integer(Int64($0)) })
    var edited = array
    edited.insert("new", at: 5)
    edited.remove(at: 900_000)
    var difference = Difference()
    difference.compare(.array(array), .array(edited))
    #expect(
      difference.operations == [
        .add(path: JSONPointer(tokens: ["5"]), value: "new"),
        .remove(path: JSONPointer(tokens: ["900000"])),
      ])
    #expect(difference.work < 1000)
  }

  @Test func aQuiteDifferentContainerIsReplacedWithoutListingItsChanges() throws {
    let old = JSON.object(["a": .array(JSONArray((0..<50_000).map { .integer($0) }))])
    let new = JSON.object(["a": [1, 2, 3], "b": nil])
    let operations = try Self.diff(old, new)
    #expect(operations.count <= 2)
    let many = JSON.array(JSONArray((0..<2000).map { .integer($0) }))
    let others = JSON.array(JSONArray((0..<2000).map { .integer(-$0 - 1) }))
    #expect(try Self.diff(many, others) == [.replace(path: .root, value: others)])
  }

  @Test func anElementThatChangedInsideIsChangedInPlace() throws {
    let filler = JSON.string(String(repeating: "x", count: 200))
    let old: JSON = [["id": 1, "f": filler], ["id": 2, "f": filler], ["id": 3, "f": filler]]
    let new: JSON = [["id": 1, "f": filler], ["id": 9, "f": filler], ["id": 3, "f": filler]]
    #expect(
      try Self.diff(old, new) == [.replace(path: JSONPointer(tokens: ["1", "id"]), value: 9)])
  }

  @Test func aMovedStretchOfEqualElementsIsNotRewritten() throws {
    let long = (0..<40).map { JSON.string("element number \($0)") }
    let old = JSON.array(JSONArray(long))
    let new = JSON.array(JSONArray(long.dropFirst(3) + long.prefix(3)))
    #expect(try Self.diff(old, new).count == 6)
  }
}

extension SeededGenerator {
  /// A document after some changes anywhere in it.
  mutating func edited(_ document: JSON) -> JSON {
    switch document {
    case .object(var object):
      for (key, value) in object where chance(30) {
        object[key] = chance(20) ? nil : edited(value)
      }
      if chance(40) { object[key()] = self.document(depth: 2) }
      return .object(object)
    case .array(var array):
      for _ in 0..<below(4) { edit(&array) }
      if array.count > 0, chance(60) {
        let index = below(array.count)
        array[index] = edited(array[index])
      }
      return .array(array)
    default: return chance(50) ? scalar() : document
    }
  }

  /// Makes one change in an array: an element or a stretch of them.
  mutating func edit(_ array: inout JSONArray) {
    let index = below(array.count + 1)
    switch below(6) {
    case 0: array.insert(document(depth: 2), at: index)
    case 1 where index < array.count: array.remove(at: index)
    case 2 where index < array.count: array[index] = document(depth: 2)
    case 3: for _ in 0..<below(50) where index < array.count { array.remove(at: index) }
    case 4: for number in 0..<below(50) { array.insert(.integer(Int64(number)), at: index) }
    default:
      guard index < array.count else { return }
      let element = array.remove(at: index)
      array.insert(element, at: below(array.count + 1))
    }
  }
}
