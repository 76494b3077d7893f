import Testing

@testable import DuxJSON

struct ArrayModelTests {
  static func expect(_ array: JSONArray, equals model: [JSON], _ label: Comment) {
    #expect(array.tree.brokenInvariant() == nil, label)
    #expect(array.count == model.count, label)
    #expect(Array(array) == model, label)
    #expect((0..<array.count).allSatisfy { array[$0] == model[$0] }, label)
  }

  @Test(arguments: seeds, [10, 60, 95])
  func anArrayDoesWhatASwiftArrayDoes(seed: UInt64, growth: Int) {
    var random = SeededGenerator(seed: seed)
    var array = JSONArray()
    var model: [JSON] = []
    var copies: [(JSONArray, [JSON])] = []
    for step in 0..<3000 {
      let value = random.scalar()
      let isGrowing = (step / 700).isMultiple(of: 2)
      switch random.below(100) {
      case 0..<(isGrowing ? growth : 20):
        let index = random.below(model.count + 1)
        array.insert(value, at: index)
        model.insert(value, at: index)
      case 20..<40 where !model.isEmpty:
        let index = random.below(model.count)
        array[index] = value
        model[index] = value
      case 40..<95 where !model.isEmpty:
        let index = random.below(model.count)
        #expect(array.remove(at: index) == model.remove(at: index), "seed \(seed) step \(step)")
      default:
        array.append(value)
        model.append(value)
      }
      if step % 299 == 0 { copies.append((array, model)) }
    }
    Self.expect(array, equals: model, "seed \(seed)")
    for (copy, model) in copies { Self.expect(copy, equals: model, "seed \(seed)") }
  }

  @Test(arguments: [0, 1, 8, 15, 16, 17, 31, 32, 33, 64, 255, 256, 257, 4095, 4096, 4097, 40_000])
  func elementsAppendedMakeTheSameArrayAsTheBuilder(count: Int) {
    var array = JSONArray()
    for number in 0..<count { array.append(.integer(Int64(number))) }
    let built = JSONArray((0..<count).map { .integer(Int64($0)) })
    #expect(array == built)
    #expect(array.hashValue == built.hashValue)
    #expect(array.tree.brokenInvariant() == nil)
    #expect(built.tree.brokenInvariant() == nil)
    while array.count > 0 { array.remove(at: array.count / 2) }
    #expect(array.isEmpty && built.count == count)
  }

  @Test func elementsPutInFrontKeepTheirOrder() {
    var array = JSONArray()
    for number in 0..<5000 { array.insert(.integer(Int64(number)), at: 0) }
    #expect(array.tree.brokenInvariant() == nil)
    #expect(array.elementsEqual((0..<5000).reversed().map { .integer(Int64($0)) }))
    for _ in 0..<5000 { array.remove(at: 0) }
    #expect(array.isEmpty)
  }
}
