import DuxJSON
import DuxStore
import Foundation
import Testing

/// What an app makes of a state that another version of it has left.
struct AdoptionTests {
  /// Version 3 of the notes: the title was `name` in version 1 and `heading` in version 2.
  private struct Migrating: App {
    var notes = NotesApp()
    var name: String { notes.name }
    var version: Int { 3 }
    var initialState: NotesApp.State { notes.initialState }
    var failsFrom: Int?

    struct Broken: Error, CustomStringConvertible {
      var description: String { "the title is unreadable" }
    }

    func reduce(
      into state: inout NotesApp.State, action: NotesApp.Action
    ) throws -> Effect<NotesApp.Action> {
      try notes.reduce(into: &state, action: action)
    }

    func migrate(_ state: JSON, from version: Int) throws -> JSON {
      if version == failsFrom { throw Broken() }
      guard case .object(var members) = state else { throw Broken() }
      let old = version == 1 ? "name" : "heading"
      guard let title = members.removeValue(forKey: old) else { throw Broken() }
      if version == 1 {
        members["heading"] = title
      } else {
        members["settings"] = ["title": title]
      }
      return .object(members)
    }
  }

  private func restored<Hosted: App>(
    _ app: Hosted, from view: JSON, version: Int
  ) throws -> (store: HostedApp<Hosted>, change: JSONPatch) {
    var store = try HostedApp(app, limits: .roomy, dependencies: counting())
    let change = try store.restore(view: view, version: version)
    return (store, change)
  }

  private let empty: JSON = ["order": [:], "rows": [:]]

  @Test func `a state of the app's own comes back without a change`() throws {
    var store = try HostedApp(NotesApp(), limits: .roomy, dependencies: counting())
    for text in ["one", "two", "three"] { _ = try store.take("add", .string(text)) }
    let (again, change) = try restored(NotesApp(), from: store.view, version: 1)
    #expect(change.operations.isEmpty)
    #expect(again.state == store.state)
    #expect(again.view.description == store.view.description)
  }

  @Test func `migrations lead step by step from the version found to the app's`() throws {
    let (store, change) = try restored(
      Migrating(), from: ["name": "old", "notes": empty, "pinned": nil, "ratio": 0.0], version: 1)
    #expect(store.state.settings.title == "old")
    #expect(store.view["name"] == nil)
    var view: JSON = ["name": "old", "notes": empty, "pinned": nil, "ratio": 0.0]
    try change.apply(to: &view)
    #expect(view == store.view)
  }

  @Test func `a migration that fails or is missing leaves the store alone and says which`() throws {
    let old: JSON = ["name": "old", "notes": empty, "pinned": nil, "ratio": 0.0]
    var store = try HostedApp(Migrating(failsFrom: 2), limits: .roomy, dependencies: counting())
    let before = store.view
    #expect(
      throws: RestoreFailure.migration(app: "notes", from: 2, "the title is unreadable")
    ) { try store.restore(view: old, version: 1) }
    #expect(store.view == before)

