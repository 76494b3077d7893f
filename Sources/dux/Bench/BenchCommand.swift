import DuxCommandLine
import DuxJSON
import DuxNetwork
import DuxProtocol

/// `dux bench`: puts a load on a daemon, measures it and checks what comes.
enum BenchCommand {
  private static let writers = Option(
    "writers", .value("K"), summary: "Connections that write", defaultValue: "4")
  private static let depth = Option(
    "depth", .value("P"), summary: "Actions that each writer keeps on their way",
    defaultValue: "16")
  private static let rate = Option(
    "rate", .value("R"),
    summary:
      "Send R actions a second over all writers, whatever the daemon does, in place of --depth")
  private static let subscribers = Option(
    "subscribers", .value("N"), summary: "Connections that follow what is written",
    defaultValue: "10")
  private static let size = Option(
    "size", .value("BYTES"), summary: "Bytes of each value", defaultValue: "100")
  private static let items = Option(
    "items", .value("M"), summary: "Items, one of which each action writes", defaultValue: "10000")
  private static let duration = Option(
    "duration", .value("DURATION"), summary: "How long to measure", defaultValue: "5s")
  private static let warm = Option(
    "warm", .value("DURATION"), summary: "How long to run before that", defaultValue: "1s")
  private static let path = Option(
    "path", .value("PATH"), summary: "Where the run makes a member of its own",
    defaultValue: "/bench")
  private static let keep = Option("keep", .flag, summary: "Leave there what was written")

  static let tool = Tool(
    command: Command(
      name: "bench", summary: "Put a load on the daemon, time it, and check that nothing is lost.",
      discussion: """
        Writers set fields below PATH/RUN, a member made for the run and removed after it; nothing else \
        is written, but that the daemon keeps the last number of each writer's name. Every subscriber \
        has to see each change once and in order, every action has to be acknowledged once and under \
        the number that subscribers saw. It works with the app document, on the daemon that serves \
        everybody else too: what it measures is on top of their load, and they feel it.

        With --depth the loop is closed: a writer waits for acks before it sends more, so a daemon \
        that stalls is asked less, and the times leave that wait out. With --rate it is open: times \
        begin when an action was due, also where it could only be sent later, so a stall shows in full. \
        Above 5,000 a second those of each 200 µs are due together. 'last' is when the last subscriber \
        had seen a change. If the generator's own thread was busy for more than 90 %, it says so.

        Ctrl-C ends the run early with what was measured. After the end it waits for what is on its \
        way, for as long as --timeout says. On a terminal it tells every second how it goes. Exit \
        status: 3 if a check failed, 69 if the daemon was lost.

        With --json it prints one object when it is over: \
        "ackedPerSecond", "deliveriesPerSecond", "bytesPerDelivery"; "ackMs" and "lastMs", each with \
        "p50", "p90", "p99", "p999", "max", "count"; "sent", "acked", "heldBack" (due and never sent); \
        "loop" ("closed" with "depth", or "open" with "rate"), "writers", "subscribers", "size", \
        "items", "seconds", "path", "server", "durability"; "generator" and "daemon" with "busy" (share \
        of a core) and "usPerDelivery", of which the daemon's are there if it runs on this machine, \
        and "isLimit", "stateBytes", "logBytesPerAction"; "ending" ("complete", "interrupted", or \
        "broken" with "reason"); "checks" with a count of each fault, and "failures", sentences, empty \
        if all held.
        """,
      options: [writers, depth, rate, subscribers, size, items, duration, warm, path, keep],
      examples: [
        Example("dux bench", summary: "4 writers, 10 subscribers, as fast as it goes for 5 s"),
        Example(
          "dux bench --rate 2000 --subscribers 100 --duration 30s",
          summary: "What 100 subscribers feel at 2,000 actions a second"),
        Example(
          "dux bench --writers 1 --depth 1 --subscribers 1",
          summary: "How long one durable action takes"),
        Example(
          "dux bench --json | jq .ackMs.p99", summary: "One figure for a script"),
      ])
  ) { (call) throws(Failure) in
    let settings = try settings(call)
    try settings.check(descriptors: DescriptorLimit.raise())
    var site = LoadSite(call, settings)
    try site.prepare()
    return try Benching(call, site).run()
  }

