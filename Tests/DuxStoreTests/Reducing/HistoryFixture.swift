@testable import DuxStore

/// A document that is edited by several, with parts that undo leaves alone.
struct Notebook: Reducer {
  struct Note: Codable, Equatable, Sendable, Identifiable {
    var id: String
    var text = ""
    var color = "white"
  }
  struct Content: Codable, Equatable, Sendable {
    var title = ""
    var notes = Table<String, Note>()
    var tags: [String] = []
    var counts: [String: Int] = [:]
    var owner: String?
  }
  struct State: Codable, Equatable, Sendable {
    var content = Content()
    var cursor = 0
    var history = History()
    var undone = 0
  }
  enum Action: Codable, Equatable, Sendable {
    case title(String)
    case add(String)
    case remove(String)
    case write(id: String, text: String)
    case paint(id: String, color: String)
    case type(String)
    case erase
    case tag(String)
    case count(String, Int?)
    case own(String?)
    case stamp(id: String, text: String)
    case titleAndTag(String)
    case move(Int)
    case clear
    case fail
    case history(HistoryAction)
  }

  var limits = HistoryLimits()

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      try Self.reduce(&state, action)
      return .none
    }
    .undoable(\.content, history: \.history, action: Action.history, limits: limits) { action in
      switch action {
      case .stamp: .none
      case .type, .erase: .joined("title")
      default: .step
      }
    }
  }

  private static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .title(let title): state.content.title = title
    case .type(let text): state.content.title += text
    case .erase: state.content.title = String(state.content.title.dropLast())
    case .add(let id): try state.content.notes.append(Note(id: id))
    case .remove(let id): state.content.notes.remove(id: id)
    case .write(let id, let text), .stamp(let id, let text):
      state.content.notes[id: id]?.text = text
    case .paint(let id, let color): state.content.notes[id: id]?.color = color
    case .tag(let tag): state.content.tags.append(tag)
    case .count(let name, let value): state.content.counts[name] = value
    case .own(let owner): state.content.owner = owner
    case .titleAndTag(let text):
      state.content.title = text
      state.content.tags.append(text)
    case .move(let cursor): state.cursor = cursor
    case .clear: state.content = Content()
    case .fail:
      state.content.title = "failing"
      throw Rejection(reason: "no", message: "no")
    case .history: state.undone += 1
    }
  }
}

extension Stepper where R == Notebook {
  init(limits: HistoryLimits = HistoryLimits(), notes: String...) throws {
    var state = Notebook.State()
    for id in notes { try state.content.notes.append(Notebook.Note(id: id)) }
    self.init(Notebook(limits: limits), state)
  }

  mutating func undo(by author: String = "ann") throws { try send(.history(.undo), by: author) }
  mutating func redo(by author: String = "ann") throws { try send(.history(.redo), by: author) }

  mutating func undoRefusal(by author: String = "ann") -> Rejection? {
    self.author = author
    return refusal(of: .history(.undo))
  }

  mutating func redoRefusal(by author: String = "ann") -> Rejection? {
    self.author = author
    return refusal(of: .history(.redo))
  }
}
