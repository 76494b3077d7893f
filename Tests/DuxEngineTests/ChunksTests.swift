import Testing

@testable import DuxEngine

/// A list that is changed in copies, held against an array.
struct ChunksTests {
  @Test func itIsAsAnArray() {
    var random = SplitMix64(seed: 7)
    var list = Chunks<Int>()
    var model: [Int] = []
    for step in 0..<2_000 {
      let former = list
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        let gone = Int.random(in: 2...9, using: &random)
        list.removeAll { $0 % gone == 0 }
        model.removeAll { $0 % gone == 0 }
      case 1:
        let sought = Int.random(in: 0...step, using: &random)
        let index = list.firstIndex(of: sought)
        #expect((index == nil) == !model.contains(sought))
        if let index, let place = model.firstIndex(of: sought) {
          list[index] += 1_000_000
          model[place] += 1_000_000
        }
      default:
        for _ in 0..<5 {
          list.append(step)
          model.append(step)
        }
      }
      #expect(list.count == model.count && Array(list) == model)
      #expect(Array(list.reversed()) == model.reversed())
      #expect(list.isEmpty == model.isEmpty && list.last == model.last)
      if step % 10 == 0 { #expect(former.count == Array(former).count) }
    }
  }

  @Test func aCopyIsAListOfItsOwn() {
    var list = Chunks<Int>()
    for number in 0..<100 { list.append(number) }
    let copy = list
    list[list.startIndex] = -1
    list.append(100)
    list.removeAll { $0 == 50 }
    #expect(Array(copy) == Array(0..<100))
    #expect(list.count == 100 && list.first == -1)
  }
}
