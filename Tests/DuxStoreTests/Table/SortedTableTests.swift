import DuxJSON
import Testing

@testable import DuxStore

struct SortedTableTests {
  private typealias Sorted = SortedTable<Int, TableItem, ByTitle>

  private static func isBefore(_ a: TableItem, _ b: TableItem) -> Bool {
    (a.title, String(a.id)) < (b.title, String(b.id))
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func rowsStandInOrderWhateverHappens(seed: UInt64) throws {
    var random = Generator(seed: seed)
    var table = Sorted()
    var rows: [Int: TableItem] = [:]
    var replica = Sorted()
    for step in 0..<400 {
      let item = TableItem(id: random.below(60), title: "t\(random.below(20))")
      switch random.below(4) {
      case 0:
        #expect(table.remove(id: item.id) == rows.removeValue(forKey: item.id))
      case 1 where rows[item.id] != nil:
        #expect(throws: DuplicateID(item.id)) { try table.insert(item) }
        table[id: item.id]?.title = item.title
        rows[item.id]?.title = item.title
      case 2 where rows[item.id] == nil:
        try table.insert(item)
        rows[item.id] = item
      default:
        #expect(table.upsert(item) == rows.updateValue(item, forKey: item.id))
      }
      #expect(Array(table) == rows.values.sorted(by: Self.isBefore))
      if step % 10 == 0 {
        #expect(table.brokenInvariant == nil)
        replica = try Sorted(structural: table.json, reusing: replica)
        #expect(replica == table)
        #expect(try replica.json == table.json)
      }
    }
    #expect(try table == Sorted(rows.values))
  }

  @Test func aRowThatStaysBetweenItsNeighboursKeepsItsRank() throws {
    var table = try Sorted([1, 2, 3].map { TableItem(id: $0, title: "t\($0)") })
    let order = try table.json["order"]
    table[id: 2]?.title = "t2b"
    #expect(try table.json["order"] == order)
    table[id: 2]?.title = "t9"
    #expect(Array(table.ids) == [1, 3, 2])
  }

  @Test func rowsThatAnotherRulePutInOrderArePutInOrderAnew() throws {
    var random = Generator(seed: 5)
    var items = Table<Int, TableItem>()
    for id in 0..<500 { try items.append(TableItem(id: id, title: "t\(random.below(400))")) }
    let table = try Sorted(structural: items.json, reusing: nil)
    #expect(Array(table) == Array(items).sorted(by: Self.isBefore))
    #expect(table.brokenInvariant == nil)

    let base = try Sorted(structural: table.json, reusing: nil)
    var json = try base.json
    for id in [7, 8, 9, 200] { json = try Self.swapTitle(of: id, in: json) }
    let next = try Sorted(structural: json, reusing: base)
    #expect(Array(next) == Array(next).sorted(by: Self.isBefore))
    #expect(next.count == 500 && next != base)
  }

  private static func swapTitle(of id: Int, in json: JSON) throws -> JSON {
    var json = json
    let path = JSONPointer(tokens: ["rows", "\(id)", "title"])
    try JSONPatch(operations: [.replace(path: path, value: "t000")]).apply(to: &json)
    return json
  }

  @Test func aRuleThatIsNoOrderBreaksNothing() throws {
    enum Nonsense: RowOrder {
      static func precedes(_ left: Number, _ right: Number) -> Bool { left.id % 3 != right.id % 2 }
    }
    var table = SortedTable<Int, Number, Nonsense>()
    for id in 0..<300 { try table.insert(Number(id: id)) }
    for id in 0..<300 where id % 2 == 0 { table.remove(id: id) }
    #expect(table.count == 150)
    #expect(table.brokenInvariant == nil)
  }
}
