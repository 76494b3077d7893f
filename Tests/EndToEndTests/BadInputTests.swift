import DuxJSON
import Testing

/// Whatever is refused is refused by name and harms no one.
struct BadInputTests {
  private static func dispatch(_ value: String) -> String {
    #"{"op":"dispatch","id":7,"action":{"type":"doc/set","payload":{"path":"/v","value":"#
      + value + "}}}\n"
  }

  /// Lines that are no I-JSON within the limits, and the code for each.
  static let badLines: [(line: String, code: String)] = [
    ("\u{1}\u{2}\u{3}\u{7f}garbage\n", "bad_json"),
    ("{\"op\":\"ping\"\n", "bad_json"),
    ("{\"op\":\"ping\"}}\n", "bad_json"),
    ("{\"op\":\"ping\",}\n", "bad_json"),
    ("{'op':'ping'}\n", "bad_json"),
    ("[1,2]\n", "bad_request"),
    ("null\n", "bad_request"),
    ("{\"op\":5}\n", "bad_request"),
    ("{\"op\":\"\"}\n", "unknown_op"),
    ("{\"op\":\"drop table\"}\n", "unknown_op"),
    ("{\"op\":\"ping\",\"op\":\"ping\"}\n", "bad_json"),
    (dispatch(#"{"k":1,"k":2}"#), "bad_json"),
    (dispatch(#"{"k":1,"\u006b":2}"#), "bad_json"),
    (dispatch("\"\u{0}\""), "bad_json"),
    (dispatch("\"\u{1f}\""), "bad_json"),
    (dispatch(#""\ud800""#), "bad_json"),
    (dispatch(#""\udc00\ud800""#), "bad_json"),
    (dispatch(#"{"\ud800":1}"#), "bad_json"),
    (dispatch(#""\x""#), "bad_json"),
    (dispatch("9223372036854775808"), "bad_json"),
    (dispatch("-9223372036854775809"), "bad_json"),
    (dispatch("1e309"), "bad_json"),
    (dispatch("-1e999999999999"), "bad_json"),
    (dispatch("01"), "bad_json"),
    (dispatch("+1"), "bad_json"),
    (dispatch("1."), "bad_json"),
    (dispatch(".5"), "bad_json"),
    (dispatch("NaN"), "bad_json"),
    (dispatch("Infinity"), "bad_json"),
    (dispatch("-"), "bad_json"),
    (dispatch(String(repeating: "[", count: 10_000)), "too_deep"),
    (dispatch(nested(10_000)), "too_deep"),
    (dispatch(nested(129)), "too_deep"),
  ]

  private static func nested(_ levels: Int) -> String {
    String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
  }

  @Test func aBadLineGetsOneErrorAndTheConnectionGoesOn() throws {
    let scene = try Scene()
    for (line, code) in Self.badLines {
      try scene.offender.send(raw: line)
      try scene.offender.send(["op": "ping", "id": "next"])
      let answer = try scene.offender.next()
      #expect(answer["code"]?.stringValue == code, "\(line.prefix(200)) got \(answer)")
      #expect(answer["message"]?.stringValue?.isEmpty == false)
      #expect(try scene.offender.next()["id"] == "next")
    }
    try scene.expectUntouched()
  }

  @Test func bytesThatAreNotUTF8AreRefused() throws {
    let scene = try Scene()
    for bytes: [UInt8] in [
      [0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82],
    ] {
      try scene.offender.send(
        raw: Array("{\"op\":\"ping\",\"x\":\"".utf8) + bytes + Array("\"}\n".utf8))
      #expect(try scene.offender.next()["code"] == "bad_json", "\(bytes)")
    }
    try scene.expectUntouched()
  }

  @Test func twentyBadLinesInARowEndTheConnection() throws {
    let scene = try Scene()
    var seed = Seed(4)
    for _ in 0..<20 {
      let bytes = (0..<50).map { _ in UInt8.random(in: 11...255, using: &seed) }
      try scene.offender.send(raw: bytes + [10])
    }
    for _ in 0..<20 { #expect(try scene.offender.next()["op"] == "error") }
    let bye = try scene.offender.expectBye("bad_request")
    #expect(bye["retryMs"] == nil)
    try scene.expectUntouched()
  }

  @Test func aLineCutOffByTheEndIsNoLine() throws {
    let scene = try Scene()
    let line = JSON.dispatch([.set("/a", 2)], n: 1).bytes
    for length in stride(from: 1, through: line.count, by: 13) {
      let client = try scene.another()
      try client.send(raw: line[..<length])
      client.socket.finishSending()
      try client.expectEnd()
    }
    try scene.expectUntouched()
  }

  @Test func anEndlessLineIsCutOffAndCostsNoMemory() throws {
    let scene = try Scene()
    let before = try scene.daemon.peakMemory
    let block = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    for _ in 0..<100 { try scene.offender.send(raw: block) }
    #expect(try scene.offender.next()["code"] == "line_too_long")
    try scene.offender.expectBye("line_too_long")
    try #expect(scene.daemon.peakMemory - before < 16 << 20)
    try scene.expectUntouched()
  }

  @Test func aLongLineEndsTheConnectionAlsoWhenItsEndHasCome() throws {
    let scene = try Scene()
    let padding = String(repeating: "x", count: 1 << 20)
    try scene.offender.send(raw: #"{"op":"ping","pad":"\#(padding)"}"# + "\n")
    #expect(try scene.offender.next()["code"] == "line_too_long")
    try scene.offender.expectBye("line_too_long")
    try scene.expectUntouched()
  }

  @Test func theDepthOfTheStateIsLimitedHoweverItIsReached() throws {
    let scene = try Scene()
    var path = ""
    var value: JSON = 0
    for _ in 0..<50 { value = ["k": value] }
    for _ in 0..<2 {
      path += String(repeating: "/k", count: 50)
      let shorter = String(path.dropLast(98))
      try scene.offender.accepted(.set(shorter, value))
      try scene.expectStep()
    }
    let refusal = try scene.offender.dispatch(.set(path, value), n: 1)
    #expect(refusal["op"] == "reject")
    #expect(refusal["code"] == "too_deep")
    try scene.expectUntouched()
    // A patch that doubles the depth at each step.
    let deepening: [JSON] = (0..<4).map { _ in ["op": "copy", "from": "/k", "path": .string(path)] }
    #expect(try scene.offender.dispatch(.patch(deepening), n: 2)["code"] == "too_deep")
    try scene.expectUntouched()
  }

  @Test func aPatchThatExplodesIsRefusedQuicklyAndInLittleMemory() throws {
    let scene = try Scene(["--max-state", "1000000"], state: ["x": "0123456789"])
    let before = try scene.daemon.peakMemory
    let doubling: [JSON] = (0..<100).map { step in
      ["op": "copy", "from": "", "path": .string("/d\(step)")]
    }
    let start = ContinuousClock.now
    let wide = try scene.offender.dispatch(.patch(doubling), n: 1)
    #expect(wide["code"] == "too_large" || wide["code"] == "too_deep", "\(wide)")
    let flat: JSON = .patch(
      [["op": "add", "path": "/l", "value": [["x"]]]]
        + (0..<100).flatMap { step -> [JSON] in
          [
            ["op": "copy", "from": "/l", "path": .string("/m\(step)")],
            ["op": "copy", "from": .string("/m\(step)"), "path": "/l/0/0"],
          ]
        })
    let answer = try scene.offender.dispatch(flat, n: 2)
    #expect(answer["code"] == "too_large" || answer["code"] == "too_deep", "\(answer)")
    #expect(ContinuousClock.now - start < .seconds(10))
    try #expect(scene.daemon.peakMemory - before < 64 << 20)
    try scene.expectUntouched()
  }

  @Test func theSizeOfTheStateIsLimitedHoweverItIsReached() throws {
    let scene = try Scene(["--max-state", "100000"], state: ["list": []])
    let block = JSON.string(String(repeating: "x", count: 30_000))
    for _ in 0..<3 {
      try scene.offender.accepted(.append("/list", block))
      try scene.expectStep()
    }
    #expect(try scene.offender.dispatch(.append("/list", block), n: 1)["code"] == "too_large")
    try scene.expectUntouched()
    try scene.offender.accepted(.remove("/list/0"))
    try scene.expectStep()
  }

  @Test func aPatchThatFailsInItsLastOperationChangesNothing() throws {
    let scene = try Scene()
    let operations: [JSON] = [
      ["op": "add", "path": "/b", "value": 2], ["op": "remove", "path": "/list/0"],
      ["op": "move", "from": "/a", "path": "/moved"],
      ["op": "test", "path": "/b", "value": 3],
    ]
    let refusal = try scene.offender.dispatch(.patch(operations), n: 1)
    #expect(refusal["code"] == "rejected")
    #expect(refusal["reason"] == "test_failed")
    try scene.expectUntouched()
    let batch = try scene.offender.ask(
      .dispatch([.set("/b", 1), .increment("/a"), .remove("/nothing")], n: 2))
    #expect(batch["reason"] == "missing")
    #expect(batch["message"]?.stringValue?.contains("2") == true, "names the action: \(batch)")
    try scene.expectUntouched()
  }
}
