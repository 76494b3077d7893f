import DuxJSON
import Testing

@testable import DuxEngine

struct StatesBetweenTests {
  private static let states: [JSON] = [
    ["list": []], ["list": [1]], ["list": [2, 1]], ["list": [2, 1], "a": 1], ["a": 1],
  ]

  private static let changes = zip(states, states.dropFirst()).map { before, after in
    Group.Change(types: .one("t"), patch: .diff(from: before, to: after))
  }

  private func between() -> StatesBetween {
    StatesBetween(Self.changes) { (Self.states[0], Self.states[4]) }
  }

  @Test func `gives every state before and after a step, as often as it is asked`() {
    var states = between()
    for step in Self.changes.indices {
      for _ in 0..<2 {
        #expect(states.state(before: step) == Self.states[step])
        #expect(states.state(after: step) == Self.states[step + 1])
      }
    }
  }

  @Test func `steps that nobody asks about are passed over`() {
    var states = between()
    #expect(states.state(after: 0) == Self.states[1])
    #expect(states.state(before: 3) == Self.states[3])
    #expect(states.state(after: 3) == Self.states[4])
  }

  @Test func `a patch that does not fit leads to the last state`() {
    let patch = JSONPatch(operations: [.remove(path: JSONPointer(tokens: ["nowhere"]))])
    let change = Group.Change(types: .one("t"), patch: patch)
    var states = StatesBetween([change, change]) { ([:], ["a": 1]) }
    #expect(states.state(after: 0) == ["a": 1])
    #expect(states.state(before: 1) == ["a": 1])
  }
}
