import DuxJSON
import Testing

@testable import DuxStore

struct TableDifferenceTests {
  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func aDifferenceSaysWhatLeadsFromOneVersionToAnother(seed: UInt64) throws {
    var random = Generator(seed: seed)
    var model = TableModel()
    for _ in 0..<60 { try model.step(&random) }
    for _ in 0..<60 {
      let old = model
      for _ in 0..<random.below(10) { try model.step(&random) }
      let difference = model.table.difference(from: old.table)
      let ids = model.rows.map(\.id)
      let oldIDs = old.rows.map(\.id)
      #expect(difference.added == ids.filter { !oldIDs.contains($0) })
      #expect(difference.removed == oldIDs.filter { !ids.contains($0) })
      #expect(difference.changed == ids.filter { Self.isChanged($0, old.table, model.table) })
      let loose = Set(difference.added + difference.removed + difference.moved)
      #expect(ids.filter { !loose.contains($0) } == oldIDs.filter { !loose.contains($0) })
      #expect(difference.moved == ids.filter { difference.moved.contains($0) })
      #expect(difference.isEmpty == (old.rows == model.rows))
    }
  }

  private static func isChanged(
    _ id: Int, _ old: Table<Int, TableItem>, _ new: Table<Int, TableItem>
  ) -> Bool {
    old[id: id].map { $0 != new[id: id] } ?? false
  }

  @Test func oneMoveIsOneMove() throws {
    let old = try Table<Int, Number>((0..<100).map { Number(id: $0) })
    var new = old
    try new.move(80, to: 3)
    #expect(new.difference(from: old) == TableDifference(moved: [80]))
  }

  @Test func rowsThatOnlyGotOtherRanksAreNotMoved() throws {
    let old = try Table<Int, Number>((0..<100).map { Number(id: $0) })
    var new = old
    for id in 1000..<1400 { try new.insert(Number(id: id), after: 50) }
    for id in 1000..<1400 { new.remove(id: id) }
    #expect((0..<100).contains { new.storage.rank(of: "\($0)") != old.storage.rank(of: "\($0)") })
    #expect(new.difference(from: old).isEmpty)
  }

  @Test func aDifferenceCostsWhatChanged() throws {
    let old = try Table<Int, Number>((0..<20_000).map { Number(id: $0) })
    var new = old
    new.remove(id: 77)
    new[id: 12_345] = Number(id: 12_345)
    try new.append(Number(id: 50_000))
    let seen = new.storage.order.differences(from: old.storage.order).reduce(0) { n, _ in n + 1 }
    #expect(seen < 60)
    #expect(new.difference(from: old) == TableDifference(added: [50_000], removed: [77]))
  }
}
