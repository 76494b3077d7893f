import DuxJSON
import Testing

@testable import DuxStore

struct RankTests {
  /// 62 + 62² + 62³ ranks have up to 4 characters, the next 14 million have 5.
  @Test func ranksInARowAreShort() throws {
    var up = Rank.first
    var down = Rank.first
    for _ in 0..<245_000 {
      let next = try #require(Rank.between(up, nil))
      let before = try #require(Rank.between(nil, down))
      guard up.utf8.lexicographicallyPrecedes(next.utf8),
        before.utf8.lexicographicallyPrecedes(down.utf8)
      else {
        Issue.record("\(up), \(next), \(before), \(down)")
        return
      }
      (up, down) = (next, before)
    }
    #expect(up.utf8.count == 5 && Rank.isValid(up))
    #expect(down.utf8.count == 5 && Rank.isValid(down))
    #expect(Rank.between("dzzzz", nil) == "e00000")
  }

  @Test(arguments: [
    ("a0", "a1", "a0V"), ("a0", "a2", "a1"), ("a0", "a0V", "a0F"), ("a0z", "a1", "a0zV"),
    ("Zz", "a0", "ZzV"), ("Zz", "a1", "a0"), ("az", "b00", "azV"), ("az", "b01", "b00"),
    ("a0", "a01", "a00V"), ("a01", "a1", "a0V"), ("a0V", "a0W1", "a0W"),
  ])
  func aRankBetweenTwoIsShort(left: String, right: String, middle: String) {
    #expect(Rank.between(left, right) == middle)
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func aRankBetweenTwoIsBetweenThem(seed: UInt64) throws {
    var random = Generator(seed: seed)
    var ranks = [Rank.first]
    for _ in 0..<4000 {
      let position = random.below(6) == 0 ? random.below(ranks.count + 1) : ranks.count / 2
      let left = position == 0 ? nil : ranks[position - 1]
      let right = position == ranks.count ? nil : ranks[position]
      guard let middle = Rank.between(left, right) else {
        ranks = [Rank.first]
        continue
      }
      #expect(Rank.isValid(middle))
      #expect(left.map { $0.utf8.lexicographicallyPrecedes(middle.utf8) } ?? true)
      #expect(right.map { middle.utf8.lexicographicallyPrecedes($0.utf8) } ?? true)
      ranks.insert(middle, at: position)
    }
  }

  @Test(arguments: [
    "", "a", "b0", "a00", "a0V0", "!0", "a-", "0", "a0é", "B1",
    "a0" + String(repeating: "1", count: 31),
  ])
  func whatIsNoRankIsSeen(text: String) { #expect(!Rank.isValid(text)) }

  @Test func theEndsOfTheIntegersAreEnds() {
    let last = "z" + String(repeating: "z", count: 26)
    let first = "A" + String(repeating: "0", count: 26)
    #expect(Rank.isValid(last) && Rank.isValid(first))
    #expect(Rank.between(last, nil) == last + "V")
    #expect(Rank.between(nil, first) == nil)
  }

  enum Spot: CaseIterable { case afterTheSame, beforeTheSame, afterTheLastAdded, fixedPosition }

  @Test(arguments: Spot.allCases)
  func addingAtOneSpotForEverKeepsRanksShortAndIsCheap(spot: Spot) throws {
    var table = try Table<Int, Number>((0..<1000).map { Number(id: $0) })
    var changes = 0
    let count = spot == .afterTheSame ? 100_000 : 20_000
    for id in 1000..<1000 + count {
      let before = table.storage.order
      let row = Number(id: id)
      switch spot {
      case .afterTheSame: try table.insert(row, after: 500)
      case .beforeTheSame: try table.insert(row, before: 500)
      case .afterTheLastAdded: try table.insert(row, after: id == 1000 ? 500 : id - 1)
      case .fixedPosition: try table.insert(row, at: 777)
      }
      for _ in table.storage.order.differences(from: before) { changes += 1 }
    }
    #expect(table.count == 1000 + count)
    #expect(table.brokenInvariant == nil)
    #expect(changes < count * 12, "\(changes) entries for \(count) rows")
  }

  @Test func aTableWhoseRanksHaveRunOutStillTakesRows() throws {
    let order = #"{"A00000000000000000000000000":"1","zzzzzzzzzzzzzzzzzzzzzzzzzzz":"2"}"#
    let text = #"{"order":"# + order + #","rows":{"1":{"id":1},"2":{"id":2}}}"#
    var table = try Table<Int, Number>(structural: JSON(parsing: text), reusing: nil)
    for id in 3..<200 {
      try table.insert(Number(id: id), at: 0)
      try table.append(Number(id: id + 1000))
    }
    #expect(table.brokenInvariant == nil)
    #expect(table.first?.id == 199 && table.last?.id == 1199)
  }
}

struct Number: Identifiable, Codable, Equatable, Sendable {
  var id: Int
}
