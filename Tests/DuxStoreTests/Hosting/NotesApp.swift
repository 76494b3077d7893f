import DuxJSON
import DuxStore
import Foundation
import Synchronization

/// An app with a little of everything: slices, inputs, rejections, stages.
struct NotesApp: App {
  struct Note: Codable, Equatable, Identifiable, Sendable {
    var id: UUID
    var text: String
    var author: String
    var at: Date
  }

  struct State: Codable, Equatable, Sendable {
    var notes = Table<UUID, Note>()
    var settings = Settings()
    var pinned: UUID?
    var ratio = 0.0
  }

  struct Settings: Codable, Equatable, Sendable {
    var title = "notes"
  }

  enum Action: Codable, Equatable, Sendable {
    case add(String)
    case remove(id: UUID)
    case rename(String)
    case pin(UUID?)
    case setRatio(numerator: Double, denominator: Double)
    case twice(String)
    case noop
  }

  struct Empty: Error {}

  var name = "notes"
  var version = 1
  var initialState = State()
  var middleware: [any Middleware<State, Action>] = []

  @Dependency(\.uuid) var uuid
  @Dependency(\.date) var date
  @Dependency(\.author) var author

  func reduce(into state: inout State, action: Action) throws -> Effect<Action> {
    switch action {
    case .add(let text):
      guard !text.isEmpty else { throw Empty() }
      try state.notes.append(
        Note(id: uuid(), text: text, author: author, at: date()))
    case .remove(let id):
      guard state.notes.remove(id: id) != nil else {
        throw Rejection(reason: "missing", message: "there is no note \(id)")
      }
    case .rename(let title): state.settings.title = title
    case .pin(let id): state.pinned = id
    case .setRatio(let numerator, let denominator): state.ratio = numerator / denominator
    case .twice(let text): return .merge(.send(.add(text)), .send(.add(text)))
    case .noop: break
    }
    return .none
  }
}

/// 1, 2, 3 and so on.
private final class Numbers: Sendable {
  private let last = Mutex(0)

  func next() -> Int {
    last.withLock {
      $0 += 1
      return $0
    }
  }
}

/// Dependencies that count up instead of taking chance and time.
func counting() -> DependencyValues {
  let numbers = Numbers()
  return DependencyValues(.test).setting { values in
    values.uuid = Source("uuid") {
      UUID(
        uuid: (
          0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(truncatingIfNeeded: numbers.next())
        ))
    }
    values.date = Source("date") { Date(timeIntervalSince1970: Double(numbers.next())) }
  }
}

extension StateLimits {
  static let roomy = StateLimits(maximumDepth: 100, maximumBytes: 10_000_000)
}

extension HostedApp {
  /// Takes one action in its wire form as a client's step.
  mutating func take(
    _ type: String, _ payload: JSON? = nil, by author: String = "ada"
  ) throws(Refusal) -> HostedStep {
    var members: JSONObject = ["type": .string(type)]
    members["payload"] = payload
    return try dispatch([try WireAction(.object(members))], DispatchContext(author: author))
  }
}
