import DuxEngine
import DuxJSON
import DuxLog
import DuxProtocol
import DuxStore
import Foundation

/// A program that shows what it asked for at once, with the test in the daemon's place.
final class ClientDesk {
  /// A sum, which tells every action that is counted twice, and a list with names of its own.
  struct Ledger: App {
    struct State: Codable, Equatable, Sendable {
      var sum = 0
      var names: [UUID] = []
    }

    enum Action: Codable, Equatable, Sendable {
      case add(Int)
      case multiply(Int)
      case name
    }

    @Dependency(\.uuid) var uuid
    let name = "ledger"
    let initialState = State()

    func reduce(into state: inout State, action: Action) throws -> Effect<Action> {
      switch action {
      case .add(13): throw Rejection(reason: "unlucky", message: "13")
      case .add(let amount): state.sum += amount
      case .multiply(let factor): state.sum *= factor
      case .name: state.names.append(uuid())
      }
      return .none
    }
  }

  let script: ClientScript
  private(set) var view: OptimisticState<Ledger.State, Ledger.Action>
  private var settled: [SettledStep] = []

  init(
    window: Int = 4, restoring steps: [QueuedStep] = [], limits: QueueLimits = QueueLimits(),
    adjust: (inout RemoteSession.Configuration) -> Void = { _ in }
  ) {
    view = OptimisticState(ClientModel(Ledger()), path: .root, client: "tty1", limits: limits)
    view.restore(steps)
    script = ClientScript(window: window, restoring: steps, adjust: adjust)
    script.onEvents = { [unowned self] in
      settled += view.take($0)
    }
    script.ask { $0.subscribe(to: .root, withActions: false) }
  }

  @discardableResult
  func ask(_ actions: Ledger.Action..., if conditions: [JSON] = []) -> RequestToken {
    let asked = view.ask(actions, if: conditions)
    switch asked.result {
    case .success(let wires):
      script.ask { $0.dispatch(wires, preconditions: conditions, as: asked.token) }
    case .failure(let refusal): settled.append(.init(asked.token, .rejected(refusal)))
    }
    return asked.token
  }

  /// Connects, with an app of the right name.
  func welcome(lastN: Int64 = 0, epoch: String = "e", app: String = "ledger") {
    script.connect()
    script.say([
      "op": "welcome", "protocol": 1, "epoch": .string(epoch), "seq": 0, "client": "tty1",
      "app": .string(app), "lastN": .integer(lastN), "maxLine": 1_000, "maxDepth": 128,
      "heartbeatMs": 15_000,
    ])
  }

  func snapshot(
    _ sum: Int, seq: Int64, reason: JSON? = nil, epoch: String = "e", more: Bool = false
  ) {
    var line: JSONObject = [
      "op": "snapshot", "path": "", "epoch": .string(epoch), "seq": .integer(seq),
      "state": Self.json(sum),
    ]
    line["reason"] = reason
    if more { line["more"] = true }
    script.say(.object(line))
  }

  func resume(from: Int64, seq: Int64) {
    script.say([
      "op": "resumed", "path": "", "epoch": "e", "from": .integer(from), "seq": .integer(seq),
    ])
  }

  /// A step that makes the sum another one; with `n` it is ours.
  func patch(_ sum: Int, seq: Int64, n: Int64? = nil) {
    var line: JSONObject = [
      "op": "patch", "path": "", "seq": .integer(seq), "time": 1,
      "client": n == nil ? "tty2" : "tty1",
      "patch": [["op": "replace", "path": "/sum", "value": .integer(Int64(sum))]],
    ]
    line["n"] = n.map { .integer($0) }
    script.say(.object(line))
  }

  func reject(_ n: Int64, _ code: JSON = "rejected") {
    script.say(["op": "reject", "n": .integer(n), "code": code, "message": "m"])
  }

  static func json(_ sum: Int) -> JSON {
    ["sum": .integer(Int64(sum)), "names": []]
  }

  var sums: [Int] { [view.confirmed.sum, view.state.sum] }

  /// What was settled since the last look.
  func takeSettled() -> [String] {
    defer { settled = [] }
    return settled.map { step in
      switch step.outcome {
      case .confirmed(let seq, _): "\(step.token.index) is seq \(seq)"
      case .rejected(let refusal): "\(step.token.index) is \(refusal.code)"
      case .cancelled: "\(step.token.index) is cancelled"
      case .unknown(let reason): "\(step.token.index) is unknown, \(reason.code)"
      }
    }
  }
}
