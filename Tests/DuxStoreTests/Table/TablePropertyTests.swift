import DuxJSON
import Testing

@testable import DuxStore

/// A table does what an array of rows does, for long random runs.
struct TablePropertyTests {
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func aTableAgreesWithAnArray(seed: UInt64) throws {
    var random = Generator(seed: seed)
    var model = TableModel()
    var copies: [TableModel] = []
    for step in 0..<600 {
      try model.step(&random)
      if step % 97 == 0 { copies.append(model) }
      if step % 20 == 0 { try Self.check(model) }
    }
    for copy in copies + [model] { try Self.check(copy) }
  }

  private static func check(_ model: TableModel) throws {
    let (table, rows) = (model.table, model.rows)
    #expect(table.brokenInvariant == nil)
    #expect(Array(table) == rows)
    #expect(Array(table.ids) == rows.map(\.id))
    #expect(table.count == rows.count)
    #expect(table.first == rows.first && table.last == rows.last)
    for (position, row) in rows.enumerated() {
      #expect(table.position(of: row.id) == position)
      #expect(table[position: position] == row && table.rows[position] == row)
      #expect(table[id: row.id] == row)
    }
    let middle = rows.count / 2
    #expect(Array(table.rows[middle...]) == Array(rows[middle...]))
    #expect(try table == Table(rows))
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func theMirrorIsWhatAFullEncodingGives(seed: UInt64) throws {
    var random = Generator(seed: seed)
    var model = TableModel()
    var json = try model.table.json
    for _ in 0..<150 {
      for _ in 0..<random.below(6) { try model.step(&random) }
      let next = try model.table.json
      #expect(try next == model.table.forgetful.json)
      let patch = JSONPatch.diff(from: json, to: next)
      var patched = json
      try patch.apply(to: &patched)
      #expect(patched == next)
      json = next
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func decodingAPatchedJSONGivesTheTable(seed: UInt64) throws {
    var random = Generator(seed: seed)
    var model = TableModel()
    var json = try model.table.json
    var replica = Table<Int, TableItem>()
    for _ in 0..<100 {
      for _ in 0..<random.below(8) { try model.step(&random) }
      let next = try model.table.json
      try JSONPatch.diff(from: json, to: next).apply(to: &json)
      replica = try Table(structural: json, reusing: replica)
      #expect(replica == model.table)
      #expect(replica.brokenInvariant == nil)
      #expect(try replica == Table(structural: json, reusing: nil))
      if random.below(4) == 0 { #expect(try replica.json == json) }
    }
  }

  @Test func versionsFarApartHaveRightMirrorsInAnyOrder() throws {
    var random = Generator(seed: 99)
    var model = TableModel()
    var versions: [Table<Int, TableItem>] = []
    for _ in 0..<200 {
      try model.step(&random)
      versions.append(model.table)
    }
    for _ in 0..<100 {
      let version = versions[random.below(versions.count)]
      #expect(try version.json == version.forgetful.json)
    }
  }
}
