import DuxEngine
import DuxJSON
import DuxNetwork
import DuxProtocol

/// Where a load run works: looked at before it, and left as it was.
struct LoadSite {
  let settings: LoadSettings
  private let call: Call
  /// Objects on the way to the run's own that were not there, the outer ones first.
  private var missing: [JSONPointer] = []
  private var before: JSON = [:]
  private var after: JSON?

  /// The app whose actions the run sends.
  private static let app = "document"

  /// Makes a site that was not looked at.
  init(_ call: Call, _ settings: LoadSettings) {
    self.call = call
    self.settings = settings
  }

  /// The daemon's process, where it is one of this machine.
  var process: ProcessUse? {
    guard let id = before["pid"]?.integerValue, let uptime = before["uptimeMs"]?.integerValue else {
      return nil
    }
    return ProcessUse(id, uptimeMs: uptime, at: call.endpoint)
  }

  /// Asks the daemon how it is, and whether the run can be made there.
  mutating func prepare() throws(Failure) {
    let parents = settings.parent.tokens.indices.map {
      JSONPointer(tokens: Array(settings.parent.tokens[...$0]))
    }
    var asked: [RemoteSession.ReadTicket: JSONPointer] = [:]
    var missing: [JSONPointer] = []
    var status: JSON?
    _ = try Conversation(call).run { session in
      for parent in parents { asked[session.get(parent, at: nil)] = parent }
      _ = session.status()
    } onEvent: { [call] (event) throws(Failure) in
      switch event {
      case .live(let welcome):
        try Self.check(welcome, call)
      case .answer(let ticket, _, let json, _):
        guard let parent = asked.removeValue(forKey: ticket) else {
          status = json
          break
        }
        if json["missing"]?.boolValue == true {
          missing.append(parent)
        } else {
          try Self.check(json["value"], at: parent)
        }
      case .failed(_, let failure):
        throw Failure(failure)
      default:
        break
      }
      return asked.isEmpty && status != nil ? .success : nil
    }
    self.missing = missing.sorted { $0.tokens.count < $1.tokens.count }
    before = status ?? [:]
  }

  /// Asks again how the daemon is, and takes away what the run wrote unless it is to stay.
  mutating func leave() throws(Failure) {
    let removals: [(path: JSONPointer, conditions: [JSON])] =
      settings.isKept
      ? []
      : [(settings.path, [])]
        // Only while nobody has put something else there.
        + missing.reversed().map { ($0, [["path": .string($0.description), "value": [:]]]) }
    var left = removals.count
    var status: JSON?
    let conversation = try Conversation(call)
    _ = try conversation.run { session in
      _ = session.status()
    } onEvent: { (event) throws(Failure) in
      switch event {
      case .answer(_, _, let json, _):
        status = json
        // Only now, so that the answer tells of the state with what the run wrote.
        conversation.ask { session in
          for (path, conditions) in removals {
            let payload: JSON = ["path": .string(path.description)]
            _ = session.dispatch(
              [["type": "doc/remove", "payload": payload]], preconditions: conditions)
          }
        }
      // A refusal says that there is nothing, or something else.
      case .settled: left -= 1
      case .failed(_, let failure): throw Failure(failure)
      default: break
      }
      return left == 0 && status != nil ? .success : nil
    }
    after = status
  }

  /// What the daemon told, as the report has it.
  func daemon(acked: Int, busyShare: Double?) -> LoadReport.Daemon {
    func word(_ name: String) -> String { before[name]?.stringValue?.printable ?? "?" }
    var daemon = LoadReport.Daemon(server: word("server"), durability: word("durability"))
    daemon.busyShare = busyShare
    daemon.stateBytes = after?["stateBytes"]?.integerValue
    if let first = before["logBytes"]?.integerValue, let last = after?["logBytes"]?.integerValue,
      acked > 0, last > first
    {
      daemon.logBytesPerAction = Double(last - first) / Double(acked)
    }
    return daemon
  }

  private static func check(_ welcome: ServerMessage.Welcome, _ call: Call) throws(Failure) {
    let app = welcome.json["app"]?.stringValue ?? ""
    guard app == Self.app else {
      throw Failure(
        .rejected,
        "the daemon at \(call.endpoint) serves the app \"\(app.printable)\", and bench needs"
          + " \"\(Self.app)\": start one with duxd --app \(Self.app) on another folder and address")
    }
  }

  private static func check(_ value: JSON?, at path: JSONPointer) throws(Failure) {
    guard value?.objectValue == nil else { return }
    throw Failure(
      .usage, "--path: what is at \(path.description.printable) is no object, so a run has no room")
  }
}
