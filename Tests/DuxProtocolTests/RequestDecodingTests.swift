import DuxJSON
import DuxLog
import DuxProtocol
import Testing

struct RequestDecodingTests {
  @Test func `reads hello with and without a name`() throws {
    guard case .hello(let named) = try request(#"{"op":"hello","protocol":1,"client":"tty1"}"#),
      case .hello(let anonymous) = try request(#"{"protocol":1,"op":"hello","more":[1]}"#)
    else {
      Issue.record("no hello")
      return
    }
    #expect(named.version == 1)
    #expect(named.client == "tty1")
    #expect(anonymous.client == nil)
  }

  @Test func `quotes little of a long text though it is one character`() throws {
    let text = "e" + String(repeating: "\u{301}", count: 10_000)
    let error = #expect(throws: RequestError.self) {
      try request(#"{"op":"hello","protocol":"\#(text)"}"#)
    }
    #expect((error?.message.utf8.count ?? .max) < 1_000)
  }

  @Test func `looks at nothing but the version of another version's hello`() throws {
    guard case .hello(let hello) = try request(#"{"op":"hello","protocol":2,"client":[]}"#) else {
      Issue.record("no hello")
      return
    }
    #expect(hello.version == 2)
  }

  @Test(arguments: [
    "", String(repeating: "x", count: 129), "a\\u0000", "a\\n", "\\u001f", "\\u007f", "\\u0085",
    "\\u009f", "@", "@duxd", "@\\u0301",
  ])
  func `refuses a client name that is empty, long, reserved or holds control characters`(
    name: String
  ) {
    let error = refusal(#"{"op":"hello","protocol":1,"client":"\#(name)"}"#)
    #expect(error?.code == .badRequest)
    #expect(error?.message.contains("client") == true)
  }

  @Test(arguments: ["a", String(repeating: "é", count: 64), "a b/c~", "\u{a0}", "\\u0020", "a@"])
  func `takes a client name of 1 to 128 bytes`(name: String) {
    #expect(refusal(#"{"op":"hello","protocol":1,"client":"\#(name)"}"#) == nil)
  }

  @Test func `reads subscribe with its defaults`() throws {
    guard case .subscribe(let subscribe) = try request(#"{"op":"subscribe"}"#) else {
      Issue.record("no subscribe")
      return
    }
    #expect(subscribe.path == .root)
    #expect(subscribe.position == nil)
    #expect(!subscribe.withActions)
  }

  @Test func `reads subscribe with all it may have`() throws {
    let line = #"{"op":"subscribe","path":"/a~1b","since":7,"epoch":"e","actions":true}"#
    guard case .subscribe(let subscribe) = try request(line) else {
      Issue.record("no subscribe")
      return
    }
    #expect(subscribe.path == JSONPointer(tokens: ["a/b"]))
    #expect(subscribe.position == Request.Position(epoch: "e", seq: SequenceNumber(7)))
    #expect(subscribe.withActions)
  }

  @Test func `reads get, log, unsubscribe, ping and status`() throws {
    guard case .get(let path, let seq) = try request(#"{"op":"get","path":"/a","at":3}"#),
      case .get(.root, nil) = try request(#"{"op":"get"}"#),
      case .unsubscribe(let other) = try request(#"{"op":"unsubscribe","path":""}"#),
      case .ping = try request(#"{"op":"ping"}"#), case .status = try request(#"{"op":"status"}"#)
    else {
      Issue.record("not what was asked")
      return
    }
    #expect(path == JSONPointer(tokens: ["a"]))
    #expect(seq == SequenceNumber(3))
    #expect(other == .root)
  }

  @Test func `reads a log's range with its defaults`() throws {
    guard case .log(let all) = try request(#"{"op":"log"}"#),
      case .log(let later) = try request(#"{"op":"log","after":5,"limit":1}"#),
      case .log(let timed) = try request(#"{"op":"log","from":-3,"limit":1000000}"#),
      case .after(.zero) = all.start, case .after(SequenceNumber(5)) = later.start,
      case .time(-3) = timed.start
    else {
      Issue.record("not what was asked")
      return
    }
    #expect((all.limit, later.limit, timed.limit) == (100, 1, 1_000_000))
  }

  @Test func `reads effects with its default, and cancel`() throws {
    guard case .effects(let usual) = try request(#"{"op":"effects"}"#),
      case .effects(let most) = try request(#"{"op":"effects","limit":10000}"#),
      case .cancel(let key) = try request(#"{"op":"cancel","key":"a\nb"}"#)
    else {
      Issue.record("not what was asked")
      return
    }
    #expect((usual, most) == (1_000, 10_000))
    #expect(key == "a\nb")
  }

  @Test(arguments: [
    (#"{"op":"hello"}"#, "protocol"),
    (#"{"op":"hello","protocol":"1"}"#, "protocol"),
    (#"{"op":"hello","protocol":1.0}"#, "protocol"),
    (#"{"op":"hello","protocol":1,"client":5}"#, "client"),
    (#"{"op":"subscribe","path":3}"#, "path"),
    (#"{"op":"subscribe","path":"a"}"#, "path"),
    (#"{"op":"subscribe","path":"/~2"}"#, "path"),
    (#"{"op":"subscribe","since":1}"#, "epoch"),
    (#"{"op":"subscribe","epoch":"e"}"#, "since"),
    (#"{"op":"subscribe","since":-1,"epoch":"e"}"#, "since"),
    (#"{"op":"subscribe","since":1.0,"epoch":"e"}"#, "since"),
    (#"{"op":"subscribe","since":1,"epoch":2}"#, "epoch"),
    (#"{"op":"subscribe","actions":1}"#, "actions"),
    (#"{"op":"unsubscribe"}"#, "path"),
    (#"{"op":"unsubscribe","path":null}"#, "path"),
    (#"{"op":"get","at":-1}"#, "at"),
    (#"{"op":"get","at":"1"}"#, "at"),
    (#"{"op":"log","after":-1}"#, "after"),
    (#"{"op":"log","from":"yesterday"}"#, "from"),
    (#"{"op":"log","after":1,"from":1}"#, "from"),
    (#"{"op":"log","limit":0}"#, "limit"),
    (#"{"op":"log","limit":1000001}"#, "limit"),
    (#"{"op":"effects","limit":0}"#, "limit"),
    (#"{"op":"effects","limit":10001}"#, "limit"),
    (#"{"op":"effects","limit":1.0}"#, "limit"),
    (#"{"op":"cancel"}"#, "key"),
    (#"{"op":"cancel","key":7}"#, "key"),
    (#"{"op":"cancel","key":null}"#, "key"),
    (#"{"op":"dispatch"}"#, "action"),
    (#"{"op":"dispatch","action":{},"actions":[{}]}"#, "actions"),
    (#"{"op":"dispatch","actions":[]}"#, "actions"),
    (#"{"op":"dispatch","actions":{}}"#, "actions"),
    (#"{"op":"dispatch","n":0,"action":{}}"#, "n"),
    (#"{"op":"dispatch","n":-1,"action":{}}"#, "n"),
    (#"{"op":"dispatch","n":1.0,"action":{}}"#, "n"),
    (#"{"op":"dispatch","n":null,"action":{}}"#, "n"),
    (#"{"op":"dispatch","action":{},"if":{}}"#, "if"),
    (#"{"op":"dispatch","action":{},"if":[1]}"#, "if"),
    (#"{"op":"dispatch","action":{},"if":[{"value":1}]}"#, "path"),
    (#"{"op":"dispatch","action":{},"if":[{"path":"/a"}]}"#, "value"),
    (#"{"op":"dispatch","action":{},"if":[{"path":"/a","missing":false}]}"#, "missing"),
    (#"{"op":"dispatch","action":{},"if":[{"path":"/a","value":1,"missing":true}]}"#, "missing"),
    (#"{"op":"dispatch","action":{},"if":[{"path":"a","value":1}]}"#, "path"),
    (#"{"op":7}"#, "op"),
    (#"{"id":1}"#, "op"),
    (#"{"op":"ping","id":1.5}"#, "id"),
    (#"{"op":"ping","id":null}"#, "id"),
  ])
  func `names the member that is missing or wrong`(line: String, member: String) {
    let error = refusal(line)
    #expect(error?.code == .badRequest)
    #expect(error?.message.contains("\"\(member)\"") == true, "\(error?.message ?? "taken")")
  }

  @Test func `tells what it knows to a request of an unknown kind`() {
    let error = refusal(#"{"op":"jump"}"#)
    #expect(error?.code == .unknownOp)
    #expect(error?.message.contains("\"jump\"") == true)
    #expect(error?.message.contains("dispatch") == true)
  }

  @Test(arguments: ["[]", "1", "\"op\"", "null"])
  func `refuses a line that is JSON but no object`(line: String) {
    #expect(refusal(line)?.code == .badRequest)
  }

  @Test(arguments: [
    "{", "hello", #"{"op":"ping","op":"ping"}"#, #"{"op":"ping"} x"#, "{\"op\":\"\u{1}\"}",
    #"{"op":"ping","x":9223372036854775808}"#, #"{"op":"ping","x":1e999}"#, #"{"op":"\ud800"}"#,
  ])
  func `refuses a line that is no I-JSON`(line: String) {
    #expect(refusal(line)?.code == .badJSON)
  }

  @Test func `refuses a line that nests eight levels deeper than a value may`() {
    func nested(_ depth: Int) -> String {
      let brackets = String(repeating: "[", count: depth)
      return #"{"op":"ping","x":\#(brackets)\#(String(repeating: "]", count: depth))}"#
    }
    #expect(refusal(nested(23)) == nil)
    #expect(refusal(nested(24))?.code == .tooDeep)
  }

  @Test func `gives back the id whether the request is taken or not`() {
    #expect(decoded(#"{"op":"ping","id":"x"}"#).id == .string("x"))
    #expect(decoded(#"{"op":"nonsense","id":-7}"#).id == .integer(-7))
    #expect(decoded(#"{"op":"get","at":"x","id":"e\u0301"}"#).id == .string("e\u{301}"))
    #expect(decoded(#"{"op":"ping"}"#).id == nil)
    #expect(decoded("nonsense").id == nil)
  }
}
