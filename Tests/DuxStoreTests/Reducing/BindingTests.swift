import DuxJSON
import Testing

@testable import DuxStore

private struct Form: Reducer {
  struct State: Codable, Equatable, Sendable, Bindable {
    var query = ""
    var count = 0
    var note: String?
    var results = ["secret"]
    var searches = 0

    static var fields: [BindableField<State>] {
      [
        .init("query", \.query),
        .init("count", \.count) { count in
          guard (0...100).contains(count) else {
            throw Rejection(reason: "out_of_range", message: "count is 0 to 100, not \(count)")
          }
        },
        .init("remark", \.note),
      ]
    }
  }
  enum Action: Codable, Equatable, Sendable {
    case binding(BindingAction<State>)
    case reset
  }

  var body: some Reducer<State, Action> {
    BindingReducer(action: Action.binding)
    Reduce { state, action in
      switch action {
      case .binding(let binding) where binding.sets(\.query): state.searches += 1
      case .binding: break
      case .reset: state = State()
      }
      return .none
    }
  }
}

@Suite struct BindingTests {
  private var store = Stepper(Form(), Form.State())

  @Test mutating func setsDeclaredFields() throws {
    try store.send(.binding(.set(\.query, "abc")))
    try store.send(.binding(.set(\.count, 7)))
    try store.send(.binding(.set(\.note, "x")))
    try store.send(.binding(.set(\.note, nil)))
    #expect(store.state == Form.State(query: "abc", count: 7, searches: 1))
  }

  @Test func travelsAsFieldAndValue() throws {
    let action = Form.Action.binding(.set(\.note, "x"))
    let (type, payload) = try ActionCoder.encode(action)
    #expect(type == "binding")
    #expect(payload == ["field": "remark", "value": "x"])
    #expect(try ActionCoder.decode(Form.Action.self, type: type, payload: payload) == action)
    let none = try ActionCoder.encode(Form.Action.binding(.set(\.note, nil)))
    #expect(none.payload == ["field": "remark", "value": nil])
    #expect(
      try ActionCoder.decode(Form.Action.self, type: none.type, payload: none.payload)
        == .binding(.set(\.note, nil)))
  }

  @Test mutating func refusesFieldsThatAreNotDeclared() {
    let refusal = store.refusal(of: .binding(BindingAction(field: "results", value: [])))
    #expect(refusal?.reason == "unknown_field")
    #expect(
      refusal?.message
        == #"there is no field "results" to set; there is "query", "count", "remark""#)
  }

  @Test mutating func refusesValuesOfAnotherType() {
    let refusal = store.refusal(of: .binding(BindingAction(field: "count", value: "many")))
    #expect(refusal?.reason == "bad_value")
    #expect(refusal?.message.hasPrefix(#"the field "count" takes Int, this is a string"#) == true)
    #expect(
      store.refusal(of: .binding(BindingAction(field: "query", value: nil)))?.reason == "bad_value")
  }

  @Test mutating func refusesValuesThatACheckDoesNotLetThrough() {
    let refusal = store.refusal(of: .binding(.set(\.count, 101)))
    #expect(refusal?.reason == "out_of_range")
    #expect(refusal?.message == "count is 0 to 100, not 101")
  }

  @Test func reportsPlacesThatAreNoFields() {
    #expect(issues { _ = BindingAction<Form.State>.set(\.results, []) }.count == 1)
    #expect(issues { _ = BindingAction<Form.State>.set(\.query, "") }.isEmpty)
  }
}

private struct Filtering: Reducer {
  struct State: Codable, Equatable, Sendable {
    var filter = "all"
    var sort = "up"
    var page = 3
    var changes: [String] = []
  }
  enum Action: Codable, Equatable, Sendable { case filter(String), sort(String), reset, fail }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .filter(let filter): state.filter = filter
      case .sort(let sort): state.sort = sort
      case .reset: (state.filter, state.sort) = ("all", "up")
      case .fail:
        state.filter = "failing"
        throw Rejection(reason: "no", message: "no")
      }
      return .none
    }
    .onChange(of: { [$0.filter, $0.sort] }) { old, new in
      Reduce { state, action in
        state.page = 1
        state.changes.append("\(old[0]) \(old[1]) > \(new[0]) \(new[1])")
        return .send(.reset).cancellable("fetch")
      }
    }
  }
}

@Suite struct OnChangeTests {
  @Test func reactsToAnyChangeOfTheValueAndToNothingElse() throws {
    var store = Stepper(Filtering(), Filtering.State())
    try store.send(.filter("all"))
    #expect(store.state.page == 3)
    #expect(store.effect.isNone)
    try store.send(.filter("new"))
    #expect(store.state.page == 1)
    #expect(described(store.effect) == [": fetch = reset"])
    try store.send(.sort("down"))
    try store.send(.reset)
    #expect(
      store.state.changes == ["all up > new up", "new up > new down", "new down > all up"])
    #expect(store.refusal(of: .fail)?.reason == "no")
  }
}
