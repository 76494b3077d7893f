import DuxStore
import Foundation
import Synchronization

/// A reducer with one action for each thing that a store can be asked to do.
struct Tally: Reducer {
  struct State: Codable, Equatable, Sendable {
    var count = 0
    var notes: [String] = []
    var name: String?
    var stamps: [Date] = []
  }

  enum Action: Codable, Equatable, Sendable {
    case add(Int)
    case note(String)
    case rename(String?)
    case nothing
    case refuse
    case fail
    case stamp
    /// Adds one and sends itself with one less, down to 0.
    case countdown(Int)
    case ping
    case pong
    /// Sends each note as a follow-up.
    case notes([String])
  }

  struct Broken: Error {}

  @Dependency(\.date) var date

  func reduce(into state: inout State, action: Action) throws -> Effect<Action> {
    switch action {
    case .add(let number): state.count += number
    case .note(let text): state.notes.append(text)
    case .rename(let name): state.name = name
    case .nothing: break
    case .refuse:
      state.count = -1
      throw Rejection(reason: "unwanted", message: "refuse is always refused")
    case .fail:
      state.count = -1
      throw Broken()
    case .stamp: state.stamps.append(date())
    case .countdown(let number):
      state.count += 1
      return number > 0 ? .send(.countdown(number - 1)) : .none
    case .ping: return .send(.pong)
    case .pong: return .send(.ping)
    case .notes(let texts): return .merge(texts.map { .send(.note($0)) })
    }
    return .none
  }
}

extension Store<Tally.State, Tally.Action> {
  static func tally(_ state: Tally.State = Tally.State()) -> Store {
    Store(initialState: state) { Tally() }
  }
}

/// What was seen, in order, by any thread.
final class Trace<Element: Sendable>: Sendable {
  private let content = Mutex<[Element]>([])

  var all: [Element] { content.withLock { $0 } }
  var count: Int { content.withLock { $0.count } }

  func add(_ element: Element) { content.withLock { $0.append(element) } }
}

/// A place for a value that closures share, as a subscription that its own listener ends.
final class SharedValue<Value: Sendable>: Sendable {
  private let content: Mutex<Value>

  init(_ value: Value) { content = Mutex(value) }

  var value: Value {
    get { content.withLock { $0 } }
    set {
      let former = content.withLock { content in
        defer { content = newValue }
        return content
      }
      _ = consume former
    }
  }

  func update<R: Sendable>(_ change: (inout Value) -> R) -> R {
    content.withLock { value in change(&value) }
  }
}

/// What tasks wait for until it is opened; a cancelled task goes on at once.
final class Latch: Sendable {
  private let stream: AsyncStream<Never>
  private let continuation: AsyncStream<Never>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func open() { continuation.finish() }
  func wait() async { for await _ in stream {} }
}
