import DuxJSON

/// What a load run found, ready to be told.
struct LoadReport {
  /// How the run came to its end.
  enum Ending: Equatable {
    /// It lasted as long as it should.
    case complete
    /// Somebody ended it.
    case interrupted
    /// The daemon was lost.
    case broken(String)
  }

  /// Some points of a distribution, in nanoseconds.
  struct Times: Equatable {
    var p50: Int64
    var p90: Int64
    var p99: Int64
    var p999: Int64
    var greatest: Int64
    var count: Int

    /// Reads them from a histogram; `nil` from an empty one.
    init?(_ histogram: LatencyHistogram) {
      guard let p50 = histogram.value(at: 0.5), let p90 = histogram.value(at: 0.9),
        let p99 = histogram.value(at: 0.99), let p999 = histogram.value(at: 0.999)
      else { return nil }
      self.p50 = p50
      self.p90 = p90
      self.p99 = p99
      self.p999 = p999
      greatest = histogram.greatest
      count = histogram.count
    }
  }

  /// What this process used within the window.
  struct Generator: Equatable {
    /// Share of one core that the thread which sends and receives was busy.
    var busyShare: Double
    /// Microseconds of the whole process for each delivery; `nil` where there was none.
    var microsecondsPerDelivery: Double?

    /// Whether the figures are rather the generator's than the daemon's.
    var isLimit: Bool { busyShare > 0.9 }
  }

  /// What the daemon tells of itself.
  struct Daemon: Equatable {
    var server: String
    var durability: String
    /// `nil` where the daemon could not be asked any more.
    var stateBytes: Int64?
    /// Bytes that the log grew by for each action; `nil` where nothing is known of it.
    var logBytesPerAction: Double?
    /// Share of one core that its process used within the window; `nil` where it can't be seen.
    var busyShare: Double?
  }

  var settings: LoadSettings
  var place: String
  var ending: Ending
  /// How long was measured.
  var measured: Duration
  var sent: Int
  var acked: Int
  var ackedInWindow: Int
  var deliveredInWindow: Int
  var deliveredBytes: Int
  var heldBack: Int
  var ackHistogram: LatencyHistogram
  var lastHistogram: LatencyHistogram
  var faults: LoadFaults
  var generator: Generator
  var daemon: Daemon

  /// Makes the report of a run that has ended.
  init(
    _ run: LoadRun, place: String, ending: Ending, generator: Generator, daemon: Daemon
  ) {
    settings = run.settings
    self.place = place
    self.ending = ending
    measured = run.measured
    sent = Int(run.ledger.next)
    acked = run.ledger.acked
    ackedInWindow = run.ledger.ackedInWindow
    deliveredInWindow = run.ledger.deliveredInWindow
    deliveredBytes = run.deliveredBytes
    heldBack = run.heldBack
    ackHistogram = run.ledger.ackTimes
    lastHistogram = run.ledger.lastTimes
    let found = run.ledger.finalFaults()
    if case .broken = ending { faults = found.withoutMissing } else { faults = found }
    self.generator = generator
    self.daemon = daemon
  }

  private var seconds: Double { Double(measured.nanoseconds) / 1e9 }

  /// Acks a second within the window.
  var ackedPerSecond: Double { seconds > 0 ? Double(ackedInWindow) / seconds : 0 }

  /// Deliveries a second within the window.
  var deliveredPerSecond: Double { seconds > 0 ? Double(deliveredInWindow) / seconds : 0 }

  /// Bytes that a subscriber got for each delivery; `nil` where there was none.
  var bytesPerDelivery: Double? {
    deliveredInWindow > 0 ? Double(deliveredBytes) / Double(deliveredInWindow) : nil
  }

  /// Microseconds of the daemon for each of its deliveries, or for each ack where there are none.
  var daemonMicroseconds: Double? {
    guard let share = daemon.busyShare else { return nil }
    let count = deliveredInWindow > 0 ? deliveredInWindow : ackedInWindow
    return count > 0 ? share * seconds * 1e6 / Double(count) : nil
  }
}

extension LoadReport {
  /// The report for scripts, as the command's help describes it.
  var json: JSON {
    var object: JSONObject = [
      "op": "bench", "server": .string(daemon.server), "durability": .string(daemon.durability),
      "path": .string(settings.path.description), "writers": .integer(Int64(settings.writers)),
      "subscribers": .integer(Int64(settings.subscribers)),
      "size": .integer(Int64(settings.valueBytes)), "items": .integer(Int64(settings.items)),
      "seconds": Self.number(seconds, 3), "sent": .integer(Int64(sent)),
      "acked": .integer(Int64(acked)), "ackedPerSecond": Self.number(ackedPerSecond, 1),
      "deliveriesPerSecond": Self.number(deliveredPerSecond, 1),
      "heldBack": .integer(Int64(heldBack)), "generator": generatorJSON, "daemon": daemonJSON,
      "checks": faults.json, "failures": .array(JSONArray(faults.sentences.map { .string($0) })),
    ]
    switch settings.pace {
    case .closed(let depth):
      object["loop"] = "closed"
      object["depth"] = .integer(Int64(depth))
    case .open(let rate):
      object["loop"] = "open"
      object["rate"] = .integer(Int64(rate))
    }
    switch ending {
    case .complete: object["ending"] = "complete"
    case .interrupted: object["ending"] = "interrupted"
    case .broken(let reason):
      object["ending"] = "broken"
      object["reason"] = .string(reason)
    }
    object["ackMs"] = Times(ackHistogram)?.json
    object["lastMs"] = Times(lastHistogram)?.json
    object["bytesPerDelivery"] = bytesPerDelivery.map { Self.number($0, 1) }
    return .object(object)
  }

  private var generatorJSON: JSON {
    var object: JSONObject = [
      "busy": Self.number(generator.busyShare, 3), "isLimit": .bool(generator.isLimit),
    ]
    object["usPerDelivery"] = generator.microsecondsPerDelivery.map { Self.number($0, 3) }
    return .object(object)
  }

  private var daemonJSON: JSON {
    var object: JSONObject = [:]
    object["stateBytes"] = daemon.stateBytes.map { .integer($0) }
    object["logBytesPerAction"] = daemon.logBytesPerAction.map { Self.number($0, 1) }
    object["busy"] = daemon.busyShare.map { Self.number($0, 3) }
    object["usPerDelivery"] =
      deliveredInWindow > 0 ? daemonMicroseconds.map { Self.number($0, 3) } : nil
    return .object(object)
  }

  fileprivate static func number(_ value: Double, _ digits: Int) -> JSON {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    return .double((value * scale).rounded() / scale)
  }
}

extension LoadReport.Times {
  fileprivate var json: JSON {
    func ms(_ nanoseconds: Int64) -> JSON { LoadReport.number(Double(nanoseconds) / 1e6, 4) }
    return [
      "p50": ms(p50), "p90": ms(p90), "p99": ms(p99), "p999": ms(p999), "max": ms(greatest),
      "count": .integer(Int64(count)),
    ]
  }
}

extension LoadFaults {
  fileprivate var json: JSON {
    let counts: [(String, Int)] = [
      ("lost", lost), ("repeated", repeated), ("reordered", reordered), ("snapshots", snapshots),
      ("replaced", replaced), ("strangers", strangers), ("mismatched", mismatched),
      ("strayAcks", strayAcks), ("disorderedAcks", disorderedAcks), ("refused", refused),
      ("unanswered", unanswered), ("unreadable", unreadable),
    ]
    var object: JSONObject = [:]
    for (name, count) in counts { object[name] = .integer(Int64(count)) }
    return .object(object)
  }
}
