import DuxCommandLine
import Testing

@testable import dux

struct TableTextTests {
  @Test func columnsBeginUnderTheirHeaderWhateverTheWidthOfTheCharactersBefore() {
    let table = TableText(style: .plain, columns: 80)
    let lines = table.lines(
      header: ["NAME", "FENCE"],
      rows: [[.init("漢字😀"), .init("4")], [.init("deploy"), .init("5")]])
    #expect(lines == ["NAME    FENCE", "漢字😀  4", "deploy  5"])
  }
}
