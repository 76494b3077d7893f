import Testing

@testable import DuxTerminal

struct ColorTests {
  @Test func withoutColoursOnlyAttributesAreLeft() {
    let style = TextStyle(
      foreground: .indexed(200), background: .basic(.blue), attributes: [.bold, .reverse])
    #expect(style.resolved(for: .none) == TextStyle(attributes: [.bold, .reverse]))
    #expect(style.resolved(for: .indexed) == style)
  }

  @Test(arguments: [
    (UInt8(196), Color.Basic.brightRed), (160, .brightRed), (88, .red), (46, .brightGreen),
    (21, .brightBlue), (226, .brightYellow), (51, .brightCyan), (201, .brightMagenta), (16, .black),
    (231, .brightWhite), (232, .black), (244, .white), (238, .brightBlack), (9, .brightRed),
    (3, .yellow),
  ])
  func indexedColoursHaveANearestBasicOne(_ index: UInt8, _ basic: Color.Basic) {
    #expect(Color.indexed(index).resolved(for: .sixteen) == .basic(basic))
  }

  @Test func eachColourIsResolvedForEachDepth() {
    for index in UInt8.min...UInt8.max {
      #expect(Color.indexed(index).resolved(for: .eight).map(\.index).map { $0 < 8 } == true)
      #expect(Color.indexed(index).resolved(for: .sixteen).map(\.index).map { $0 < 16 } == true)
    }
  }

  @Test func stylesLieUponEachOther() {
    let below = TextStyle(foreground: .basic(.red), background: .basic(.blue), attributes: .bold)
    let above = TextStyle(foreground: .basic(.green), attributes: .underline)
    #expect(
      below.overlaid(with: above)
        == TextStyle(
          foreground: .basic(.green), background: .basic(.blue), attributes: [.bold, .underline]))
  }

  @Test func rolesThatMustBeToldApartDifferWithoutColours() {
    func look(_ role: Role) -> TextStyle { Theme.standard[role].resolved(for: .none) }
    #expect(look(.selection) != look(.normal))
    #expect(look(.idleSelection) != look(.normal))
    #expect(look(.idleSelection) != look(.selection))
    #expect(look(.changed) != look(.normal))
    #expect(look(.field) != look(.normal))
    #expect(look(.placeholder) != look(.field))
  }
}
