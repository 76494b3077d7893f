import DuxJSON
import Testing

@testable import DuxStore

@Suite struct HistoryTests {
  @Test func takesBackAndMakesAgain() throws {
    var store = try Stepper(notes: "a")
    try store.send(.title("one"))
    try store.send(.write(id: "a", text: "x"))
    try store.send(.add("b"))
    try store.send(.remove("a"))
    try store.send(.own("ann"))
    let full = store.state.content
    for _ in 0..<5 { try store.undo() }
    #expect(store.state.content == (try Stepper(notes: "a")).state.content)
    for _ in 0..<5 { try store.redo() }
    #expect(store.state.content == full)
    #expect(store.state.history.undoCount(of: "ann") == 5)
    #expect(store.state.undone == 10)
  }

  @Test func refusesWhereThereIsNothing() throws {
    var store = try Stepper()
    #expect(store.undoRefusal()?.reason == "nothing_to_undo")
    #expect(store.redoRefusal()?.reason == "nothing_to_redo")
    #expect(store.refusal(of: .history(.discard))?.reason == "nothing_to_undo")
    try store.send(.title("one"), by: "ann")
    #expect(store.undoRefusal(by: "bob")?.message == #""bob" has nothing to undo"#)
  }

  @Test func anActionThatChangesNothingIsNoStep() throws {
    var store = try Stepper(notes: "a")
    try store.send(.title(""))
    try store.send(.write(id: "none", text: "x"))
    try store.send(.move(3))
    #expect(store.refusal(of: .fail)?.reason == "no")
    #expect(store.state.history == History())
  }

  @Test func othersChangesOfOtherPathsStay() throws {
    var store = try Stepper(notes: "a", "b")
    try store.send(.write(id: "a", text: "ann"), by: "ann")
    try store.send(.write(id: "b", text: "bob"), by: "bob")
    try store.send(.paint(id: "a", color: "red"), by: "bob")
    try store.send(.move(9), by: "bob")
    try store.undo(by: "ann")
    #expect(store.state.content.notes[id: "a"] == .init(id: "a", text: "", color: "red"))
    #expect(store.state.content.notes[id: "b"]?.text == "bob")
    #expect(store.state.cursor == 9)
    try store.redo(by: "ann")
    #expect(store.state.content.notes[id: "a"] == .init(id: "a", text: "ann", color: "red"))
  }

  @Test func aPathThatAnotherChangedIsAConflict() throws {
    var store = try Stepper(notes: "a")
    try store.send(.write(id: "a", text: "ann"), by: "ann")
    try store.send(.write(id: "a", text: "bob"), by: "bob")
    let refusal = store.undoRefusal(by: "ann")
    #expect(refusal?.reason == "conflict")
    #expect(refusal?.message == #"no undo: "/content/notes/rows/a/text" was changed since"#)
    try store.undo(by: "bob")
    try store.undo(by: "ann")
    #expect(store.state.content.notes[id: "a"]?.text == "")
  }

  @Test func aConflictInsideANewRowNamesTheFieldInIt() throws {
    var store = try Stepper()
    try store.send(.add("a"), by: "ann")
    try store.send(.paint(id: "a", color: "red"), by: "bob")
    #expect(
      store.undoRefusal(by: "ann")?.message
        == #"no undo: "/content/notes/rows/a/color" was changed since"#)
  }

  @Test func whatAStepWasMadeInMayBeGone() throws {
    var store = try Stepper(notes: "a")
    try store.send(.count("x", 1), by: "ann")
    try store.send(.count("x", nil), by: "ann")
    try store.send(.write(id: "a", text: "x"), by: "ann")
    try store.send(.remove("a"), by: "bob")
    #expect(store.undoRefusal(by: "ann")?.reason == "conflict")
    try store.send(.history(.discard), by: "ann")
    try store.undo(by: "ann")
    #expect(store.state.content.counts == ["x": 1])
  }

  @Test func actionsWithoutEntrySurviveOnOtherPathsAndCountOnTheSame() throws {
    var store = try Stepper(notes: "a", "b")
    try store.send(.write(id: "a", text: "ann"))
    try store.send(.stamp(id: "b", text: "stamped"))
    try store.undo()
    #expect(store.state.content.notes[id: "b"]?.text == "stamped")
    try store.redo()
    #expect(store.state.content.notes[id: "b"]?.text == "stamped")
    #expect(store.state.content.notes[id: "a"]?.text == "ann")
    try store.send(.stamp(id: "a", text: "stamped"))
    #expect(store.undoRefusal()?.reason == "conflict")
  }

