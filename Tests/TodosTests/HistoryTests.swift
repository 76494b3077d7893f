import DuxStore
import Foundation
import Testing

@testable import Todos

/// What each author can take back.
struct HistoryTests {
  private let store = Store(
    app: TodosApp(), dependencies: DependencyValues(.test).setting(todosWorld))
  private let milk = UUID.numbered(1)

  private var titles: [String] { store.state.todos.map(\.title) }

  private func send(_ action: TodosApp.Action, by author: String) -> String? {
    store.dispatch(action, by: author).result?.rejection?.reason
  }

  @Test func eachAuthorTakesBackTheirOwn() {
    #expect(send(.add("Buy milk"), by: "ann") == nil)
    #expect(send(.add("Write to Ann"), by: "ben") == nil)
    #expect(send(.history(.undo), by: "ann") == nil)
    #expect(titles == ["Write to Ann"])
    #expect(send(.history(.undo), by: "ann") == "nothing_to_undo")
    #expect(send(.history(.redo), by: "ben") == "nothing_to_redo")
    #expect(send(.history(.redo), by: "ann") == nil)
    #expect(titles == ["Buy milk", "Write to Ann"])
  }

  @Test func whatOthersDidToTheSameTodoSurvives() {
    _ = send(.add("Buy milk"), by: "ann")
    _ = send(.todo(id: milk, action: .rename("Buy oat milk")), by: "ann")
    _ = send(.todo(id: milk, action: .toggle), by: "ben")
    #expect(send(.history(.undo), by: "ann") == nil)
    #expect(store.state.todos[id: milk]?.title == "Buy milk")
    #expect(store.state.todos[id: milk]?.isCompleted == true)
  }

  @Test func whatOthersHaveChangedSinceIsNotTakenBack() {
    _ = send(.add("Buy milk"), by: "ann")
    _ = send(.todo(id: milk, action: .rename("Buy oat milk")), by: "ann")
    _ = send(.todo(id: milk, action: .rename("Buy soy milk")), by: "ben")
    #expect(send(.history(.undo), by: "ann") == "conflict")
    #expect(titles == ["Buy soy milk"])
    #expect(send(.history(.undo), by: "ben") == nil)
    #expect(send(.history(.undo), by: "ann") == nil)
    #expect(titles == ["Buy milk"])
  }

  @Test func oneActionOnManyTodosIsOneStep() {
    for title in ["a", "b", "c"] { _ = send(.add(title), by: "ann") }
    _ = send(.toggleAll, by: "ben")
    _ = send(.clearCompleted, by: "ben")
    #expect(titles.isEmpty)
    #expect(send(.history(.undo), by: "ben") == nil)
    #expect(titles == ["a", "b", "c"])
    #expect(store.state.todos(.completed).count == 3)
    #expect(send(.history(.undo), by: "ben") == nil)
    #expect(store.state.todos(.active).count == 3)
  }

  @Test func aMoveIsTakenBack() {
    for title in ["a", "b", "c"] { _ = send(.add(title), by: "ann") }
    _ = send(.move(id: .numbered(3), before: milk), by: "ann")
    #expect(titles == ["c", "a", "b"])
    #expect(send(.history(.undo), by: "ann") == nil)
    #expect(titles == ["a", "b", "c"])
  }

  @Test func notesTypedLetterByLetterAreTakenBackAsAWhole() {
    _ = send(.add("Buy milk"), by: "ann")
    for notes in ["o", "oa", "oat"] {
      _ = send(.todo(id: milk, action: .set(.set(\.notes, notes))), by: "ann")
    }
    _ = send(.todo(id: milk, action: .set(.set(\.priority, .high))), by: "ann")
    #expect(send(.history(.undo), by: "ann") == nil)
    #expect(store.state.todos[id: milk]?.notes == "oat")
    #expect(send(.history(.undo), by: "ann") == nil)
    #expect(store.state.todos[id: milk]?.notes == "")
  }

  @Test func aReplayMakesTheSameList() throws {
    let store = Store(app: TodosApp(), recording: .on)
    store.dispatch(.add("Buy milk"), by: "ann")
    store.dispatch(.add("Write to Ann"), by: "ben")
    store.dispatch(.history(.undo), by: "ann")
    #expect(try TodosApp().replay(store.log, from: TodosApp.State()) == store.state)
  }
}
