import DuxJSON
import DuxStore
import Foundation
import Testing

/// An app as the daemon holds it: actions in their wire form in, patches out.
struct HostedAppTests {
  private func hosted(_ app: NotesApp = NotesApp()) throws -> HostedApp<NotesApp> {
    try HostedApp(app, limits: .roomy, dependencies: counting())
  }

  @Test func `an action changes the fields it changes and nothing else`() throws {
    var store = try hosted()
    let step = try store.take("rename", "shared notes")
    #expect(
      step.patch.json == [["op": "replace", "path": "/settings/title", "value": "shared notes"]])
    #expect(store.state.settings.title == "shared notes")
    #expect(store.view["settings"] == ["title": "shared notes"])
  }

  @Test func `a table is patched by key, a missing optional is null`() throws {
    var store = try hosted()
    let step = try store.take("add", "one")
    let id = try #require(store.state.notes.first?.id.uuidString)
    let paths = step.patch.operations.map(\.path.description)
    #expect(Set(paths).count == 2)
    #expect(paths.contains("/notes/rows/\(id)"))
    #expect(paths.contains { $0.hasPrefix("/notes/order/") })
    #expect(store.view["pinned"] == .null)
  }

  @Test func `what sources gave is written beside the action, and a replay gives it again`() throws
  {
    var store = try hosted()
    let step = try store.take("add", "one")
    let logged = try #require(step.loggedActions?.first)
    let inputs = try #require(logged.json["meta"]?["dux"]?["inputs"])
    #expect(inputs["uuid"]?.arrayValue?.count == 1)
    #expect(inputs["date"] == [.integer(2_000)])
    #expect(logged.type == "add")

    var again = try HostedApp(
      NotesApp(), limits: .roomy, dependencies: DependencyValues(.live))
    let patch = try again.replay([logged], author: "ada")
    #expect(patch == step.patch)
    #expect(again.view.description == store.view.description)
  }

  @Test func `a replay that asks for more than is on record is refused`() throws {
    var store = try hosted()
    #expect(throws: Refusal.self) {
      try store.replay([WireAction(["type": "add", "payload": "one"])], author: "ada")
    }
  }

  @Test func `an action without inputs is logged as it came`() throws {
    var store = try hosted()
    #expect(try store.take("rename", "x").loggedActions == nil)
  }

  @Test func `a reducer that throws leaves everything as it was, and the next action is taken`()
    throws
  {
    var store = try hosted()
    _ = try store.take("add", "one")
    let before = store.view
    #expect(
      throws: Refusal.rejected(Rejection(reason: "failed", message: "Empty()"))
    ) { try store.take("add", "") }
    #expect(throws: Refusal.self) {
      try store.take("remove", ["id": "00000000-0000-0000-0000-0000000000FF"])
    }
    #expect(store.view == before)
    _ = try store.take("add", "two")
    #expect(store.state.notes.count == 2)
  }

  @Test func `a state that is no JSON is refused, naming the place`() throws {
    var store = try hosted()
    do {
      _ = try store.take("setRatio", ["numerator": 1, "denominator": 0])
      Issue.record("taken")
    } catch {
      guard case .rejected(let rejection) = error else { throw error }
      #expect(rejection.reason == "unencodable")
      #expect(rejection.message.contains("/ratio"))
    }
    #expect(store.state.ratio == 0)
  }

  @Test func `undecodable actions name what is wrong with them`() throws {
    var store = try hosted()
    for (type, payload, text) in [
      ("nope", nil, "nope"), ("", nil, "empty"), ("add", 1, "payload"), ("remove", [:], "id"),
      ("add/more", "x", "add/more"), ("remove", ["id": "no uuid"], "id"),
    ] as [(String, JSON?, String)] {
      do {
        _ = try store.take(type, payload)
        Issue.record("\(type) was taken")
      } catch {
        #expect(error.message.contains(text), "\(type): \(error.message)")
      }
    }
  }

  @Test func `types and members that are the daemon's own are refused from outside`() throws {
    for json in [
      ["type": "@@dux/migrate"], ["type": "add", "payload": "x", "meta": ["dux": ["inputs": [:]]]],
    ] as [JSON] {
      let action = try WireAction(json)
      #expect(throws: Refusal.self) { try action.checkReserved() }
    }
    try WireAction(["type": "add", "payload": "x", "meta": ["mine": 1]]).checkReserved()
  }

  @Test func `follow-ups come out as actions in their wire form`() throws {
    var store = try hosted()
    let step = try store.take("twice", "x")
    guard case .merge(let nodes) = step.effect.node else {
      Issue.record("\(step.effect)")
      return
    }
    let sent = nodes.compactMap { node -> String? in
      if case .send(.success(let wire)) = node { wire.json.description } else { nil }
    }
    #expect(sent == Array(repeating: #"{"payload":"x","type":"add"}"#, count: 2))
  }

  @Test func `a stage may replace an action, and the log has the one that was reduced`() throws {
    struct Shout: Middleware {
      let name = "shout"
      func process(
        _ action: NotesApp.Action, in state: NotesApp.State, _ context: DispatchContext
      ) throws -> Passage<NotesApp.Action> {
        guard case .rename(let title) = action else { return .pass() }
        guard title != "quiet" else { throw Rejection(reason: "quiet", message: "no") }
        return .replace(with: .rename(title.uppercased()))
      }
    }
    var store = try hosted(NotesApp(middleware: [Shout()]))
    #expect(store.pipeline == ["shout", "reduce"])
    let step = try store.take("rename", "hey")
    #expect(step.loggedActions?.map(\.json) == [["type": "rename", "payload": "HEY"]])
    #expect(store.state.settings.title == "HEY")
    #expect(throws: Refusal.rejected(Rejection(reason: "quiet", message: "no"))) {
      try store.take("rename", "quiet")
    }
  }
}
