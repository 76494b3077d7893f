import DuxStore

/// The state that the sample's terminals share: a number.
struct Sample: App {
  struct State: Codable, Equatable, Sendable {
    var count = 0
  }

  enum Action: Codable, Equatable, Sendable {
    case add(Int)
  }

  let name = "sample"
  let initialState = State()

  var body: some Reducer<State, Action> {
    Adding()
  }
}

struct Adding: Reducer {
  typealias State = Sample.State
  typealias Action = Sample.Action

  func reduce(into state: inout State, action: Action) throws -> Effect<Action> {
    switch action {
    case .add(let number):
      guard state.count + number >= 0 else {
        throw Rejection(reason: "negative", message: "the count is never negative")
      }
      state.count += number
    }
    return .none
  }
}
