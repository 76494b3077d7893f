import DuxJSON
import DuxLog
import DuxProtocol
import Testing

/// What a client writes is what a server reads.
struct ClientLineTests {
  private func read(_ body: (inout LineWriter) -> Void) throws -> Request {
    try request(String(decoding: written(body).dropLast(), as: UTF8.self))
  }

  @Test func `hello and subscribe`() throws {
    let path = JSONPointer(tokens: ["a/b", "~", ""])
    let position = Request.Position(epoch: "e\"", seq: SequenceNumber(4))
    guard case .hello(let hello) = try read({ $0.hello(client: "me") }),
      case .subscribe(let subscribe) = try read({
        $0.subscribe(path: path, position: position, withActions: true)
      }), case .unsubscribe(let ended) = try read({ $0.unsubscribe(path: path) })
    else {
      Issue.record("not what was written")
      return
    }
    #expect((hello.version, hello.client) == (1, "me"))
    #expect(subscribe.path == path)
    #expect(subscribe.position == position)
    #expect(subscribe.withActions)
    #expect(ended == path)
  }

  @Test func `dispatch of one action, and of several with conditions`() throws {
    let condition: JSON = ["path": "/a", "missing": true]
    guard
      case .dispatch(let one) = try read({
        $0.dispatch(n: 5, actions: [["type": "t"]], preconditions: [])
      }),
      case .dispatch(let two) = try read({
        $0.dispatch(n: nil, actions: [1, 2], preconditions: [condition])
      })
    else {
      Issue.record("not what was written")
      return
    }
    #expect((one.n, one.actions) == (5, [["type": "t"]]))
    #expect((two.n, two.actions) == (nil, [1, 2]))
    #expect(two.preconditions.map(\.path) == [JSONPointer(tokens: ["a"])])
  }

  @Test func `effects and cancel`() throws {
    guard case .effects(let limit) = try read({ $0.effects(limit: 7, id: nil) }),
      case .cancel(let key) = try read({ $0.cancel(key: "k\"\u{1}", id: nil) })
    else {
      Issue.record("not what was written")
      return
    }
    #expect((limit, key) == (7, "k\"\u{1}"))
  }

  @Test func `get, log, effects, cancel, ping and status carry their ids`() throws {
    let lines = [
      written { $0.get(path: .root, at: SequenceNumber(2), id: .integer(1)) },
      written { $0.log(.init(start: .time(5), limit: 6), id: .integer(1)) },
      written { $0.log(.init(start: .after(.zero), limit: 6), id: .integer(1)) },
      written { $0.effects(limit: 1, id: .integer(1)) },
      written { $0.cancel(key: "k", id: .integer(1)) },
      written { $0.ping(id: .integer(1)) }, written { $0.status(id: .integer(1)) },
    ]
    for line in lines {
      let read = decoded(String(decoding: line.dropLast(), as: UTF8.self))
      #expect(read.id == .integer(1))
      _ = try read.result.get()
    }
  }
}
