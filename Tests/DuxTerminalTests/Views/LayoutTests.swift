import Testing

@testable import DuxTerminal

struct LayoutTests {
  private func lengths(_ room: Int, _ extents: [Extent], _ priorities: [Int]? = nil) -> [Int] {
    Division(extents: extents, priorities: priorities ?? extents.map { _ in 0 }).lengths(room)
  }

  @Test func flexiblePartsBecomeEquallyLong() {
    #expect(lengths(10, [.flexible(), .flexible()]) == [5, 5])
    #expect(lengths(11, [.flexible(), .fixed(3), .flexible()]) == [4, 3, 4])
    #expect(lengths(10, [.flexible(ideal: 7), .flexible(ideal: 1)]) == [7, 3])
    #expect(lengths(11, [.flexible(), .flexible()]) == [6, 5])
    #expect(lengths(20, [Extent(ideal: 2, max: 4), .flexible()]) == [4, 16])
  }

  @Test func whatDoesNotFitShrinksToItsLeast() {
    let text = Extent(min: 1, ideal: 8, max: 8)
    #expect(lengths(10, [text, text]) == [5, 5])
    #expect(lengths(10, [text, .fixed(7)]) == [3, 7])
    #expect(lengths(4, [.fixed(7), text]) == [3, 1])
    #expect(lengths(2, [.fixed(1), .fixed(1), .fixed(1)]) == [1, 1, 0])
    #expect(lengths(0, [.fixed(7), text]) == [0, 0])
  }

  @Test func priorityGrowsFirstAndGivesWayLast() {
    let text = Extent(min: 1, ideal: 8, max: 8)
    #expect(lengths(12, [text, text], [0, 1]) == [4, 8])
    #expect(lengths(20, [.flexible(), .flexible()], [0, -1]) == [20, 0])
  }

  @Test(arguments: UInt64(1)...30)
  func aLengthIsDividedWithoutRest(_ seed: UInt64) {
    var chance = Chance(seed)
    for _ in 0..<200 {
      let extents = (0..<chance.below(7)).map { _ in
        Extent(
          min: chance.below(5), ideal: chance.below(12),
          max: chance.below(2) == 0 ? chance.below(20) : Extent.unlimited)
      }
      let priorities = extents.map { _ in chance.below(3) - 1 }
      let room = chance.below(60)
      let lengths = lengths(room, extents, priorities)
      let sum = lengths.reduce(0, +)
      #expect(sum <= room)
      #expect(zip(lengths, extents).allSatisfy { $0 >= 0 && $0 <= $1.max })
      if extents.map(\.max).reduce(0, +) >= room { #expect(sum == room) }
      if extents.map(\.min).reduce(0, +) <= room {
        #expect(zip(lengths, extents).allSatisfy { $0 >= $1.min })
      }
    }
  }

  @Test func rowsAndColumnsDivideAScreen() {
    let view = VStack {
      HStack {
        Text("left")
        Spacer()
        Text("right")
      }
      Divider()
      HStack {
        Text("a")
        Divider(.vertical)
        Text("b")
      }
    }
    #expect(lines(of: view, 12, 4) == ["left   right", "────────────", "a │ b", "  │"])
  }

  @Test func conditionsAndLoopsMakeViews() {
    func view(_ isShown: Bool, _ count: Int) -> some View {
      VStack {
        if isShown { Text("yes") }
        if count > 1 { Text("many") } else { Text("few") }
        for number in 0..<count { Text("\(number)") }
        switch count {
        case 0: EmptyView()
        default: Text("end")
        }
      }
    }
    #expect(lines(of: view(true, 2), 5, 5) == ["yes", "many", "0", "1", "end"])
    #expect(lines(of: view(false, 0), 5, 2) == ["few", ""])
  }

  private struct Pair: View {
    var body: some View {
      Text("one")
      Text("two")
    }
  }

  @Test func theViewsOfABodyStandAsTheStackAroundWants() {
    #expect(lines(of: HStack { Pair() }, 8, 2) == ["one two", ""])
    #expect(lines(of: VStack { Pair() }, 8, 2) == ["one", "two"])
    #expect(lines(of: Pair(), 8, 2) == ["one", "two"])
    #expect(lines(of: AnyView(Pair()), 8, 2) == ["one", "two"])
  }

  @Test func viewsStandWhereTheyAreAligned() {
    func view(_ alignment: Alignment) -> some View { Text("x").filling(alignment) }
    #expect(lines(of: view(.topLeading), 3, 3) == ["x", "", ""])
    #expect(lines(of: view(.center), 3, 3) == ["", " x", ""])
    #expect(lines(of: view(.bottomTrailing), 3, 3) == ["", "", "  x"])
    let column = VStack(alignment: .trailing) {
      Text("long")
      Text("x")
    }
    #expect(lines(of: column, 9, 2) == ["long", "   x"])
    let row = HStack(alignment: .bottom) {
      Text("a\nb")
      Text("c")
    }
    #expect(lines(of: row, 9, 2) == ["a", "b c"])
  }

  @Test func paddingAndFramesChangeTheRoom() {
    #expect(lines(of: Text("x").padding(), 5, 3) == ["", " x", ""])
    #expect(
      lines(
        of: HStack {
          Text("abc").frame(width: 2); Text("d")
        }, 9, 2) == ["ab d", "c"])
    #expect(lines(of: Text("x").frame(width: .max, height: .min), 3, 1) == [""])
    #expect(lines(of: Text("x").padding(.max), 3, 1) == [""])
    #expect(
      lines(
        of: HStack {
          Text("a").frame(width: 4, alignment: .trailing); Text("b")
        }, 9, 1)
        == ["   a b"])
  }

  @Test func laterViewsLieOnTop() {
    let view = ZStack(alignment: .center) {
      Text("aaaaa\naaaaa\naaaaa")
      Text("漢")
    }
    #expect(lines(of: view, 5, 3) == ["aaaaa", "a漢aa", "aaaaa"])
  }

  @Test func aBorderHasItsTitleInItsEdge() {
    let view = Border("Name") { Text("hi") }
    #expect(lines(of: view, 20, 3) == ["┌ Name ┐", "│hi    │", "└──────┘"])
    #expect(lines(of: view, 6, 3) == ["┌ Na…┐", "│hi  │", "└────┘"])
    #expect(lines(of: view, 1, 3) == ["", "", ""])
    #expect(lines(of: Border { Text("hi") }, 20, 2) == ["┌──┐", "└──┘"])
  }

  @Test func wideCharactersAreNotCutAtAnEdge() {
    let view = HStack(spacing: 0) {
      Text("漢字").frame(width: 3)
      Text("|")
    }
    #expect(lines(of: view, 9, 1) == ["漢…|"])
    let shifted = ZStack(alignment: .topTrailing) {
      Text("漢字").frame(width: 4, alignment: .topLeading)
    }
    #expect(lines(of: shifted, 3, 1).first?.contains("漢") == true)
  }
}
