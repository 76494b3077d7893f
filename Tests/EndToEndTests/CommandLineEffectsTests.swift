import DuxJSON
import Testing

/// `dux effects` and `dux effects cancel`, with a server of the test's own in the daemon's place.
struct CommandLineEffectsTests {
  private static func effect(_ key: String) -> JSON {
    [
      "key": .string(key), "kind": "command", "name": "Fetch", "state": "running", "scope": "",
      "cause": 3, "author": "tty1", "action": "fetch", "attempts": 1, "news": true,
    ]
  }

  /// A daemon whose effects are `keys`, and that knows no others to cancel.
  private func daemon(_ keys: [String], hasMore: Bool = false) throws -> FakeDaemon {
    try FakeDaemon { request in
      var answer: JSONObject = ["id": request["id"] ?? 0]
      switch request["op"]?.stringValue {
      case "effects":
        answer["op"] = "effects"
        answer["seq"] = 9
        answer["effects"] = .array(JSONArray(keys.map(Self.effect)))
        if hasMore { answer["more"] = true }
      case "cancel":
        let key = request["key"]?.stringValue ?? ""
        answer["op"] = keys.contains(key) ? "cancelled" : "error"
        answer["key"] = keys.contains(key) ? .string(key) : nil
        answer["code"] = keys.contains(key) ? nil : "not_found"
        answer["message"] = keys.contains(key) ? nil : .string("no effect has the key \(key)")
      case "ping": answer["op"] = "pong"
      default: return [FakeDaemon.welcome(request)]
      }
      return [.object(answer)]
    }
  }

  @Test func effectsAreListedForPeopleAndForPrograms() throws {
    let fake = try daemon(["a", "b"], hasMore: true)
    let dux = CommandLine(place: fake.place)
    let table = try dux("effects")
    #expect(table.end == .code(0), "\(table.errors)")
    let firstWords = table.output.split(separator: "\n").map { $0.prefix { $0 != " " } }
    #expect(firstWords == ["KEY", "a", "b"])
    #expect(table.errors == "dux: there are more than these 2\n")
    #expect(try dux("effects", "--json").lines == ["a", "b"].map(Self.effect))
  }

  @Test func noEffectsAreSaidOnStandardErrorToPeopleAlone() throws {
    let fake = try daemon([])
    let dux = CommandLine(place: fake.place)
    let none = try dux("effects")
    #expect((none.end, none.output) == (.code(0), ""))
    #expect(none.errors == "dux: there are no effects at seq 9\n")
    let json = try dux("effects", "--json")
    #expect((json.end, json.output, json.errors) == (.code(0), "", ""))
  }

  @Test func everyKeyIsCancelledThatCanBeAndAnUnknownOneIsNamed() throws {
    let fake = try daemon(["a", "b"])
    let dux = CommandLine(place: fake.place)
    let both = try dux("effects", "cancel", "a", "b", "a")
    #expect((both.end, both.output) == (.code(0), "cancelled a\ncancelled b\n"), "\(both.errors)")
    let one = try dux("effects", "cancel", "x", "b")
    #expect((one.end, one.output) == (.code(2), "cancelled b\n"))
    #expect(one.errors == "dux: not_found: no effect has the key x\n")
    let json = try dux("effects", "cancel", "x", "b", "--json")
    #expect((json.end, json.errors) == (.code(2), ""))
    #expect(json.lines.map { $0["op"] } == ["error", "cancelled"])
    #expect(json.lines.map { $0["key"] } == ["x", "b"])
  }

  @Test func aDaemonThatKnowsNoEffectsIsAFault() throws {
    let fake = try FakeDaemon { request in
      guard let id = request["id"] else { return [FakeDaemon.welcome(request)] }
      return [["op": "error", "id": id, "code": "unknown_op", "message": "unknown op"]]
    }
    let dux = CommandLine(place: fake.place)
    #expect(try dux("effects").end == .code(70))
    #expect(try dux("effects", "cancel", "a").end == .code(70))
  }

  @Test func wordsThatCallNothingAreRefusedBeforeAnyDaemonIsAsked() throws {
    let dux = CommandLine(place: "127.0.0.1:1")
    #expect(try dux("effects", "cancel").errors.contains("KEY"))
    let slip = try dux("effects", "cancle", "a")
    #expect(slip.end == .code(64))
    #expect(slip.errors.contains("cancel"), "\(slip.errors)")
    #expect(try dux("get", "--client", "@duxd").end == .code(64))
  }

  @Test func manyUnknownKeysAreNoReasonToHangUp() throws {
    let daemon = try DaemonProcess()
    let dux = CommandLine(daemon)
    let keys = (0..<50).map { "k\($0)" }.joined(separator: " ")
    let result = try dux.shell("dux effects cancel \(keys)")
    #expect((result.end, result.output) == (.code(2), ""))
    #expect(result.errors.split(separator: "\n").count == 50, "\(result.errors)")
    #expect(try dux("effects").errors == "dux: there are no effects at seq 0\n")
  }
}
