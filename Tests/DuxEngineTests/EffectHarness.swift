import DuxJSON
import DuxLog
import DuxStore
import Simulation
import Testing

@testable import DuxEngine

/// Effects as tests see them.
extension EngineHarness {
  /// A daemon that serves the app ``Errands``; its commits wait unless it is prompt.
  convenience init(
    errands: Errands, disk: VirtualDisk? = nil, isPrompt: Bool = true
  ) throws {
    try self.init(store: try HostedApp(errands, limits: .small), disk: disk, isPrompt: isPrompt)
  }

  /// Sends an action.
  func dispatch(_ type: String, _ payload: JSON? = nil, n: Int64? = nil, on peer: Peer) {
    send(Self.line([Self.action(type, payload)], n: n), on: peer)
  }

  static func action(_ type: String, _ payload: JSON? = nil) -> JSON {
    var members: JSONObject = ["type": .string(type)]
    members["payload"] = payload
    return .object(members)
  }

  static func line(_ actions: [JSON], n: Int64? = nil) -> String {
    var members: JSONObject = ["op": "dispatch", "actions": .array(JSONArray(actions))]
    members["n"] = n.map { .integer($0) }
    return JSON.object(members).description
  }

  static func order(_ parcel: String, _ id: String = "x", _ policy: String = "parallel") -> JSON {
    ["parcel": .string(parcel), "id": .string(id), "policy": .string(policy)]
  }

  /// The commands that were begun since the last look.
  var begunCommands: [CommandEntry] {
    effectOutputs.compactMap { if case .start(let command) = $0 { command } else { nil } }
  }

  /// The closures that were begun since the last look.
  var begunClosures: [EffectToken] {
    effectOutputs.compactMap { if case .run(let token, _, _) = $0 { token } else { nil } }
  }

  /// What was told of effects since the last look, in words.
  func takeOutputs() -> [String] {
    defer { effectOutputs = [] }
    return effectOutputs.map { output in
      switch output {
      case .run(_, let operation, _): "run \(operation.name)"
      case .sleep: "sleep"
      case .cancel: "cancel"
      case .enqueue: "enqueue"
      case .start(let command): "start \(command.key)"
      case .drop(let key): "drop \(key)"
      case .cut: "cut"
      }
    }
  }

  /// Ends a command well, as its handler would.
  func deliver(_ parcel: String, _ key: String) {
    let action = WireAction(type: "delivered", payload: .string(parcel))
    tell { $0.commandEnded(CommandKey(key), .success(action)) }
  }

  /// The logged actions of the disk.
  var loggedActions: [JSON] {
    disk.allEntries.flatMap { entry -> [JSON] in
      let actions = try? JSON(parsing: entry.actions, maximumDepth: .max).arrayValue
      return actions.map(Array.init) ?? []
    }
  }

  var loggedTypes: [String] { loggedActions.compactMap { $0["type"]?.stringValue } }

  var outboxKeys: [String] { disk.outbox.map(\.key) }

  func value(_ path: String) throws -> JSON? {
    engine.durableState.value(at: try JSONPointer(path))
  }
}

extension StateLimits {
  static let small = StateLimits(maximumDepth: 16, maximumBytes: 1_000_000)
}

extension JSON {
  /// The entries of an array.
  var entries: [JSON] { arrayValue.map(Array.init) ?? [] }
}

extension Commit {
  /// What it takes out of the outbox, if it puts nothing there.
  var removedKeys: [String]? {
    let removed = outbox.compactMap { if case .remove(let key) = $0 { key } else { nil } }
    return removed.count == outbox.count ? removed : nil
  }
}
