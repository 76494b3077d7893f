import DuxJSON
import DuxStore
import Foundation
import Testing

/// An app that has leases beside its state.
struct LeasedAppTests {
  private typealias Document = HostedApp<Leased<DocumentApp>>

  private func document(_ view: JSON = [:]) throws -> Document {
    var store = try HostedApp(
      Leased(DocumentApp(limits: .wide)), limits: .wide, dependencies: counting())
    _ = try store.restore(view: view, version: 1)
    return store
  }

  private func acquire(_ name: String, ttlMs: Int64 = 1_000) -> JSON {
    ["name": .string(name), "ttlMs": .integer(ttlMs)]
  }

  private func refusal(
    of type: String, _ payload: JSON?, in store: Document
  ) throws -> Refusal? {
    var copy = store
    do throws(Refusal) {
      _ = try copy.take(type, payload)
      return nil
    } catch {
      #expect(copy.view == store.view)
      return error
    }
  }

  private func reason(of type: String, _ payload: JSON?, in store: Document) throws -> String? {
    guard case .rejected(let rejection) = try refusal(of: type, payload, in: store) else {
      return nil
    }
    return rejection.reason
  }

  @Test func `without leases the view and the patches are the app's own`() throws {
    var plain = try store(["a": 1])
    var leased = try document(["a": 1])
    for (type, payload) in [
      ("doc/set", ["path": "/b/c", "value": 2]), ("doc/increment", ["path": "/a"]),
      ("doc/remove", ["path": "/b"]),
    ] as [(String, JSON)] {
      let patch = try plain.take(type, payload)
      #expect(try leased.take(type, payload).patch == patch)
      #expect(leased.view == plain.view)
    }
    #expect(leased.appName == "document")
    #expect(leased.pipeline == plain.pipeline)
  }