  @Test func oneStepSpansWhatOneActionChanged() throws {
    var store = try Stepper()
    try store.send(.titleAndTag("x"))
    try store.undo()
    #expect(store.state.content == Notebook.Content())
  }

  @Test func arraysChangeAsAWhole() throws {
    var store = try Stepper()
    try store.send(.tag("ann"), by: "ann")
    try store.send(.tag("bob"), by: "bob")
    #expect(
      store.undoRefusal(by: "ann")?.message == #"no undo: "/content/tags" was changed since"#)
    try store.undo(by: "bob")
    #expect(store.state.content.tags == ["ann"])
  }

  @Test func redoDiesAtTheAuthorsOwnNextStepOnly() throws {
    var store = try Stepper(notes: "a", "b")
    try store.send(.write(id: "a", text: "1"), by: "ann")
    try store.undo(by: "ann")
    try store.send(.write(id: "b", text: "2"), by: "bob")
    try store.send(.stamp(id: "b", text: "3"), by: "ann")
    try store.send(.move(1), by: "ann")
    #expect(store.state.history.redoCount(of: "ann") == 1)
    try store.redo(by: "ann")
    #expect(store.state.content.notes[id: "a"]?.text == "1")
    try store.undo(by: "ann")
    try store.send(.title("x"), by: "ann")
    #expect(store.redoRefusal(by: "ann")?.reason == "nothing_to_redo")
  }

  @Test func actionsOfOneNameJoin() throws {
    var store = try Stepper()
    for letter in ["a", "b", "c"] { try store.send(.type(letter), by: "ann") }
    try store.send(.add("x"), by: "bob")
    try store.send(.type("d"), by: "ann")
    #expect(store.state.history.undoCount(of: "ann") == 1)
    try store.undo(by: "ann")
    #expect(store.state.content.title == "")
    #expect(store.state.content.notes.count == 1)
    try store.redo(by: "ann")
    #expect(store.state.content.title == "abcd")
    try store.send(.type("e"), by: "ann")
    #expect(store.state.history.undoCount(of: "ann") == 2)
    try store.undo(by: "ann")
    #expect(store.state.content.title == "abcd")
  }

  @Test func actionsThatJoinAndCancelOutLeaveNoStep() throws {
    var store = try Stepper()
    try store.send(.title("x"))
    try store.send(.type("a"))
    try store.send(.erase)
    #expect(store.state.history.undoCount(of: "ann") == 1)
    try store.undo()
    #expect(store.state.content.title == "")
  }

  @Test func nothingJoinsAStepBehindWhichOneWasTakenBack() throws {
    var store = try Stepper()
    try store.send(.type("a"))
    try store.send(.add("x"))
    try store.undo()
    try store.send(.type("b"))
    #expect(store.state.history.undoCount(of: "ann") == 2)
    try store.undo()
    #expect(store.state.content.title == "a")
  }

