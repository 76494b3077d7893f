import DuxEngine
import DuxJSON
import DuxTerminal

@testable import dux

/// An explorer with a session whose daemon is the test itself.
struct ExplorerScene {
  var explorer: Explorer
  let session: RemoteSession
  var size: Size
  /// Lines that the session has sent.
  private(set) var sent: [JSON] = []
  private(set) var wishes: [Explorer.Wish] = []

  static let nowMs: Int64 = 1_764_480_000_000

  init(columns: Int = 80, rows: Int = 24, history: [String] = []) {
    size = Size(columns: columns, rows: rows)
    explorer = Explorer(place: "127.0.0.1:7389", client: "me", history: History(history))
    explorer.nowMs = Self.nowMs
    let backoff = Backoff(firstMs: 100, greatestMs: 1_000)
    session = RemoteSession(
      .init(client: "me", backoff: backoff, steadyMs: 1_000, window: 16), seed: 1)
    explorer.begin(session)
    session.start()
    pump()
  }

  /// A scene whose daemon has told a state.
  static func live(
    _ state: JSON, seq: Int64 = 10, columns: Int = 80, rows: Int = 24, app: String = "document"
  ) -> ExplorerScene {
    var scene = ExplorerScene(columns: columns, rows: rows)
    scene.connect(seq: seq, app: app)
    scene.say([
      "op": "snapshot", "path": "", "epoch": "e1", "seq": .integer(seq), "state": state,
    ])
    scene.say(["op": "snapshot", "path": "@presence", "epoch": "p", "seq": 1, "state": [:]])
    return scene
  }

  /// The daemon takes the connection.
  mutating func connect(seq: Int64 = 10, epoch: String = "e1", app: String = "document") {
    session.connected()
    pump()
    say([
      "op": "welcome", "protocol": 1, "server": "duxd/0", "app": .string(app), "appVersion": 1,
      "epoch": .string(epoch), "seq": .integer(seq), "client": "me", "lastN": 0,
      "maxLine": 1_048_576, "maxDepth": 128, "heartbeatMs": 15_000, "durability": "full",
    ])
  }

  /// The daemon says a line.
  mutating func say(_ line: JSON) {
    let bytes = Array((line.description + "\n").utf8)
    bytes.withUnsafeBytes { session.received($0) }
    pump()
  }

  /// The daemon tells a step that sets a member of the root.
  mutating func sayStep(_ seq: Int64, set name: String, to value: JSON, client: String = "tty1") {
    say([
      "op": "patch", "path": "", "seq": .integer(seq), "time": .integer(Self.nowMs),
      "client": .string(client), "n": .integer(seq),
      "actions": [
        ["type": "doc/set", "payload": ["path": .string("/" + name), "value": value]]
      ],
      "patch": [["op": "add", "path": .string("/" + name), "value": value]],
    ])
  }

  /// The connection is lost.
  mutating func disconnect(_ reason: String = "connection refused") {
    session.disconnected(reason)
    pump()
  }

  /// Keys are pressed.
  mutating func press(_ keys: Key...) {
    for key in keys { take(.key(key)) }
  }

  /// Text is typed.
  mutating func type(_ text: String) {
    for character in text { take(.key(Key(.character(character)))) }
  }

  mutating func take(_ event: InputEvent) {
    _ = plan
    explorer.take(event, plan, session)
    pump()
    settle()
  }

  /// Time goes by.
  mutating func wait(_ ms: Int64) {
    explorer.advance(to: explorer.nowMs + ms, session)
    pump()
  }

  var plan: ScreenPlan { ScreenPlan(size, pane: explorer.pane) }

  mutating func settle() {
    explorer.settle(plan)
  }

  /// The screen as text.
  mutating func screen() -> Grid {
    settle()
    return render(ExplorerScreen(explorer: explorer, plan: plan), size: size)
  }

  mutating func lines() -> [String] { screen().lines }

  private mutating func pump() {
    while true {
      let effects = session.takeEffects()
      guard !effects.isEmpty else { break }
      for effect in effects {
        switch effect {
        case .send(let bytes):
          let text = String(decoding: bytes, as: UTF8.self)
          sent += text.split(separator: "\n").compactMap { try? JSON(parsing: String($0)) }
        case .event(let event): explorer.take(event, session)
        default: break
        }
      }
    }
    wishes += explorer.takeWishes()
  }

  /// What was sent last of a kind.
  func lastSent(_ op: String) -> JSON? {
    sent.last { $0["op"] == .string(op) }
  }
}
