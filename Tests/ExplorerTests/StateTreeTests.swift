import DuxJSON
import Testing

@testable import dux

@Suite struct StateTreeTests {
  private let state: JSON = [
    "a": 1, "list": [["x": 1], ["x": 2], ["x": 3]], "z": ["inner": ["deep": true], "other": 2],
  ]

  private func tree(_ value: JSON?) -> StateTree {
    var tree = StateTree()
    tree.show(value)
    return tree
  }

  private func paths(_ tree: StateTree) -> [String] {
    (0..<tree.rowCount).map { tree.row(at: $0)?.path.description ?? "?" }
  }

  private func path(_ text: String) throws -> JSONPointer { try JSONPointer(text) }

  @Test func nothingIsShownWhileNothingIsKnown() {
    #expect(tree(nil).rowCount == 0)
    #expect(tree(nil).selected == nil)
  }

  @Test func theRootIsOpenAndItsEntriesAreNot() {
    #expect(paths(tree(state)) == ["", "/a", "/list", "/z"])
    #expect(paths(tree(7)) == [""])
  }

  @Test func openContainersShowTheirEntriesBelow() throws {
    var tree = tree(state)
    tree.jump(to: try path("/z/inner/deep"))
    #expect(paths(tree) == ["", "/a", "/list", "/z", "/z/inner", "/z/inner/deep", "/z/other"])
    tree.jump(to: try path("/list/1/x"))
    #expect(
      paths(tree) == [
        "", "/a", "/list", "/list/0", "/list/1", "/list/1/x", "/list/2", "/z", "/z/inner",
        "/z/inner/deep", "/z/other",
      ])
    for index in 0..<tree.rowCount {
      #expect(tree.row(of: tree.row(at: index)?.path ?? .root) == index)
    }
    tree.jump(to: try path("/list"))
    tree.toggle()
    #expect(!paths(tree).contains("/list/0"))
    #expect(tree.selection == (try path("/list")))
  }

  @Test func enteringOpensAndLeavingCloses() throws {
    var tree = tree(state)
    tree.select(row: 2)
    tree.enter()
    #expect(tree.selected?.isOpen == true)
    tree.enter()
    #expect(tree.selection == (try path("/list/0")))
    tree.leave()
    #expect(tree.selection == (try path("/list")))
    tree.leave()
    #expect(paths(tree) == ["", "/a", "/list", "/z"])
    tree.leave()
    #expect(tree.selection.isRoot)
  }

  @Test func theSelectionStaysWithItsPlace() throws {
    var tree = tree(state)
    tree.jump(to: try path("/z"))
    tree.show(["a": 1, "b": 2, "list": [], "z": ["inner": [:], "other": 2]])
    #expect(tree.selected?.path == (try path("/z")))
    #expect(tree.selectedRow == 4)
  }

  @Test func aSelectedPlaceThatGoesAwayGivesItsRowToTheNext() throws {
    var tree = tree(state)
    tree.jump(to: try path("/list"))
    tree.show(["a": 1, "z": 2])
    #expect(tree.selection == (try path("/z")))
    tree.show(["a": 1])
    #expect(tree.selection == (try path("/a")))
    tree.show(nil)
    #expect(tree.selected == nil)
    tree.show(state)
    #expect(tree.selected != nil)
  }

  @Test func whatIsOpenAndSelectedMovesWithTheElementsOfAnArray() throws {
    var tree = tree(state)
    tree.jump(to: try path("/list/1/x"))
    var value = state
    func apply(_ operation: JSONPatchOperation) throws {
      for displacement in Displacement.all(of: operation, in: value) { tree.follow(displacement) }
      try JSONPatch(operations: [operation]).apply(to: &value)
      tree.show(value)
    }
    try apply(.add(path: path("/list/0"), value: ["x": 0]))
    #expect(tree.selection == (try path("/list/2/x")))
    #expect(tree.selected?.value == 2)
    try apply(.remove(path: path("/list/1")))
    #expect(tree.selection == (try path("/list/1/x")))
    try apply(.move(from: path("/list/1"), path: path("/list/0")))
    #expect(tree.selected != nil)
    try apply(.add(path: path("/list/-"), value: 9))
    #expect(tree.rowCount > 4)
  }

  @Test func keysThatUnicodeCallsEquivalentAreTwoPlaces() throws {
    var tree = tree(["e\u{301}": ["x": 1], "\u{e9}": ["y": 2]])
    tree.jump(to: JSONPointer(tokens: ["e\u{301}", "x"]))
    #expect(tree.rowCount == 4)
    #expect(tree.row(at: 2)?.value == 1)
  }

  @Test func manyMembersCostNoWalk() throws {
    var object = JSONObject()
    for index in 0..<100_000 { object["k\(index)"] = .integer(Int64(index)) }
    object["m"] = ["inner": ["deep": 1]]
    var tree = tree(.object(object))
    tree.jump(to: try path("/m/inner/deep"))
    #expect(tree.rowCount == 100_004)
    let clock = ContinuousClock()
    let elapsed = clock.measure {
      for round in 0..<1_000 {
        tree.show(.object(object))
        tree.select(row: round * 99)
        _ = tree.row(at: round * 100)
      }
    }
    // A walk of all of them takes longer than that, however busy the machine is.
    #expect(elapsed < .seconds(10))
  }

  @Test func everythingIsOpenedWithinBounds() {
    var tree = tree(state)
    tree.openEverything()
    #expect(tree.rowCount == 1 + 3 + 3 + 3 + 2 + 1)
    tree.closeEverything()
    #expect(tree.rowCount == 4)
    var object = JSONObject()
    for index in 0..<10_000 { object["k\(index)"] = ["x": 1] }
    tree.show(.object(object))
    tree.openEverything()
    #expect(tree.rowCount <= 10_001 + StateTree.openLimit)
    #expect(tree.rowCount > 10_001 + StateTree.openLimit / 2)
  }

  @Test func aMemberNamedLikeTheGreatestNumberIsNoElement() throws {
    let name = String(Int.max)
    var tree = tree(["a": .object([name: ["x": 1]])])
    tree.jump(to: JSONPointer(tokens: ["a", name, "x"]))
    // The object is an array by now, and nothing has been shown since.
    for displacement in Displacement.all(
      of: .add(path: try path("/a/0"), value: 0), in: ["a": []])
    {
      tree.follow(displacement)
    }
    tree.show(["a": [0]])
    #expect(tree.selected != nil)
  }
}