  @Test func askedForByNameOnTheWire() throws {
    for (action, type) in [(HistoryAction.undo, "undo"), (.redo, "redo"), (.discard, "discard")] {
      #expect(try ActionCoder.encode(Notebook.Action.history(action)).type == "history/" + type)
      #expect(
        try ActionCoder.decode(Notebook.Action.self, type: "history/" + type, payload: nil)
          == .history(action))
    }
  }

  @Test func nothingJoinsAStepThatAnotherChangedSince() throws {
    var store = try Stepper()
    try store.send(.type("a"), by: "ann")
    try store.send(.title("b"), by: "bob")
    try store.send(.type("c"), by: "ann")
    #expect(store.state.history.undoCount(of: "ann") == 2)
    try store.undo(by: "ann")
    #expect(store.state.content.title == "b")
  }

  @Test func theOldestStepAndTheQuietestAuthorAreDropped() throws {
    var store = try Stepper(limits: HistoryLimits(depth: 3, authors: 2))
    for number in 1...5 { try store.send(.title("\(number)"), by: "ann") }
    #expect(store.state.history.undoCount(of: "ann") == 3)
    for _ in 0..<3 { try store.undo(by: "ann") }
    #expect(store.state.content.title == "2")
    #expect(store.undoRefusal(by: "ann")?.reason == "nothing_to_undo")
    for _ in 0..<3 { try store.redo(by: "ann") }
    try store.send(.tag("x"), by: "bob")
    try store.send(.add("x"), by: "cid")
    #expect(store.state.history.undoCount(of: "ann") == 0)
    #expect(store.state.history.undoCount(of: "bob") == 1)
    #expect(store.state.history.undoCount(of: "cid") == 1)
  }

  @Test func survivesBeingWrittenAndRead() throws {
    var store = try Stepper(notes: "a")
    try store.send(.write(id: "a", text: "x"))
    try store.send(.title("t"))
    try store.undo()
    let json = try StateCoder.encode(store.state)
    let read = try StateCoder.decode(Notebook.State.self, from: JSON(parsing: json.description))
    #expect(read == store.state)
    var again = Stepper(Notebook(), read)
    try again.redo()
    try again.undo()
    try again.undo()
    #expect(again.state.content == (try Stepper(notes: "a")).state.content)
  }

  @Test func aStepIsASmallPatch() throws {
    var store = try Stepper(notes: "a")
    for number in 0..<100 { try store.send(.write(id: "a", text: "\(number)")) }
    let before = try StateCoder.encode(store.state)
    try store.send(.write(id: "a", text: "new"))
    let patch = JSONPatch.diff(from: before, to: try StateCoder.encode(store.state))
    #expect(
      patch.operations.map(\.path.description) == [
        "/content/notes/rows/a/text",
        "/history/authors/ann/undo/000000000001",
        "/history/authors/ann/undo/000000000101",
        "/history/next",
      ])
    #expect(patch.json.description.utf8.count < 400)
  }

  @Test func undoOfOneRowLeavesTheOthersStorageAlone() throws {
    var state = Notebook.State()
    state.content.notes = try Table((0..<5_000).map { .init(id: String($0)) })
    _ = try StateCoder.encode(state)
    var store = Stepper(Notebook(), state)
    try store.send(.write(id: "777", text: "x"))
    try store.undo()
    let now = store.state.content.notes.storage.order
    #expect(Array(now.differences(from: state.content.notes.storage.order)).count <= 16)
    #expect(store.state.content == state.content)
  }

  @Test func refusesAHistoryOfAnotherShape() throws {
    #expect(throws: CodingFailure.self) {
      try StateCoder.decode(History.self, from: ["authors": [], "next": 1])
    }
  }

  @Test func twoHistoriesOfOneStateAreApart() throws {
    var store = Stepper(Board(), Board.State())
    try store.send(.both("x"))
    try store.send(.left(.undo))
    #expect(store.state.left == "")
    #expect(store.state.right == "x")
    #expect(store.refusal(of: .left(.undo))?.reason == "nothing_to_undo")
    try store.send(.right(.undo))
    #expect(store.state.right == "")
  }

  @Test func aHistoryInItsOwnContentIsFound() {
    let inside = Reduce<Board.State, Board.Action> { _, _ in .none }
      .undoable(\.self, history: \.leftHistory, action: Board.Action.left)
    #expect(
      ReducerOutline(of: inside).faults == [.historyInContent("leftHistory", in: .root)])
    let nested = Reduce<Outer, Board.Action> { _, _ in .none }
      .undoable(\.board, history: \.board.leftHistory, action: Board.Action.left)
    #expect(
      ReducerOutline(of: nested).faults == [.historyInContent("board.leftHistory", in: .root)])
    #expect(ReducerOutline(of: Board()).faults.isEmpty)
    #expect(ReducerOutline(of: Notebook()).faults.isEmpty)
  }
}

private struct Outer: Codable, Equatable, Sendable { var board = Board.State() }

/// Two texts, each with a history of its own.
private struct Board: Reducer {
  struct State: Codable, Equatable, Sendable {
    var left = ""
    var right = ""
    var leftHistory = History()
    var rightHistory = History()
  }
  enum Action: Codable, Equatable, Sendable {
    case both(String), left(HistoryAction), right(HistoryAction)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      if case .both(let text) = action { (state.left, state.right) = (text, text) }
      return .none
    }
    .undoable(\.left, history: \.leftHistory, action: Action.left)
    .undoable(\.right, history: \.rightHistory, action: Action.right)
  }
}
