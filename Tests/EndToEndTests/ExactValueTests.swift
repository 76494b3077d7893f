import DuxJSON
import Testing

/// What goes in comes out, byte for byte, also after a crash.
struct ExactValueTests {
  /// JSON texts in canonical form.
  static let values = [
    "-0.0", "0", "0.0", "1", "1.0", "-1", "9223372036854775807", "-9223372036854775808",
    "9007199254740992", "9007199254740993", "9007199254740992.0", "1.7976931348623157e+308",
    "5e-324",
    "2.2250738585072014e-308", "0.1", "0.30000000000000004", "1e+16", "1.5e-05", "\"\"",
    #""\u0000\u001f""#, #""\"\\/""#, "\"\u{1F600}\u{10FFFF}\u{FEFF}\"", "\"\u{7f}\u{2028}\"",
    #"{"":{"":0}}"#, "{\"e\u{301}\":1,\"\u{e9}\":2}", "{\"\u{212b}\":1,\"\u{c5}\":2}".sortedByBytes,
    #"{"a/b":1,"a~b":2,"~0":3,"~1":4}"#, #"{"-":1,"0":2,"00":3,"01":4,"1e0":5}"#, "[]", "{}",
    "[[[[[]]]]]", "[null,true,false]",
  ]

  @Test func valuesComeBackAsTheyWereStored() throws {
    let daemon = try DaemonProcess()
    let client = try Client(daemon, named: "writer")
    for (index, text) in Self.values.enumerated() {
      try client.accepted(.set("/v/\(index)", JSON(parsing: text)))
    }
    for crash in [false, true] {
      if crash { try daemon.killAndStart() }
      let reader = try Client(daemon, named: "reader")
      for (index, text) in Self.values.enumerated() {
        try reader.send(["op": "get", "path": .string("/v/\(index)")])
        let line = String(decoding: try reader.nextLine() ?? [], as: UTF8.self)
        // The bytes, since comparing strings would take equivalent ones for equal.
        let wanted = Array("\"value\":\(text)".utf8)
        #expect(Array(line.utf8).contains(wanted), "\(text) came back as \(line)")
      }
    }
  }

  @Test func minusZeroIsADouble() throws {
    let daemon = try DaemonProcess()
    let client = try Client(daemon, named: nil)
    try client.send(
      raw: #"{"op":"dispatch","action":{"type":"doc/set","payload":{"path":"/z","value":-0}}}"#
        + "\n")
    _ = try client.next("ack")
    #expect(try client.get("/z").value?.bytes == Array("-0.0".utf8))
  }

  @Test func keysThatUnicodeCallsEquivalentStayTwo() throws {
    let daemon = try DaemonProcess()
    let client = try Client(daemon, named: nil)
    let composed = "/\u{e9}"
    let decomposed = "/e\u{301}"
    var replica = Replica(path: composed)
    try client.send(replica.request)
    try replica.take(client.next())
    try client.send(.dispatch([.set(decomposed, 1)]))
    #expect(try client.next()["op"] == "ack", "the other key is not this path")
    try client.send(.dispatch([.set(composed, 2)]))
    try replica.take(client.next())
    #expect(replica.state == 2)
    _ = try client.next("ack")
    #expect(try client.get(decomposed).value == 1)
    #expect(try client.get(composed).value == 2)
    try daemon.killAndStart()
    #expect(try Client(daemon, named: nil).get().value?.objectValue?.count == 2)
  }

  /// A path below `/list` or elsewhere, and why nothing can be set there.
  static let badPlaces: [(path: String, code: String, reason: String?)] = [
    ("/list/3", "rejected", "index_out_of_range"), ("/list/-", "rejected", "index_out_of_range"),
    ("/list/00", "rejected", "index_out_of_range"), ("/list/01", "rejected", "index_out_of_range"),
    ("/list/-1", "rejected", "index_out_of_range"), ("/list/1e0", "rejected", "index_out_of_range"),
    ("/list/x", "rejected", "index_out_of_range"), ("/list/", "rejected", "index_out_of_range"),
    ("/list/99999999999999999999999", "rejected", "index_out_of_range"),
    ("/list/0/x", "rejected", "not_a_container"), ("list", "bad_action", nil),
    ("/~", "bad_action", nil), ("/~2", "bad_action", nil), ("/a~", "bad_action", nil),
  ]

  @Test func placesThatAreNoneAreRefused() throws {
    let scene = try Scene()
    for (index, place) in Self.badPlaces.enumerated() {
      let answer = try scene.offender.dispatch(.set(place.path, 1), n: Int64(index + 1))
      #expect(answer["code"]?.stringValue == place.code, "\(place.path): \(answer)")
      #expect(answer["reason"]?.stringValue == place.reason, "\(place.path): \(answer)")
    }
    try scene.expectUntouched()
  }

  @Test func escapedAndEmptyKeysAreOrdinaryKeys() throws {
    let scene = try Scene()
    for path in ["/~0", "/~1", "/~01", "/", "//", "/a~1b/~0~1", "/ ", "/\u{0}"] {
      try scene.offender.accepted(.set(path, .string(path)))
      try scene.expectStep()
      guard path != "/" else {
        try scene.offender.accepted(.remove(path))
        try scene.expectStep()
        continue
      }
      #expect(try scene.offender.get(path).value == .string(path))
    }
  }
}

extension String {
  /// The members of a flat object of one-digit values, in the order of their bytes.
  fileprivate var sortedByBytes: String {
    let members = dropFirst().dropLast().split(separator: ",")
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return "{" + members.joined(separator: ",") + "}"
  }
}
