import DuxJSON
import DuxLog
import DuxProtocol
import Testing

/// What is said and asked of presence, and how it is read by those who follow it.
struct PresenceLineTests {
  @Test(arguments: [
    (#"{"op":"presence","state":{"a":1}}"#, "{\"a\":1}"), (#"{"op":"presence"}"#, nil),
    (#"{"op":"presence","state":null}"#, nil), (#"{"op":"presence","state":false}"#, "false"),
  ])
  func `null and nothing are the same, any other value is one`(line: String, state: String?) {
    guard case .success(.presence(let said)) = decoded(line).result else {
      Issue.record("not taken: \(line)")
      return
    }
    #expect(said?.description == state)
  }

  @Test func `a refusal names the limit`() {
    let long = refusal(#"{"op":"presence","state":"\#(String(repeating: "x", count: 4_095))"}"#)
    #expect(long?.code == .tooLarge)
    #expect(long?.message.contains("4096") == true)
    let depth = Limits.test.maximumDepth + 1
    let brackets = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let deep = refusal(#"{"op":"presence","state":\#(brackets)}"#)
    #expect(deep?.code == .tooDeep)
    #expect(deep?.message.contains("at most \(depth - 1) are taken") == true)
  }

  @Test func `it is followed by a path that no pointer can be`() {
    guard
      case .success(.subscribeToPresence(let position)) = decoded(
        #"{"op":"subscribe","path":"@presence","since":3,"epoch":"r"}"#
      ).result
    else {
      Issue.record("not taken")
      return
    }
    #expect(position?.seq.value == 3)
    guard
      case .success(.unsubscribeFromPresence) = decoded(
        #"{"op":"unsubscribe","path":"@presence"}"#
      ).result
    else {
      Issue.record("not taken")
      return
    }
    #expect(refusal(#"{"op":"subscribe","path":"@presence","since":3}"#)?.code == .badRequest)
    #expect(refusal(#"{"op":"subscribe","path":"@presence","actions":true}"#)?.code == .badRequest)
    #expect(refusal(#"{"op":"subscribe","path":"@presences"}"#)?.code == .badRequest)
  }

  @Test func `who is connected is read in the order of the names`() throws {
    let clients = try PresentClient.all(in: [
      "b": ["serial": 2, "sinceMs": 7, "state": [1]], "a": ["serial": 3, "sinceMs": 9, "x": 1],
    ])
    #expect(clients.map(\.client) == ["a", "b"])
    #expect(clients[1].json == ["client": "b", "serial": 2, "sinceMs": 7, "state": [1]])
    for wrong: JSON? in [nil, [], ["a": 1], ["a": ["serial": 1]]] {
      #expect(throws: RequestError.self) { try PresentClient.all(in: wrong) }
    }
  }
}