  private static func settings(_ call: Call) throws(Failure) -> LoadSettings {
    let given = call.invocation.given
    if given[depth.name] != nil, given[rate.name] != nil {
      throw Failure(.usage, "--depth and --rate are two ways to send: give one of them")
    }
    let parent = try PathText.read(call.value(of: path, as: .anyText) ?? "")
    guard parent.tokens.count <= LoadSettings.deepestParent else {
      throw Failure(
        .usage, "--path: \(parent) has more than \(LoadSettings.deepestParent) names")
    }
    guard call.client.utf8.count <= LoadSettings.longestClient else {
      throw Failure(
        .usage,
        "--client: \(call.client) is too long, for the connections are told apart by what is put"
          + " behind it: at most \(LoadSettings.longestClient) bytes")
    }
    let depth = try call.value(of: depth, as: .count(in: LoadSettings.depthRange)) ?? 1
    let rate = try call.value(of: rate, as: .count(in: LoadSettings.rateRange))
    return LoadSettings(
      writers: try call.value(of: writers, as: .count(in: LoadSettings.writersRange)) ?? 1,
      pace: rate.map { .open(perSecond: $0) } ?? .closed(depth: depth),
      subscribers: try call.value(of: subscribers, as: .count(in: LoadSettings.subscribersRange))
        ?? 0,
      valueBytes: try call.value(of: size, as: .byteSize(in: LoadSettings.valueRange)) ?? 100,
      items: try call.value(of: items, as: .count(in: LoadSettings.itemsRange)) ?? 1,
      duration: try call.value(of: duration, as: .duration(in: LoadSettings.durationRange))
        ?? .seconds(5),
      warm: try call.value(of: warm, as: .duration(in: LoadSettings.warmRange)) ?? .zero,
      parent: parent, name: String(UInt64.random(in: 1 << 40..<1 << 46), radix: 36),
      isKept: try call.isOn(keep))
  }
}

extension ValueReader where Value == String {
  /// Any text, the empty one too.
  fileprivate static var anyText: ValueReader { ValueReader { $0 } }
}

/// One run of `dux bench`.
private final class Benching {
  private let call: Call
  private var site: LoadSite

  init(_ call: Call, _ site: LoadSite) {
    self.call = call
    self.site = site
  }

  func run() throws(Failure) -> ExitStatus {
    let driver = try LoadDriver(call, site.settings, daemon: site.process)
    let ending: LoadReport.Ending
    do throws(Failure) {
      ending = try driver.perform()
    } catch {
      leave(after: nil)
      throw error
    }
    leave(after: ending)
    let report = LoadReport(
      driver.run, place: call.endpoint.description, ending: ending, generator: driver.generator,
      daemon: site.daemon(acked: driver.run.ledger.acked, busyShare: driver.daemonShare))
    print(report)
    return try status(of: report)
  }

  /// Takes away what the run wrote, and says where it is if it is to stay or can't be reached.
  private func leave(after ending: LoadReport.Ending?) {
    if case .broken? = ending { return remark("may still hold what the run wrote") }
    do throws(Failure) {
      try site.leave()
      if site.settings.isKept { remark("holds what the run wrote") }
    } catch {
      remark("may still hold what the run wrote (\(error.message))")
    }
  }

  private func remark(_ text: String) {
    let path = site.settings.path.description.printable
    call.note("\(path) \(text); 'dux remove \(path)' takes it away")
  }

  private func print(_ report: LoadReport) {
    if call.isJSON {
      call.output.print(report.json.description)
    } else {
      let terminal = call.output.terminal
      call.output.print(
        contentsOf: report.lines(
          call.output.style,
          LatencyChart.Characters(Environment.read(LatencyChart.Characters.variables)),
          columns: terminal.columns))
    }
    call.output.flush()
  }

  private func status(of report: LoadReport) throws(Failure) -> ExitStatus {
    let failures = report.faults.sentences
    if !failures.isEmpty {
      throw Failure(.checkFailed, "bench: " + failures.joined(separator: "; "))
    }
    switch report.ending {
    case .complete: return .success
    case .interrupted: return .interrupted
    case .broken(let reason):
      throw Failure(.unavailable, "the daemon at \(call.endpoint) was lost: \(reason)")
    }
  }
}
