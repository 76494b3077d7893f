import Testing

@testable import DuxJSON

struct ObjectModelTests {
  /// Long and short keys, with ones that Unicode calls equivalent among them.
  static func key(_ number: Int) -> String {
    switch number % 4 {
    case 0: "k\(number)"
    case 1: "a key of more than fifteen bytes \(number)"
    case 2: "e\u{301}\(number)"
    default: "\u{e9}\(number - 1)"
    }
  }

  static func expect(_ object: JSONObject, equals model: [[UInt8]: JSON], _ label: Comment) {
    #expect(object.tree.brokenInvariant() == nil, label)
    #expect(object.count == model.count, label)
    let keys = object.map { Array($0.key.utf8) }
    #expect(keys == model.keys.sorted { $0.lexicographicallyPrecedes($1) }, label)
    for (key, value) in object { #expect(model[Array(key.utf8)] == value, label) }
  }

  @Test(arguments: seeds, [20, 200, 3000])
  func anObjectDoesWhatADictionaryDoes(seed: UInt64, range: Int) {
    var random = SeededGenerator(seed: seed)
    var object = JSONObject()
    var model: [[UInt8]: JSON] = [:]
    for step in 0..<4000 {
      let key = Self.key(random.below(range))
      let isGrowing = (step / 1000).isMultiple(of: 2)
      if random.chance(isGrowing ? 75 : 30) {
        let value = random.scalar()
        object[key] = value
        model[Array(key.utf8)] = value
      } else {
        let removed = object.removeValue(forKey: key)
        #expect(removed == model.removeValue(forKey: Array(key.utf8)), "seed \(seed)")
      }
      #expect(object[key] == model[Array(key.utf8)], "seed \(seed) step \(step)")
      if step % 500 == 0 { Self.expect(object, equals: model, "seed \(seed) step \(step)") }
    }
    Self.expect(object, equals: model, "seed \(seed)")
  }

  @Test(arguments: seeds)
  func everyCopyStaysAsItWas(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var object = JSONObject()
    var model: [[UInt8]: JSON] = [:]
    var copies: [(JSONObject, [[UInt8]: JSON])] = []
    for step in 0..<2000 {
      let key = Self.key(random.below(500))
      let value: JSON? = random.chance(60) ? random.scalar() : nil
      object[key] = value
      model[Array(key.utf8)] = value
      if step % 97 == 0 { copies.append((object, model)) }
    }
    for (copy, model) in copies { Self.expect(copy, equals: model, "seed \(seed)") }
  }

  @Test(arguments: [0, 1, 8, 15, 16, 17, 31, 32, 33, 64, 255, 256, 257, 4095, 4096, 4097, 40_000])
  func keysAddedInOrderMakeTheSameObjectAsTheBuilder(count: Int) {
    let members = (0..<count).map { (key: "k" + String(1_000_000 + $0), value: JSON.integer(1)) }
    var object = JSONObject()
    for (key, value) in members { object[key] = value }
    let built = JSONObject(uniqueSorted: members)
    #expect(object == built)
    #expect(object.hashValue == built.hashValue)
    #expect(object.tree.brokenInvariant() == nil)
    #expect(built.tree.brokenInvariant() == nil)
    var emptied = object
    for (key, _) in members.reversed() { emptied.removeValue(forKey: key) }
    #expect(emptied.isEmpty)
    for (index, member) in members.enumerated() {
      object.removeValue(forKey: member.key)
      if index % 1000 == 0 { #expect(object.tree.brokenInvariant() == nil) }
    }
    #expect(object.isEmpty && built.count == count)
  }

  @Test func aValueSetAgainKeepsTheStorage() {
    let object: JSONObject = ["a": 1, "b": ["c": "text"]]
    var same = object
    same["a"] = 1
    same["b"] = object["b"]
    #expect(same.isIdentical(to: object))
    same["a"] = 1.0
    #expect(!same.isIdentical(to: object))
  }
}
