import DuxCommandLine

extension LoadReport {
  /// The report for people.
  func lines(_ style: Style, _ characters: LatencyChart.Characters, columns: Int) -> [String] {
    var lines = [style.bold("dux bench of \(daemon.server) at \(place)")]
    lines += heading.map { "  " + $0 }
    guard measured > .zero, ackHistogram.count > 0 else {
      return lines + ["", "nothing was measured"] + verdict(style)
    }
    lines.append("")
    lines += table(style, columns)
    let chart = LatencyChart(style: style, characters: characters, columns: columns)
    lines += ["", style.bold("time to the ack")] + chart.lines(of: ackHistogram) + [""]
    lines += rows.map { label, text in
      style.bold(label) + String(repeating: " ", count: 12 - label.count) + text
    }
    return lines + verdict(style)
  }

  private var heading: [String] {
    let load =
      switch settings.pace {
      case .closed(let depth):
        "\(settings.writers.counted("writer")) with \(depth.grouped) on their way each, closed"
          + " loop: times begin when an action is sent"
      case .open(let rate):
        "\(rate.grouped) actions a second by \(settings.writers.counted("writer")), open loop:"
          + " times begin when an action is due"
      }
    let span = (Double(measured.nanoseconds) / 1e9).fixed(1) + " s"
    let early =
      switch ending {
      case .complete: ""
      case .interrupted: ", then interrupted"
      case .broken: ", then the daemon was lost"
      }
    return [
      load,
      "\(settings.subscribers.counted("subscriber")), values of \(settings.valueBytes.grouped) bytes in"
        + " \(settings.items.counted("item")), durability \(daemon.durability)",
      "measured for \(span) after \(DurationText.text(settings.warm)) to warm up" + early,
    ]
  }

  private func table(_ style: Style, _ columns: Int) -> [String] {
    let header = ["", "a second", "p50 ms", "p90", "p99", "p99.9", "max"]
    func row(_ name: String, _ rate: Double, _ histogram: LatencyHistogram) -> [TableText.Cell] {
      let times = Times(histogram).map {
        [$0.p50, $0.p90, $0.p99, $0.p999, $0.greatest].map(LatencyText.ms)
      }
      let cells = [name, Int(rate.rounded()).grouped] + (times ?? Array(repeating: "", count: 5))
      return cells.map { TableText.Cell($0) }
    }
    var rows = [row("acks", ackedPerSecond, ackHistogram)]
    if settings.subscribers > 0 {
      let name =
        settings.subscribers == 1 ? "deliveries" : "deliveries, the last of \(settings.subscribers)"
      rows.append(row(name, deliveredPerSecond, lastHistogram))
    }
    return TableText(style: style, columns: columns).lines(header: header, rows: rows)
  }

  private var rows: [(String, String)] {
    var rows: [(String, String)] = []
    if let bytesPerDelivery {
      rows.append(("wire", "\(bytesPerDelivery.fixed(0)) bytes for each delivery"))
    }
    let own = generator.microsecondsPerDelivery.map { ", \($0.fixed(2)) µs for each delivery" }
    rows.append(("generator", Self.share(generator.busyShare) + (own ?? "")))
    var parts: [String] = []
    if let share = daemon.busyShare { parts.append(Self.share(share)) }
    if let each = daemonMicroseconds {
      parts.append("\(each.fixed(2)) µs for each \(deliveredInWindow > 0 ? "delivery" : "action")")
    }
    if !parts.isEmpty { rows.append(("daemon", parts.joined(separator: ", "))) }
    if let bytes = daemon.stateBytes {
      let log = daemon.logBytesPerAction.map { ", \($0.fixed(0)) bytes of log for each action" }
      rows.append(("state", bytes.byteText + (log ?? "")))
    }
    return rows
  }

  /// A line for each check that failed, or one that says that all held, and what else must be known.
  private func verdict(_ style: Style) -> [String] {
    var lines: [String] = []
    func add(_ label: String, _ text: String, _ colour: Style.Colour) {
      lines.append(
        style.coloured(label, colour) + String(repeating: " ", count: 12 - label.count) + text)
    }
    if generator.isLimit {
      let busy = Self.share(generator.busyShare)
      add(
        "warning", "the generator itself was the limit (\(busy)): read the figures as its", .yellow)
    }
    if heldBack > 0 {
      add(
        "warning",
        "\(heldBack.counted("action")) were due and not sent, for the daemon was too far behind",
        .yellow)
    }
    for sentence in faults.sentences { add("FAILED", sentence, .red) }
    if faults.sentences.isEmpty { add("checks", held, .green) }
    return lines
  }

  private var held: String {
    let acks = "\(acked.counted("change")) acknowledged"
    if case .broken = ending {
      return "\(acks), none twice or out of order; the daemon was lost before all were seen"
    }
    switch settings.subscribers {
    case 0: return acks
    case 1: return "\(acks), each seen once and in order by the subscriber"
    default:
      return
        "\(acks), each seen once and in order by all \(settings.subscribers.grouped) subscribers"
    }
  }

  private static func share(_ share: Double) -> String {
    "\((share * 100).fixed(0)) % of a core"
  }
}
