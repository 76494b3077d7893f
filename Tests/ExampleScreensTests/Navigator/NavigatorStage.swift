import DuxStore
import Foundation
import Navigator
import Synchronization

@testable import DuxClient
@testable import DuxTerminal
@testable import dux_navigator

/// Terminals that share the app's state, without a daemon between.
final class NavigatorStage {
  private let store: Store<NavigatorApp.State, NavigatorApp.Action>
  private var programs: [String: NavigatorProgram] = [:]
  private var layouts: [String: Layout] = [:]
  private let size: Size
  /// Whether the outcomes of steps are told; until then they wait.
  var isAnswering = true {
    didSet { if isAnswering { answer() } }
  }
  private var unanswered: [(String, RemoteOutcome, [WireAction])] = []
  let clock = TestClock()
  /// What the last key of a terminal led to.
  private(set) var reaction = Reaction.nothing

  init(_ names: String..., columns: Int = 60, rows: Int = 14) {
    let clock = clock
    store = Store(
      app: NavigatorApp(),
      dependencies: DependencyValues(.test).setting {
        $0.uuid = .counting()
        $0.random = .seeded(1)
        $0.clock = clock
      })
    size = Size(columns: columns, rows: rows)
    for name in names { programs[name] = NavigatorProgram() }
  }

  var state: NavigatorApp.State { store.state }

  /// Presses keys on a terminal: letters as they are, others by their names in brackets, as `<Esc>`.
  func press(_ text: String, on name: String) {
    for key in Self.keys(text) { take(.key(key), on: name) }
  }

  func take(_ event: InputEvent, on name: String) {
    guard var program = programs[name] else { return }
    let asked = Asked()
    reaction = program.take(event, shared(name), Dispatch { asked.append($0) })
    programs[name] = program
    for action in asked.actions { dispatch(action, by: name) }
  }

  private func dispatch(_ action: NavigatorApp.Action, by name: String) {
    let receipt = store.dispatch(action, by: name)
    let outcome: RemoteOutcome
    if let rejection = receipt.result?.rejection {
      outcome = .rejected(
        RemoteRefusal(code: "rejected", reason: rejection.reason, message: rejection.message))
    } else {
      outcome = .confirmed(Confirmation(seq: store.snapshot.seq, changed: true))
    }
    guard let (type, payload) = try? ActionCoder.encode(action) else { return }
    unanswered.append((name, outcome, [WireAction(type: type, payload: payload)]))
    if isAnswering { answer() }
  }

  private func answer() {
    for (name, outcome, actions) in unanswered {
      let shared = shared(name)
      if let reaction = programs[name]?.take(settled: outcome, of: actions, shared) {
        self.reaction = reaction
      }
    }
    unanswered = []
  }

  /// What a terminal shows.
  func screen(_ name: String, columns: Int? = nil, rows: Int? = nil) -> String {
    let size = Size(columns: columns ?? size.columns, rows: rows ?? size.rows)
    guard let program = programs[name] else { return "" }
    let grid = render(program.view(of: shared(name), in: size), size: size)
    layouts[name] = grid.layout
    return grid.text
  }

  /// The first line of what a terminal shows: the way to its screen.
  func trail(_ name: String) -> String {
    let line = screen(name).split(separator: "\n").first ?? ""
    return line.trimmingCharacters(in: .whitespaces)
  }

  private func shared(_ name: String) -> Shared<NavigatorApp.State> {
    Shared(
      state: store.state,
      presence: programs.keys.sorted().map {
        Presence(client: $0, serial: 1, sinceMs: 0, state: nil)
      }, client: name, layout: layouts[name] ?? Layout())
  }

  private static func keys(_ text: String) -> [Key] {
    var keys: [Key] = []
    for part in text.split(separator: "<", omittingEmptySubsequences: false) {
      let halves = part.split(separator: ">", maxSplits: 1, omittingEmptySubsequences: false)
      if halves.count == 2, let key = named[String(halves[0])] {
        keys.append(key)
        keys += halves[1].map { Key.character($0) }
      } else {
        keys += part.map { Key.character($0) }
      }
    }
    return keys
  }

  private static let named: [String: Key] = [
    "Esc": Key(.escape), "Enter": Key(.enter), "Down": Key(.down), "Up": Key(.up),
    "Tab": Key(.tab), "Backspace": Key(.backspace), "Ctrl-C": .control("c"),
    "Ctrl-O": .control("o"), "Ctrl-G": .control("g"), "F1": Key(.function(1)),
  ]

  private final class Asked: Sendable {
    private let list = Mutex<[NavigatorApp.Action]>([])

    var actions: [NavigatorApp.Action] { list.withLock { $0 } }

    func append(_ action: NavigatorApp.Action) { list.withLock { $0.append(action) } }
  }
}
