import DuxJSON
import Testing

@testable import DuxStore

/// A child that writes down when it ran.
private struct Child: Reducer {
  struct State: Codable, Equatable, Sendable {
    var log: [String] = []
    var number: Int?
  }
  enum Action: Codable, Equatable, Sendable { case run(String), fail, effect, clear, put(Int?) }

  func reduce(into state: inout State, action: Action) throws -> Effect<Action> {
    switch action {
    case .run(let text): state.log.append(text)
    case .fail:
      state.log.append("failing")
      throw Rejection(reason: "no", message: "the child said no")
    case .effect: return .send(.clear).cancellable("clear")
    case .clear: state.log = []
    case .put(let number): state.number = number
    }
    return .none
  }
}

private struct Parent: Reducer {
  struct State: Codable, Equatable, Sendable {
    var left = Child.State()
    var right = Child.State()
    var seen: [String] = []
    var hidden: Child.State {
      get { right }
      set { right = newValue }
    }
  }
  enum Action: Codable, Equatable, Sendable { case left(Child.Action), right(Child.Action), both }

  var body: some Reducer<State, Action> {
    Scope(\.left, action: Action.left) { Child() }
    Scope(\.right, action: Action.right) { Child() }
    Reduce { state, action in
      state.seen.append("\(state.left.log.count) \(state.right.log.count)")
      if action == .both { return .merge(.send(.left(.clear)), .send(.right(.clear))) }
      return .none
    }
  }
}

@Suite struct CompositionTests {
  @Test func childRunsBeforeItsParent() throws {
    var store = Stepper(Parent(), Parent.State())
    try store.send(.left(.run("a")))
    try store.send(.right(.run("b")))
    #expect(store.state.left.log == ["a"])
    #expect(store.state.right.log == ["b"])
    #expect(store.state.seen == ["1 0", "1 1"])
  }

  @Test func aThrowLeavesNoTrace() throws {
    var store = Stepper(Parent(), Parent.State())
    try store.send(.left(.run("a")))
    #expect(store.refusal(of: .left(.fail))?.reason == "no")
    try store.send(.left(.run("b")))
    #expect(store.state.left.log == ["a", "b"])
  }

  @Test func nilIsAStateLikeAnyOther() throws {
    var store = Stepper(Parent(), Parent.State())
    try store.send(.left(.put(3)))
    try store.send(.left(.put(nil)))
    #expect(store.state.left.number == nil)
    let left = try #require(try StateCoder.encode(store.state)["left"])
    #expect(left.description == #"{"log":[],"number":null}"#)
  }

  @Test func effectsAnswerToTheSliceThatReturnedThem() throws {
    var store = Stepper(Parent(), Parent.State())
    try store.send(.right(.effect))
    #expect(described(store.effect) == ["right: clear = right.clear"])
  }

  @Test func siblingsRunInTheOrderWritten() throws {
    let order = CombinedReducer(step("a"), CombinedReducer(step("b"), step("c")))
    var store = Stepper(order, [])
    try store.send(0)
    #expect(store.state == ["a", "b", "c"])
  }

  @Test func outlineNamesEachSlice() {
    let outline = ReducerOutline(of: Parent())
    #expect(outline.slices.map(\.description) == ["left", "right"])
    #expect(outline.faults.isEmpty)
  }

  @Test func outlineFindsNamesThatAreEmptyOrTaken() {
    let twice = CombinedReducer(
      Scope(\Parent.State.left, action: Parent.Action.left) { Child() },
      Scope(\Parent.State.right, action: Parent.Action.right, named: "left") { Child() })
    #expect(ReducerOutline(of: twice).faults == [.repeatedName("left", in: .root)])
    let computed = Scope(\Parent.State.hidden, action: Parent.Action.right) { Child() }
    #expect(ReducerOutline(of: computed).faults == [.emptyName(in: .root)])
    let named = Scope(\Parent.State.hidden, action: Parent.Action.right, named: "right") { Child() }
    #expect(ReducerOutline(of: named).faults.isEmpty)
    let empty = Scope(\Parent.State.left, action: Parent.Action.left, named: "") { Child() }
    #expect(
      ReducerOutline(of: empty).faults.map(\.description) == [
        "a slice in / has an empty name: give it one with named:"
      ])
  }

  private func step(_ name: String) -> Reduce<[String], Int> {
    Reduce { state, _ in
      state.append(name)
      return .none
    }
  }
}
