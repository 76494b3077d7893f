import DuxStore
import DuxTesting
import Foundation
import Synchronization
import Testing

/// A reducer with one action for each thing that a test store must show.
struct Shop: Reducer {
  struct State: Codable, Equatable, Sendable {
    var count = 0
    var isLoading = false
    var titles: [String] = []
    var name: String?
    var stamps: [Date] = []
    var rows: [String: Row] = [:]
    var ticks = 0
  }

  struct Row: Codable, Equatable, Sendable {
    var done = false
    var text = ""
  }

  enum Action: Codable, Equatable, Sendable {
    case add(Int)
    case nothing
    case rename(String?)
    case mark(String)
    case refuse
    case load
    case loaded([String])
    case failed(String)
    /// Sends both as follow-ups.
    case both(Int, Int)
    case countdown(Int)
    case hang
    case stop
    case ring(Int)
    case rang(Int)
    case stamp
    case buy(Int)
    case bought(Int)
    case refuseLater
  }

  struct Buy: Command, Equatable {
    var number: Int
  }

  @Dependency(\.date) var date
  @Dependency(\.clock) var clock

  func reduce(into state: inout State, action: Action) throws -> Effect<Action> {
    switch action {
    case .add(let number): state.count += number
    case .nothing: break
    case .rename(let name): state.name = name
    case .mark(let id): state.rows[id, default: Row()].done = true
    case .refuse: throw Rejection(reason: "unwanted", message: "refuse is always refused")
    case .loaded(let titles):
      state.isLoading = false
      state.titles = titles
    case .failed(let text): state.name = text
    case .rang: state.ticks += 1
    case .stamp: state.stamps.append(date())
    case .bought(let number): state.count -= number
    case .load, .both, .countdown, .hang, .stop, .ring, .buy, .refuseLater:
      return effect(of: action, in: &state)
    }
    return .none
  }

  private func effect(of action: Action, in state: inout State) -> Effect<Action> {
    switch action {
    case .load:
      state.isLoading = true
      return .run("fetch") { send in await send(.loaded(["Alien", "Brazil"])) }
    case .both(let first, let second): return .merge(.send(.add(first)), .send(.add(second)))
    case .countdown(let number): return number > 0 ? .send(.countdown(number - 1)) : .none
    case .hang: return .run("hang") { _ in await Never.untilCancelled() }.cancellable("hang")
    case .stop: return .cancel("hang")
    case .ring(let number):
      return .run("alarm") { [clock] send in
        try await clock.sleep(for: .seconds(number))
        await send(.rang(number))
      }
    case .buy(let number): return .command(Buy(number: number))
    case .refuseLater: return .send(.refuse)
    default: return .none
    }
  }
}

extension Never {
  /// Waits until the task is cancelled.
  static func untilCancelled() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    continuation.finish()
  }
}

/// What test stores complain of, in place of the test that runs.
final class Complaints: Sendable {
  private let content = Mutex<[TestIssue]>([])

  var issues: [TestIssue] { content.withLock { $0 } }
  var failures: [String] {
    issues.filter { $0.severity == .failure }.map(\.message)
  }
  var reports: [String] {
    issues.filter { $0.severity == .report }.map(\.message)
  }

  func take(_ issue: TestIssue) { content.withLock { $0.append(issue) } }
}

extension TestStore<Shop.State, Shop.Action> {
  /// A store whose failures are told to `complaints`, or else to the test.
  static func shop(
    _ complaints: Complaints? = nil, commands: [CommandHandler<Shop.Action>] = [],
    sourceLocation: SourceLocation = #_sourceLocation,
    dependencies: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStore {
    TestStore(
      initialState: Shop.State(), dependencies: dependencies, commands: commands,
      issues: { issue in
        if let complaints { complaints.take(issue) } else { TestIssue.record(issue) }
      }, sourceLocation: sourceLocation
    ) { Shop() }
  }
}

/// Counts, from any thread.
final class Counter: Sendable {
  private let content = Mutex(0)

  var count: Int { content.withLock { $0 } }

  func add() { content.withLock { $0 += 1 } }
}

/// What happened, in order, from any thread.
final class Trace: Sendable {
  private let content = Mutex<[Int]>([])

  var all: [Int] { content.withLock { $0 } }

  func add(_ number: Int) { content.withLock { $0.append(number) } }
}
