import DuxJSON
import DuxStore
import DuxTesting
import Foundation
import Testing

@testable import Todos

/// What the list and its rows make of actions.
struct EditingTests {
  private let milk = Todo(id: .numbered(1), title: "Buy milk", created: .dawn)
  private let mail = Todo(id: .numbered(2), title: "Write to Ann", created: .dawn)
  private let gone = UUID.numbered(99)

  private func store(_ todos: [Todo] = []) throws -> TestStore<TodosApp.State, TodosApp.Action> {
    TestStore(initialState: TodosApp.State(todos: try Table(todos)), dependencies: todosWorld) {
      EditingTodos()
    }
  }

  @Test func aNewTodoStandsAtTheEndAndHasAnIDAndADateOfItsOwn() async throws {
    let store = try store()
    await store.send(.add("Buy milk")) { [milk] in try $0.todos.append(milk) }
    await store.send(.add("  Write to Ann\n")) { [mail] in try $0.todos.append(mail) }
    await store.finish()
  }

  @Test func aTitleSaysSomethingAndNotTooMuch() async throws {
    let store = try store()
    let long = String(repeating: "ä", count: 200)
    await store.send(.add(" \n "), rejected: "empty_title")
    await store.send(
      .add(long + "x"), rejected: "too_long",
      message: "the title may have 200 characters and has 201")
    await store.send(.add(long)) {
      try $0.todos.append(Todo(id: .numbered(1), title: long, created: .dawn))
    }
    await store.send(.todo(id: .numbered(1), action: .rename("")), rejected: "empty_title")
    await store.finish()
  }

  @Test func aTodoIsRenamedToggledAndRemovedByItself() async throws {
    let store = try store([milk, mail])
    await store.send(.todo(id: mail.id, action: .rename("Call Ann"))) { [mail] in
      $0.todos[id: mail.id]?.title = "Call Ann"
    }
    await store.send(.todo(id: milk.id, action: .toggle)) { [milk] in
      $0.todos[id: milk.id]?.isCompleted = true
    }
    await store.send(.todo(id: milk.id, action: .toggle)) { [milk] in
      $0.todos[id: milk.id]?.isCompleted = false
    }
    await store.send(.todo(id: milk.id, action: .remove)) { [milk] in
      $0.todos.remove(id: milk.id)
    }
    await store.finish()
  }

  @Test(arguments: [Todo.Action.rename("x"), .toggle, .remove, .set(.set(\.notes, "x"))])
  func anActionForATodoThatIsGoneIsRejected(action: Todo.Action) async throws {
    let store = try store([milk])
    await store.send(.todo(id: gone, action: action), rejected: "target_gone")
    await store.finish()
  }

  @Test func todosAreMovedBeforeOthersAndToTheEnd() async throws {
    let cake = Todo(id: .numbered(3), title: "Bake", created: .dawn)
    let store = try store([milk, mail, cake])
    await store.send(.move(id: cake.id, before: milk.id)) { [milk, mail] in
      $0.todos = try Table([cake, milk, mail])
    }
    await store.send(.move(id: cake.id, before: nil)) { [milk, mail] in
      $0.todos = try Table([milk, mail, cake])
    }
    await store.send(.move(id: cake.id, before: cake.id))
    await store.send(.move(id: gone, before: nil), rejected: "missing_id")
    await store.send(.move(id: milk.id, before: gone), rejected: "missing_id")
    await store.finish()
  }

  @Test func allAreCompletedUnlessAllAre() async throws {
    let store = try store([milk, mail])
    await store.send(.todo(id: milk.id, action: .toggle)) { [milk] in
      $0.todos[id: milk.id]?.isCompleted = true
    }
    await store.send(.toggleAll) { [mail] in $0.todos[id: mail.id]?.isCompleted = true }
    await store.send(.toggleAll) { [milk, mail] in $0.todos = try Table([milk, mail]) }
    await store.finish()
  }

  @Test func completedTodosAreCleared() async throws {
    var done = milk
    done.isCompleted = true
    let store = try store([done, mail])
    await store.send(.clearCompleted) { [mail] in $0.todos = try Table([mail]) }
    await store.send(.clearCompleted)
    await store.finish()
  }

  @Test func aFormSetsDeclaredFieldsToValuesOfTheirType() async throws {
    let store = try store([milk])
    func set(_ field: String, _ value: JSON) -> TodosApp.Action {
      .todo(id: milk.id, action: .set(BindingAction(field: field, value: value)))
    }
    await store.send(set("priority", "high")) { [milk] in
      $0.todos[id: milk.id]?.priority = .high
    }
    await store.send(set("notes", "oat")) { [milk] in $0.todos[id: milk.id]?.notes = "oat" }
    await store.send(set("priority", "urgent"), rejected: "bad_value")
    await store.send(set("notes", 7), rejected: "bad_value")
    await store.send(
      set("notes", .string(String(repeating: "x", count: 10_001))), rejected: "too_long")
    for field in ["title", "isCompleted", "id", ""] {
      await store.send(set(field, "x"), rejected: "unknown_field")
    }
    await store.finish()
  }

  @Test(
    arguments: [(Filter.all, [1, 2]), (.active, [2]), (.completed, [1])] as [(Filter, [UInt64])])
  func everybodyLooksAtWhatTheyLike(filter: Filter, numbers: [UInt64]) throws {
    var done = milk
    done.isCompleted = true
    let state = TodosApp.State(todos: try Table([done, mail]))
    #expect(state.todos(filter).map(\.id) == numbers.map { .numbered($0) })
  }
}
