import DuxJSON
import DuxStore
import Testing

@testable import Counter

/// The counter as the daemon serves it.
struct HostingTests {
  @Test func anActionIsATypeAndChangesGoOutByField() throws {
    var counter = try HostedApp(
      CounterApp(), limits: StateLimits(maximumDepth: 8, maximumBytes: 1_024))
    let action = try WireAction(["type": "add", "payload": 5])
    let step = try counter.dispatch([action], DispatchContext(author: "ann"))
    #expect(
      step.patch.json == [
        ["op": "replace", "path": "/count", "value": 5],
        ["op": "replace", "path": "/statistics/actions", "value": 1],
        ["op": "replace", "path": "/statistics/highest", "value": 5],
      ])
    #expect(
      counter.view == ["count": 5, "statistics": ["actions": 1, "highest": 5, "lowest": 0]])
  }

  @Test(
    arguments: [
      ["type": "multiply"], ["type": "add"], ["type": "add", "payload": "five"],
      ["type": "add", "payload": 1.5],
    ] as [JSON])
  func whatIsNoActionOfACounterIsRefused(json: JSON) throws {
    var counter = try HostedApp(
      CounterApp(), limits: StateLimits(maximumDepth: 8, maximumBytes: 1_024))
    #expect(throws: Refusal.self) {
      try counter.dispatch([try WireAction(json)], DispatchContext(author: "ann"))
    }
    #expect(counter.state == CounterApp.State())
  }
}