  @Test func `a lease is a member of the view while it is held, the last fence stays`() throws {
    var store = try document(["a": 1])
    let step = try store.take("@lease/acquire", acquire("deploy"), by: "ada")
    #expect(
      store.view["@leases"] == [
        "deploy": ["holder": "ada", "fence": 1, "expiresMs": 2_000, "ttlMs": 1_000]
      ])
    #expect(store.view["@fence"] == 1)
    #expect(store.view["a"] == 1)
    #expect(step.loggedActions?.first?.json["meta"]?["dux"]?["inputs"]?["date"] == [1_000])
    _ = try store.take("@lease/release", ["name": "deploy", "fence": 1])
    #expect(store.view == ["a": 1, "@fence": 1])
    _ = try store.take("@lease/acquire", acquire("other"), by: "bob")
    #expect(store.view["@leases"]?["other"]?["fence"] == 2)
  }

  @Test func `a holder may call itself otherwise`() throws {
    var store = try document()
    _ = try store.take(
      "@lease/acquire", ["name": "n", "ttlMs": 5, "holder": "machine 7"], by: "ada")
    #expect(store.view["@leases"]?["n"]?["holder"] == "machine 7")
  }

  @Test func `a refusal says who holds it and for how long, or why it is lost`() throws {
    var store = try document()
    _ = try store.take("@lease/acquire", acquire("deploy", ttlMs: 60_000), by: "ada")
    let held = try #require(try refusal(of: "@lease/acquire", acquire("deploy"), in: store))
    for text in ["\"deploy\"", "\"ada\"", "fence 1", "another 59 s"] {
      #expect(held.message.contains(text), "\(held.message)")
    }
    let lost = try #require(
      try refusal(of: "@lease/renew", ["name": "deploy", "fence": 7], in: store))
    #expect(lost.message.contains("not held under fence 7: \"ada\" holds it under fence 1"))
    #expect(
      try reason(of: "@lease/release", ["name": "no", "fence": 1], in: store) == "lease_lost")
  }

  @Test func `payloads are held to their shape, naming the member`() throws {
    let store = try document()
    let long = String(repeating: "x", count: 129)
    for (type, payload, text) in [
      ("@lease/acquire", nil, "payload"), ("@lease/acquire", ["ttlMs": 1], "name"),
      ("@lease/acquire", ["name": "", "ttlMs": 1], "name"),
      ("@lease/acquire", ["name": .string(long), "ttlMs": 1], "name"),
      ("@lease/acquire", ["name": "a\u{7}", "ttlMs": 1], "name"),
      ("@lease/acquire", ["name": "a"], "ttlMs"),
      ("@lease/acquire", acquire("a", ttlMs: 0), "ttlMs"),
      ("@lease/acquire", acquire("a", ttlMs: 604_800_001), "ttlMs"),
      ("@lease/acquire", ["name": "a", "ttlMs": 1.0], "ttlMs"),
      ("@lease/acquire", ["name": "a", "ttlMs": 1, "holder": 1], "holder"),
      ("@lease/renew", ["name": "a"], "fence"),
      ("@lease/renew", ["name": "a", "fence": 0], "fence"),
      ("@lease/release", ["name": "a", "fence": "1"], "fence"),
    ] as [(String, JSON?, String)] {
      let refused = try #require(try refusal(of: type, payload, in: store))
      guard case .badAction(let message) = refused else {
        Issue.record("\(refused)")
        continue
      }
      #expect(message.contains(text) && message.contains(type), "\(message)")
    }
    let unknown = try refusal(of: "@lease/steal", ["name": "a"], in: store)
    guard case .unknownAction = unknown else {
      Issue.record("\(String(describing: unknown))")
      return
    }
  }

  @Test func `a lease and the app's actions can be one step, all of it or nothing`() throws {
    var store = try document(["n": 0])
    let context = DispatchContext(author: "ada")
    let lease = LeaseAction.acquire(name: "a", ttlMs: 10).wire
    let write = try WireAction(["type": "doc/increment", "payload": ["path": "/n"]])
    _ = try store.dispatch([lease, write], context)
    #expect(store.view["n"] == 1)
    #expect(throws: Refusal.self) { _ = try store.dispatch([write, lease], context) }
    #expect(store.view["n"] == 1)
  }

  @Test func `the document can't write what belongs to leases, and keeps them when it is replaced`()
    throws
  {
    var store = try document()
    let reserved = Set(
      try ["/@leases", "/@leases/x", "/@fence"].map {
        try reason(of: "doc/set", ["path": .string($0), "value": 1], in: store)
      })
    #expect(reserved == ["reserved"])
    _ = try store.take("@lease/acquire", acquire("a"), by: "ada")
    #expect(
      try reason(of: "doc/set", ["path": "", "value": ["@leases": [:]]], in: store) == "reserved")
    #expect(try reason(of: "doc/remove", ["path": "/@leases"], in: store) == "missing")
    _ = try store.take("doc/set", ["path": "", "value": ["b": 2]])
    #expect(store.view["@leases"]?["a"] != nil)
    #expect(store.view["b"] == 2)
  }

  @Test func `a document from before leases that has such a member starts, and is told`() throws {
    for old in [
      ["@leases": "mine", "a": 1], ["@fence": "x"], ["@leases": [:]], ["@fence": 0],
      ["@leases": ["a": ["holder": "x", "fence": 1, "expiresMs": 1, "ttlMs": 1]]],
      ["@leases": ["a": ["holder": "x", "fence": 2, "expiresMs": 1, "ttlMs": 1]], "@fence": 1],
    ] as [JSON] {
      var store = try document(old)
      #expect(store.view == old)
      #expect(try reason(of: "@lease/acquire", acquire("a"), in: store) == "reserved")
      _ = try store.take("doc/set", ["path": "/a", "value": 2])
      for name in ["@leases", "@fence"] where store.view[name] != nil {
        _ = try store.take("doc/remove", ["path": .string("/" + name)])
      }
      #expect(
        try reason(of: "doc/set", ["path": "/@leases", "value": 1], in: store) == "reserved")
      _ = try store.take("@lease/acquire", acquire("a"), by: "ada")
      #expect(store.view["@leases"]?["a"]?["fence"] == 1)
    }
  }

  @Test func `an app whose state begins with such a member is refused`() throws {
    struct Reserved: App {
      let name = "reserved"
      let initialState: JSON = ["@leases": [:]]
      func action(from wire: WireAction) throws(Refusal) -> Int { 0 }
      func wireAction(of action: Int) -> WireAction {
        LeaseAction.release(name: "a", fence: 1).wire
      }
      func view(of state: JSON) -> JSON { state }
      func state(fromView view: JSON) -> JSON { view }
      func reduce(into state: inout JSON, action: Int) -> Effect<Int> { .none }
    }
    _ = try HostedApp(Reserved(), limits: .wide)
    #expect(throws: AppFault.self) { _ = try HostedApp(Leased(Reserved()), limits: .wide) }
  }

  @Test func `slices that the app does not know are kept beside leases, over a restart`() throws {
    func make() throws -> HostedApp<Leased<NotesApp>> {
      try HostedApp(Leased(NotesApp()), limits: .roomy, dependencies: counting())
    }
    var store = try make()
    guard case .object(var members) = store.view else { return }
    members["polls"] = ["open": [1, 2, 3]]
    #expect(try store.restore(view: .object(members), version: 1).operations.isEmpty)
    #expect(store.unknownSlices == ["polls"])
    _ = try store.take("@lease/acquire", acquire("a"), by: "ada")
    _ = try store.take("rename", "x")
    var again = try make()
    #expect(try again.restore(view: store.view, version: 1).operations.isEmpty)
    #expect(again.unknownSlices == ["polls"])
    #expect(again.view == store.view)
    #expect(again.state.leases["a"]?.holder == "ada")
    #expect(again.state.hosted.settings.title == "x")
  }

  @Test func `an unknown slice of that name stays what it is, and there are no leases`() throws {
    var store = try HostedApp(Leased(NotesApp()), limits: .roomy, dependencies: counting())
    guard case .object(var members) = store.view else { return }
    members["@leases"] = "old"
    _ = try store.restore(view: .object(members), version: 1)
    #expect(store.unknownSlices == ["@leases"])
    _ = try store.take("rename", "x")
    #expect(throws: Refusal.self) { _ = try store.take("@lease/acquire", acquire("a")) }
    #expect(store.view["@leases"] == "old")
  }

  @Test func `migrations see the app's part alone`() throws {
    struct Second: App {
      let name = "document"
      let version = 2
      let initialState: JSON = [:]
      func action(from wire: WireAction) throws(Refusal) -> Int { 0 }
      func wireAction(of action: Int) -> WireAction {
        LeaseAction.release(name: "a", fence: 1).wire
      }
      func view(of state: JSON) -> JSON { state }
      func state(fromView view: JSON) -> JSON { view }
      func reduce(into state: inout JSON, action: Int) -> Effect<Int> { .none }
      func migrate(_ state: JSON, from version: Int) throws -> JSON { ["old": state] }
    }
    var first = try document(["a": 1])
    _ = try first.take("@lease/acquire", acquire("n"), by: "ada")
    var second = try HostedApp(Leased(Second()), limits: .wide)
    _ = try second.restore(view: first.view, version: 1)
    #expect(second.view["old"] == ["a": 1])
    #expect(second.view["@leases"] == first.view["@leases"])
    #expect(second.view["@fence"] == 1)
  }

  @Test func `the app's stages see its own actions and states`() throws {
    struct Shout: Middleware {
      let name = "shout"
      func process(
        _ action: NotesApp.Action, in state: NotesApp.State, _ context: DispatchContext
      ) throws -> Passage<NotesApp.Action> {
        guard case .rename(let title) = action else { return .pass(.send(.noop)) }
        return .replace(with: .rename(title + state.settings.title), .send(.noop))
      }
    }
    var store = try HostedApp(
      Leased(NotesApp(middleware: [Shout()])), limits: .roomy, dependencies: counting())
    #expect(store.pipeline == ["shout", "reduce"])
    let step = try store.take("rename", "my ")
    #expect(step.loggedActions?.map(\.json) == [["type": "rename", "payload": "my notes"]])
    guard case .send(.success(let sent)) = step.effect.node else {
      Issue.record("\(step.effect)")
      return
    }
    #expect(sent.type == "noop")
    let lease = try store.take("@lease/acquire", acquire("a"))
    guard case .scoped = lease.effect.node else {
      Issue.record("\(lease.effect)")
      return
    }
    #expect(store.anyState is NotesApp.State)
  }
}
