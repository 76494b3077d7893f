import DuxCommandLine
import DuxEngine
import DuxJSON
import DuxLog
import DuxProtocol
import DuxStore

/// Sends an action of a lease, and prints what the lease is by it.
final class LeaseWriting {
  private let call: Call
  private let name: String
  private var ticket: RemoteSession.ReadTicket?
  private var seq: SequenceNumber?

  init(_ call: Call, _ name: String) {
    self.call = call
    self.name = name
  }

  func run(_ action: LeaseAction) throws(Failure) -> ExitStatus {
    let conversation = try Conversation(call)
    let path = JSONPointer(tokens: [Leases.Member.leases, name])
    return try conversation.run {
      _ = $0.dispatch([action.wire.json], preconditions: [])
    } onEvent: { [self] (event) throws(Failure) in
      switch event {
      case .settled(_, let settlement):
        switch settlement.result {
        case .success(let accepted):
          seq = accepted.seq
          ticket = conversation.ask { $0.get(path, at: accepted.seq) }
          return nil
        case .failure(let failure):
          throw Failure(failure)
        }
      case .answer(let ticket, _, let json, _) where ticket == self.ticket:
        try print(json["value"])
        return .success
      case .failed(_, let failure):
        throw Failure(failure)
      default:
        return nil
      }
    }
  }

  private func print(_ value: JSON?) throws(Failure) {
    guard let value, let lease = Lease(value) else {
      throw Failure(.internal, "the daemon granted a lease that is not there")
    }
    if call.isJSON {
      var object = LeaseReading.object(name, value)
      object["seq"] = seq.map { .integer($0.value) }
      call.output.print(JSON.object(object).description)
    } else {
      call.output.print("\(lease.fence)")
    }
    call.output.flush()
  }
}

/// Reads leases, and prints them.
enum LeaseReading {
  static func run(
    _ call: Call, _ path: JSONPointer,
    leases: @escaping (JSON?) throws(Failure) -> [(name: String, value: JSON)]
  ) throws(Failure) -> ExitStatus {
    try Conversation(call).run {
      _ = $0.get(path, at: nil)
    } onEvent: { (event) throws(Failure) in
      switch event {
      case .answer(_, _, let json, _):
        print(try leases(json["value"]), call)
        return .success
      case .failed(_, let failure):
        throw Failure(failure)
      default:
        return nil
      }
    }
  }

  /// A lease as `--json` prints it.
  static func object(_ name: String, _ value: JSON) -> JSONObject {
    var object = value.objectValue ?? [:]
    object["name"] = .string(name)
    return object
  }

  private static let header = ["NAME", "HOLDER", "FENCE", "FOR", "ENDS IN"]

  private static func print(_ leases: [(name: String, value: JSON)], _ call: Call) {
    defer { call.output.flush() }
    if call.isJSON {
      for (name, value) in leases {
        call.output.print(JSON.object(object(name, value)).description)
      }
      return
    }
    guard !leases.isEmpty else { return call.note("nobody holds a lease") }
    let columns = call.output.terminal.isInteractive ? call.output.terminal.columns : .max / 2
    let rows = leases.compactMap { name, value in
      Lease(value).map { row(name, $0, nowMs: ClockText.now()) }
    }
    let table = TableText(style: call.output.style, columns: columns)
    table.lines(header: header, rows: rows).forEach(call.output.print)
  }

  /// A lease as a row; its end by this machine's clock.
  static func row(_ name: String, _ lease: Lease, nowMs: Int64) -> [TableText.Cell] {
    let (left, overflow) = lease.expiresMs.subtractingReportingOverflow(nowMs)
    return [
      TableText.Cell(name.printable), TableText.Cell(lease.holder.printable),
      TableText.Cell("\(lease.fence)"), TableText.Cell(ClockText.span(lease.ttlMs)),
      TableText.Cell(overflow ? "-" : ClockText.span(left)),
    ]
  }
}
