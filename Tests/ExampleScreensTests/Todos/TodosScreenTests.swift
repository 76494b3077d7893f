import DuxClient
import DuxStore
import DuxTerminal
import Foundation
import Synchronization
import Testing

@testable import Todos
@testable import dux_todos

/// The screen of dux-todos: a state in, text out; keys in, actions out.
struct TodosScreenTests {
  /// The program on a terminal that isn't there.
  private struct Terminal {
    var program = TodosProgram()
    var shared: Shared<TodosApp.State>
    var size = Size(columns: 60, rows: 14)
    private let sent = Sent()

    private final class Sent: Sendable {
      let actions = Mutex<[TodosApp.Action]>([])
    }

    init(_ state: TodosApp.State) {
      shared = Shared(state: state, client: "me")
    }

    /// What has been dispatched since this was asked last.
    func dispatched() -> [TodosApp.Action] {
      sent.actions.withLock { actions in
        defer { actions = [] }
        return actions
      }
    }

    @discardableResult
    mutating func take(_ event: InputEvent) -> Reaction {
      draw()
      return program.take(
        event, shared, Dispatch { [sent] action in sent.actions.withLock { $0.append(action) } })
    }

    mutating func press(_ keys: Key...) {
      for key in keys { take(.key(key)) }
    }

    mutating func type(_ text: String) {
      for character in text { take(.key(Key(.character(character)))) }
    }

    @discardableResult
    mutating func draw() -> [String] {
      let grid = render(program.view(of: shared, in: size), size: size)
      shared.layout = grid.layout
      return grid.lines
    }
  }

  private static func todo(_ number: Int, isCompleted: Bool = false) -> Todo {
    Todo(
      id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number))),
      title: "Todo \(number)", isCompleted: isCompleted, created: Date(timeIntervalSince1970: 0))
  }

  /// Three todos, the second of which is done.
  private static func sample() throws -> TodosApp.State {
    var state = TodosApp.State()
    state.todos = try Table([todo(1), todo(2, isCompleted: true), todo(3)])
    return state
  }

  private static func id(_ number: Int) -> Todo.ID { todo(number).id }

  @Test func theListIsSeen() throws {
    var terminal = Terminal(try Self.sample())
    let lines = terminal.draw()
    #expect(lines[0] == " [all]  active   completed                          3 todos")
    #expect(
      lines[2...4].map { $0.trimmingCharacters(in: .whitespaces) } == [
        "[ ]   Todo 1", "[x]   Todo 2", "[ ]   Todo 3",
      ])
    #expect(lines.last == " dux-todos  ● live")
  }

  @Test func anEmptyListSaysWhatToDo() {
    var terminal = Terminal(TodosApp.State())
    #expect(terminal.draw().contains { $0.contains("a adds a todo") })
  }

  @Test func aTitleIsSharedWhenItIsEnteredAndNotBefore() throws {
    var terminal = Terminal(try Self.sample())
    terminal.press("a")
    terminal.type("milk")
    #expect(terminal.draw().contains { $0.contains("New: milk") })
    #expect(terminal.dispatched().isEmpty)
    terminal.press(Key(.enter))
    terminal.type("bread")
    terminal.press(Key(.enter), Key(.enter))
    #expect(terminal.dispatched() == [.add("milk"), .add("bread")])
    #expect(terminal.program.typing == nil)
  }

  @Test func whatIsPastedBecomesTheTextOfANewTodo() throws {
    var terminal = Terminal(try Self.sample())
    terminal.take(.paste("buy\u{1B}[2J\nmilk\u{0}"))
    terminal.press(Key(.enter))
    let actions = terminal.dispatched()
    guard case .add(let title)? = actions.first, actions.count == 1 else {
      Issue.record("\(actions)")
      return
    }
    #expect(!title.unicodeScalars.contains { $0.properties.generalCategory == .control })
    #expect(title.contains("buy") && title.contains("milk"))
  }

  @Test func keysChangeTheSelectedTodo() throws {
    var terminal = Terminal(try Self.sample())
    terminal.press(Key(.down), " ", "p", "d", "K", "J")
    let second = Self.id(2)
    #expect(
      terminal.dispatched() == [
        .todo(id: second, action: .toggle),
        .todo(id: second, action: .set(.set(\.priority, .high))),
        .todo(id: second, action: .remove),
        .move(id: second, before: Self.id(1)),
        .move(id: second, before: nil),
      ])
  }

  @Test func renamingBeginsWithTheTitleAndCanBeLeft() throws {
    var terminal = Terminal(try Self.sample())
    terminal.press("r")
    terminal.type("!")
    terminal.press(Key(.enter), "r", Key(.escape))
    #expect(terminal.dispatched() == [.todo(id: Self.id(1), action: .rename("Todo 1!"))])
  }

  @Test func undoAndTheOthersAreActions() throws {
    var terminal = Terminal(try Self.sample())
    terminal.press("u", "U", "A", "C")
    #expect(
      terminal.dispatched() == [.history(.undo), .history(.redo), .toggleAll, .clearCompleted])
  }

  @Test func aFilterIsThisTerminalsAlone() throws {
    var terminal = Terminal(try Self.sample())
    terminal.press(Key(.tab))
    #expect(terminal.draw().filter { $0.contains("Todo") }.count == 2)
    terminal.press(Key(.down), " ")
    #expect(terminal.dispatched() == [.todo(id: Self.id(3), action: .toggle)])
    terminal.take(.mouse(Mouse(.press(.left), at: Position(row: 0, column: 20))))
    #expect(terminal.draw().filter { $0.contains("Todo") }.count == 1)
    #expect(terminal.dispatched().isEmpty)
  }

  @Test func theSelectedTodoStaysSelectedWhenOthersMove() throws {
    var terminal = Terminal(try Self.sample())
    terminal.press(Key(.end))
    terminal.shared.state.todos.remove(id: Self.id(1))
    terminal.press(" ")
    #expect(terminal.dispatched() == [.todo(id: Self.id(3), action: .toggle)])
  }

  @Test func aRefusalIsShownUntilAKeyIsPressed() throws {
    var terminal = Terminal(try Self.sample())
    let refusal = RemoteRefusal(
      code: "rejected", reason: "empty_title", message: "a todo needs a title")
    _ = terminal.program.take(settled: .rejected(refusal), of: [], terminal.shared)
    #expect(terminal.draw().contains { $0.contains("✗ a todo needs a title") })
    terminal.press(Key(.down))
    #expect(!terminal.draw().contains { $0.contains("needs a title") })
  }

  @Test func helpNamesEveryKey() throws {
    var terminal = Terminal(try Self.sample())
    terminal.size = Size(columns: 80, rows: 30)
    terminal.press("?")
    let text = terminal.draw().joined(separator: "\n")
    for entry in TodosKeys.list.entries { #expect(text.contains(entry.help)) }
  }

  @Test(arguments: [
    Size(columns: 1, rows: 1), Size(columns: 0, rows: 0), Size(columns: 400, rows: 120),
  ])
  func itIsDrawnInAnySize(_ size: Size) throws {
    var terminal = Terminal(try Self.sample())
    terminal.size = size
    terminal.press("a", Key(.escape), "?", " ", Key(.down), Key(.pageDown), "r")
    #expect(terminal.draw().count == size.rows)
  }
}