    var plain = try HostedApp(NotesApp(version: 2), limits: .roomy, dependencies: counting())
    do {
      _ = try plain.restore(view: old, version: 1)
      Issue.record("restored")
    } catch {
      #expect("\(error)".contains("no migration from version 1 to 2"))
    }
  }

  @Test func `a state of a later version is refused`() throws {
    #expect(throws: RestoreFailure.newerVersion(app: "notes", found: 2, known: 1)) {
      try restored(NotesApp(), from: ["a": 1], version: 2)
    }
  }

  @Test func `slices the app does not know are kept, listed, and taken up again`() throws {
    var store = try HostedApp(NotesApp(), limits: .roomy, dependencies: counting())
    guard case .object(var members) = store.view else { return }
    members["polls"] = ["open": [1, 2, 3]]
    let (kept, change) = try restored(NotesApp(), from: .object(members), version: 1)
    #expect(change.operations.isEmpty)
    store = kept
    #expect(store.unknownSlices == ["polls"])
    let step = try store.take("rename", "x")
    #expect(step.patch.operations.count == 1)
    #expect(store.view["polls"] == ["open": [1, 2, 3]])
    #expect(store.view["settings"]?["title"] == "x")

    struct Polls: Codable, Equatable, Sendable { var open: [Int] = [] }
    struct WithPolls: App {
      struct State: Codable, Equatable, Sendable {
        var notes = NotesApp.State().notes
        var settings = NotesApp.Settings()
        var pinned: UUID?
        var ratio = 0.0
        var polls = Polls()
      }
      let name = "notes"
      let initialState = State()
      func reduce(into state: inout State, action: NotesApp.Action) -> Effect<NotesApp.Action> {
        .none
      }
    }
    let (adopted, _) = try restored(WithPolls(), from: store.view, version: 1)
    #expect(adopted.state.polls.open == [1, 2, 3])
    #expect(adopted.unknownSlices.isEmpty)
  }

  @Test func `slices that a state lacks get their initial state, which is a change`() throws {
    let (store, change) = try restored(NotesApp(), from: ["notes": empty], version: 1)
    #expect(store.state == NotesApp.State())
    #expect(Set(change.operations.map(\.path.description)) == ["/settings", "/pinned", "/ratio"])
  }

  @Test func `a null that was written is not taken for a slice that is missing`() throws {
    var app = NotesApp()
    app.initialState.pinned = UUID()
    let (store, _) = try restored(
      app, from: ["notes": empty, "pinned": nil, "ratio": 0.0, "settings": ["title": "t"]],
      version: 1)
    #expect(store.state.pinned == nil)
  }

  @Test func `a state of another shape is refused, naming the place`() throws {
    do {
      _ = try restored(
        NotesApp(), from: ["notes": empty, "settings": ["title": 5]], version: 1)
      Issue.record("restored")
    } catch {
      #expect("\(error)".contains("/settings/title"))
    }
  }

  @Test func `a case that is gone is refused in a state and in an action alike`() throws {
    struct Lights: App {
      enum Light: String, Codable, Sendable { case red, green }
      struct State: Codable, Equatable, Sendable { var light = Light.red }
      enum Action: Codable, Equatable, Sendable { case show(Light) }
      let name = "lights"
      let initialState = State()
      func reduce(into state: inout State, action: Action) -> Effect<Action> {
        if case .show(let light) = action { state.light = light }
        return .none
      }
    }
    var store = try HostedApp(Lights(), limits: .roomy)
    #expect(throws: RestoreFailure.self) { try store.restore(view: ["light": "amber"], version: 1) }
    #expect(throws: Refusal.self) { try store.take("show", "amber") }
    #expect(throws: Refusal.self) { try store.take("blink", "red") }
    _ = try store.take("show", "green")
    #expect(store.view == ["light": "green"])
  }

  @Test func `two slices of one name, and one without a name, are refused`() throws {
    struct Part: Reducer {
      struct State: Codable, Equatable, Sendable { var count = 0 }
      enum Action: Codable, Equatable, Sendable { case add }
      func reduce(into state: inout State, action: Action) -> Effect<Action> {
        state.count += 1
        return .none
      }
    }
    struct Twins: App {
      struct State: Codable, Equatable, Sendable {
        var left = Part.State()
        var right = Part.State()
      }
      enum Action: Codable, Equatable, Sendable {
        case left(Part.Action)
        case right(Part.Action)
      }
      let name = "twins"
      let initialState = State()
      var leftName = "left"
      var rightName = "right"
      var body: some Reducer<State, Action> {
        Scope(\.left, action: Action.left, named: leftName) { Part() }
        Scope(\.right, action: Action.right, named: rightName) { Part() }
      }
    }
    _ = try HostedApp(Twins(), limits: .roomy)
    for (left, right) in [("side", "side"), ("", "right")] {
      #expect(throws: AppFault.self) {
        try HostedApp(Twins(leftName: left, rightName: right), limits: .roomy)
      }
    }
  }

  @Test func `an app that can't be hosted is refused before anything is served`() throws {
    struct Lossy: App {
      struct State: Codable, Equatable, Sendable {
        var kept = 1
        var dropped = 2
        init() {}
        init(from decoder: any Decoder) throws {}
        init(dropped: Int) { self.dropped = dropped }
      }
      let name = "lossy"
      let initialState = State(dropped: 3)
      func reduce(into state: inout State, action: NotesApp.Action) -> Effect<NotesApp.Action> {
        .none
      }
    }
    #expect(throws: AppFault.self) { try HostedApp(Lossy(), limits: .roomy) }
    #expect(throws: AppFault.self) { try HostedApp(NotesApp(name: ""), limits: .roomy) }
    #expect(throws: AppFault.self) { try HostedApp(NotesApp(version: 0), limits: .roomy) }
    var infinite = NotesApp()
    infinite.initialState.ratio = .infinity
    #expect(throws: AppFault.self) { try HostedApp(infinite, limits: .roomy) }
  }
}
