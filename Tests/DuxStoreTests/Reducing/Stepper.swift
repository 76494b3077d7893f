import DuxStore

/// A store at its smallest: takes a step whole or not at all, and remembers what came of it.
struct Stepper<R: Reducer> {
  let reducer: R
  private(set) var state: R.State
  /// What the last step that was taken wanted done.
  private(set) var effect: Effect<R.Action> = .none
  /// Owners that went with the last step that was taken, as paths.
  private(set) var departed: [String] = []
  var author = "ann"

  init(_ reducer: R, _ state: R.State) {
    self.reducer = reducer
    self.state = state
  }

  mutating func send(_ action: R.Action) throws {
    var next = state
    var values = DependencyValues(.test)
    values.author = author
    let effect = try DependencyValues.$current.withValue(values) {
      try reducer.reduce(into: &next, action: action)
    }
    departed = reducer.departures(from: state, to: next).map(\.description)
    self.effect = effect
    state = next
  }

  mutating func send(_ action: R.Action, by author: String) throws {
    self.author = author
    try send(action)
  }

  /// Why an action is refused, after a check that it left no trace; nothing if it is taken.
  mutating func refusal(of action: R.Action) -> Rejection? where R.State: Equatable {
    let before = state
    do {
      try send(action)
      return nil
    } catch {
      return state == before ? Rejection(error) : Rejection(reason: "state changed", message: "")
    }
  }
}
