public import DuxStore

/// Two reducers in one store: one counts, the other keeps statistics of what was counted.
///
/// Both get every action, in the order in which the body lists them, and each sees the state as the
/// one before left it; neither knows the other. An action that one of them rejects happens for
/// neither.
public struct CounterApp: App {
  /// What both reducers work on.
  public struct State: Codable, Equatable, Sendable {
    var count = 0
    var statistics = Statistics()
  }

  /// What was counted so far, whatever the count is now.
  public struct Statistics: Codable, Equatable, Sendable {
    var actions = 0
    var highest = 0
    var lowest = 0
  }

  /// What may be asked of the counter.
  public enum Action: Codable, Equatable, Sendable {
    case increment
    case decrement
    case add(Int)
    case reset
  }

  /// `counter`.
  public let name = "counter"
  /// Nothing was counted.
  public let initialState = State()

  /// Makes the app.
  public init() {}

  /// Counts, then takes statistics of the count.
  public var body: some Reducer<State, Action> {
    Counting()
    TakingStatistics()
  }
}

/// Changes the count.
struct Counting: Reducer {
  typealias State = CounterApp.State
  typealias Action = CounterApp.Action

  func reduce(into state: inout State, action: Action) throws -> Effect<Action> {
    switch action {
    case .increment: try add(1, to: &state.count)
    case .decrement: try add(-1, to: &state.count)
    case .add(let number): try add(number, to: &state.count)
    case .reset: state.count = 0
    }
    return .none
  }

  private func add(_ number: Int, to count: inout Int) throws {
    let (sum, overflows) = count.addingReportingOverflow(number)
    guard !overflows else {
      throw Rejection(
        reason: "overflow", message: "\(count) and \(number) make no number of 64 bits")
    }
    count = sum
  }
}

/// Keeps how often something was asked, and how high and how low the count went.
struct TakingStatistics: Reducer {
  typealias State = CounterApp.State
  typealias Action = CounterApp.Action

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    state.statistics.actions += 1
    state.statistics.highest = max(state.statistics.highest, state.count)
    state.statistics.lowest = min(state.statistics.lowest, state.count)
    return .none
  }
}
