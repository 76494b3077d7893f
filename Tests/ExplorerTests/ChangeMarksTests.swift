import DuxJSON
import Testing

@testable import dux

@Suite struct ChangeMarksTests {
  private let state: JSON = ["a": 1, "list": [["x": 1], ["x": 2]], "o": ["p": 1, "q": 2]]

  private func path(_ text: String) throws -> JSONPointer { try JSONPointer(text) }

  private func marks(
    _ operations: JSONPatchOperation..., atMs: Int64 = 0
  ) throws -> ChangeMarks {
    var marks = ChangeMarks()
    var value = state
    for operation in operations {
      marks.note(operation, in: value, atMs: atMs)
      try JSONPatch(operations: [operation]).apply(to: &value)
    }
    return marks
  }

  private func kind(
    _ marks: ChangeMarks, _ text: String, isOpen: Bool = true, atMs: Int64 = 1
  ) throws -> ChangeMarks.Kind? {
    marks.sight(at: try path(text), isOpen: isOpen, atMs: atMs)?.kind
  }

  @Test func aReplacedValueIsMarkedAndWhatLiesAroundItWhereThatIsClosed() throws {
    let marks = try marks(.replace(path: path("/o/p"), value: 5))
    #expect(try kind(marks, "/o/p") == .replaced)
    #expect(try kind(marks, "/o/q") == nil)
    #expect(try kind(marks, "/o", isOpen: true) == nil)
    #expect(try kind(marks, "/o", isOpen: false) == .below)
    #expect(try kind(marks, "", isOpen: false) == .below)
  }

  @Test func whatIsNewIsMarkedWithAllBelowIt() throws {
    let marks = try marks(.add(path: path("/n"), value: ["deep": [1]]))
    #expect(try kind(marks, "/n") == .added)
    #expect(try kind(marks, "/n/deep/0") == .added)
    let over = try self.marks(.add(path: path("/a"), value: 2))
    #expect(try kind(over, "/a") == .replaced)
  }

  @Test func whatLostSomethingIsMarkedButNotItsOtherEntries() throws {
    let marks = try marks(.remove(path: path("/o/p")))
    #expect(try kind(marks, "/o") == .thinned)
    #expect(try kind(marks, "/o/q") == nil)
  }

  @Test func marksMoveWithTheElementsOfAnArray() throws {
    let marks = try marks(
      .replace(path: path("/list/1/x"), value: 7), .add(path: path("/list/0"), value: 0))
    #expect(try kind(marks, "/list/2/x") == .replaced)
    #expect(try kind(marks, "/list/1/x") == nil)
    #expect(try kind(marks, "/list/0") == .added)
    let atEnd = try self.marks(.add(path: path("/list/-"), value: 0))
    #expect(try kind(atEnd, "/list/2") == .added)
    let gone = try self.marks(
      .replace(path: path("/list/1/x"), value: 7), .remove(path: path("/list/0")))
    #expect(try kind(gone, "/list/0/x") == .replaced)
  }

  @Test func marksFadeAndAreForgotten() throws {
    var marks = try marks(.replace(path: path("/a"), value: 2), atMs: 1_000)
    let place = try path("/a")
    #expect(marks.sight(at: place, isOpen: false, atMs: 1_100)?.age == .fresh)
    #expect(marks.sight(at: place, isOpen: false, atMs: 4_000)?.age == .recent)
    #expect(marks.sight(at: place, isOpen: false, atMs: 12_000)?.age == .old)
    #expect(marks.sight(at: place, isOpen: false, atMs: 30_000) == nil)
    #expect(marks.isShowing(atMs: 12_000) && !marks.isShowing(atMs: 30_000))
    marks.prune(atMs: 30_000)
    #expect(!marks.isShowing(atMs: 1_001))
  }

  @Test func aFloodOfChangesKeepsTheNewestMarks() throws {
    var object = JSONObject()
    for index in 0..<20_000 { object["k\(index)"] = 0 }
    let value = JSON.object(object)
    var marks = ChangeMarks()
    for index in 0..<20_000 {
      let operation = JSONPatchOperation.replace(path: try path("/k\(index)"), value: 1)
      marks.note(operation, in: value, atMs: Int64(index / 100))
    }
    #expect(try kind(marks, "/k19999", atMs: 300) == .replaced)
    #expect(try kind(marks, "/k0", atMs: 300) == nil)
  }
}
