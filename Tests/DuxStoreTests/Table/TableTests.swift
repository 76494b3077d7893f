import DuxJSON
import Foundation
import Testing

@testable import DuxStore

struct TableTests {
  private static func sample() throws -> Table<Int, TableItem> {
    try Table((1...3).map { TableItem(id: $0, title: "t\($0)") })
  }

  @Test func aSecondRowWithAnIDIsRefused() throws {
    var table = try Self.sample()
    let before = table
    let row = TableItem(id: 2, title: "again")
    #expect(throws: DuplicateID(2)) { try table.append(row) }
    #expect(throws: TableError.duplicate(DuplicateID(2))) { try table.insert(row, at: 0) }
    #expect(throws: TableError.duplicate(DuplicateID(2))) { try table.insert(row, before: 1) }
    #expect(throws: DuplicateID(2)) { try Table<Int, TableItem>([row, row]) }
    #expect(table.isIdentical(to: before))
    #expect(DuplicateID(2).rejection.reason == "duplicate_id")
    #expect(DuplicateID(2).rejection.message.contains("\"2\""))
  }

  @Test func whatIsNotThereIsNamed() throws {
    var table = try Self.sample()
    let before = table
    let row = TableItem(id: 4, title: "")
    #expect(throws: TableError.missing(MissingID(9))) { try table.insert(row, after: 9) }
    #expect(throws: TableError.missing(MissingID(9))) { try table.move(9, before: 1) }
    #expect(throws: TableError.missing(MissingID(9))) { try table.move(1, after: 9) }
    #expect(throws: TableError.position(4, count: 3)) { try table.insert(row, at: 4) }
    #expect(throws: TableError.position(-1, count: 3)) { try table.insert(row, at: -1) }
    #expect(throws: TableError.position(3, count: 3)) { try table.move(1, to: 3) }
    #expect(table.isIdentical(to: before))
    #expect(table[position: 3] == nil && table[position: -1] == nil)
    #expect(table.remove(id: 9) == nil && table.position(of: 9) == nil)
    #expect(table.update(9) { $0.title = "" } == nil)
  }

  @Test func settingBySubscriptCountsTheRowUnderItsOwnID() throws {
    var table = try Self.sample()
    table[id: 2] = nil
    #expect(Array(table.ids) == [1, 3])
    table[id: 2] = TableItem(id: 2, title: "new")
    #expect(Array(table.ids) == [1, 3, 2])
    table[id: 3] = TableItem(id: 7, title: "other")
    #expect(Array(table.ids) == [1, 7, 2])
    table[id: 1] = TableItem(id: 2, title: "moved over")
    #expect(Array(table.ids) == [2, 7])
    #expect(table[id: 2]?.title == "moved over")
    table[id: 50] = TableItem(id: 7, title: "in place")
    #expect(Array(table.ids) == [2, 7])
    #expect(table[id: 7]?.title == "in place")
    #expect(table.brokenInvariant == nil)
  }

  @Test func aBodyThatThrowsLeavesTheRow() throws {
    struct Refused: Error {}
    var table = try Self.sample()
    let before = table
    #expect(throws: Refused.self) {
      try table.update(1) { row throws(Refused) in
        row.title = "half"
        throw Refused()
      }
    }
    #expect(throws: Refused.self) { try table.removeAll { _ throws(Refused) in throw Refused() } }
    #expect(table.isIdentical(to: before))
  }

  @Test func manyRowsAreRemovedAtOnce() throws {
    var table = try Table<Int, Number>((0..<1000).map { Number(id: $0) })
    table.removeAll { $0.id % 3 != 0 }
    #expect(Array(table.ids) == Array(stride(from: 0, to: 1000, by: 3)))
    #expect(table.brokenInvariant == nil)
    table.removeAll()
    #expect(table.isEmpty && table.first == nil && Array(table).isEmpty)
  }

  @Test func aMoveToWhereARowStandsChangesNothing() throws {
    var table = try Self.sample()
    let before = table
    try table.move(2, after: 1)
    try table.move(2, before: 3)
    try table.move(2, before: 2)
    try table.move(2, to: 1)
    #expect(table.isIdentical(to: before))
  }

  @Test func stringsEquivalentInUnicodeAreDifferentIDs() throws {
    var table = Table<String, Part>()
    try table.append(Part(id: "\u{e9}", count: 1))
    try table.append(Part(id: "e\u{301}", count: 2))
    #expect(table.count == 2)
    #expect(table[id: "e\u{301}"]?.count == 2)
  }

  @Test func idsHaveOneKeyEach() {
    let uuid = UUID()
    #expect(UUID(tableKey: uuid.tableKey) == uuid)
    #expect(
      UUID(tableKey: uuid.tableKey.lowercased()) == nil || uuid.uuidString.allSatisfy(\.isNumber))
    #expect(Int(tableKey: "-5") == -5 && Int64(tableKey: "7") == 7)
    for text in ["+5", "05", "", " 5", "5x", "-0"] {
      #expect(Int(tableKey: text) == nil && Int64(tableKey: text) == nil)
    }
    #expect(Name(rawValue: "x").tableKey == "x" && Name(tableKey: "x") == Name(rawValue: "x"))
  }

  private struct Name: RawRepresentable, TableID { let rawValue: String }

  @Test func theShapeOnTheWireIsKeyedByRankAndID() throws {
    var table = Table<String, Part>()
    try table.append(Part(id: "b", count: 1))
    try table.insert(Part(id: "a", count: 2), at: 0)
    let first = try table.json
    let text =
      #"{"order":{"Zz":"a","a0":"b"},"rows":{"a":{"count":2,"id":"a"},"b":{"count":1,"id":"b"}}}"#
    #expect(first.description == text)
    table[id: "b"]?.count = 5
    try table.move("b", before: "a")
    let patch = JSONPatch.diff(from: first, to: try table.json)
    #expect(
      patch.json.description
        == #"[{"op":"add","path":"/order/Zy","value":"b"},{"op":"remove","path":"/order/a0"},"#
        + #"{"op":"replace","path":"/rows/b/count","value":5}]"#)
  }
}
