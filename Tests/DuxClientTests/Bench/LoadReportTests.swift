import DuxCommandLine
import DuxJSON
import Testing

@testable import dux

/// What a load run prints.
struct LoadReportTests {
  private static func report(
    pace: LoadSettings.Pace = .closed(depth: 2), subscribers: Int = 2,
    ending: LoadReport.Ending = .complete, busy: Double = 0.25,
    _ change: (inout LoadReport) -> Void = { _ in }
  ) -> LoadReport {
    let settings = LoadSettings(
      writers: 1, pace: pace, subscribers: subscribers, valueBytes: 20, items: 10,
      duration: .seconds(2), warm: .seconds(1), parent: JSONPointer(tokens: ["bench"]),
      name: "run", isKept: false)
    var report = LoadReport(
      LoadRun(settings, seed: 1), place: "127.0.0.1:7389", ending: ending,
      generator: .init(busyShare: busy, microsecondsPerDelivery: 0.5),
      daemon: .init(
        server: "duxd/1", durability: "full", stateBytes: 2_048, logBytesPerAction: 200,
        busyShare: 0.5))
    report.measured = .seconds(2)
    report.sent = 1_200
    report.acked = 1_200
    report.ackedInWindow = 1_000
    report.deliveredInWindow = 2_000
    report.deliveredBytes = 300_000
    for time in 1...1_000 as ClosedRange<Int64> {
      report.ackHistogram.record(time * 10_000)
      report.lastHistogram.record(time * 20_000)
    }
    change(&report)
    return report
  }

  private static func lines(_ report: LoadReport, _ style: Style = .plain) -> [String] {
    report.lines(style, .blocks, columns: 80)
  }

  @Test func theTableHasRatesAndPercentiles() {
    let lines = Self.lines(Self.report())
    #expect(lines.first == "dux bench of duxd/1 at 127.0.0.1:7389")
    #expect(lines.contains { $0.contains("closed loop: times begin when an action is sent") })
    #expect(lines.contains("  measured for 2.0 s after 1s to warm up"))
    let header = lines.firstIndex { $0.contains("p50 ms") } ?? 0
    #expect(
      Array(lines[header...].prefix(3)) == [
        "                           a second  p50 ms  p90   p99   p99.9  max",
        "acks                       500       5.00    9.01  9.93  9.99   10.0",
        "deliveries, the last of 2  1,000     9.99    18.0  19.9  20.0   20.0",
      ])
    #expect(lines.contains("wire        150 bytes for each delivery"))
    #expect(lines.contains("generator   25 % of a core, 0.50 µs for each delivery"))
    #expect(lines.contains("daemon      50 % of a core, 500.00 µs for each delivery"))
    #expect(lines.contains("state       2.0 KiB, 200 bytes of log for each action"))
    #expect(
      lines.last
        == "checks      1,200 changes acknowledged, each seen once and in order by all 2 subscribers"
    )
  }

  @Test func anOpenLoopIsNamedAndWhatWasHeldBackToo() {
    let lines = Self.lines(Self.report(pace: .open(perSecond: 600)) { $0.heldBack = 7 })
    #expect(
      lines.contains(
        "  600 actions a second by 1 writer, open loop: times begin when an action is due"))
    #expect(
      lines.contains(
        "warning     7 actions were due and not sent, for the daemon was too far behind"))
  }

  @Test func aBusyGeneratorSaysThatItIsTheLimit() {
    #expect(!Self.lines(Self.report(busy: 0.9)).contains { $0.hasPrefix("warning") })
    let lines = Self.lines(Self.report(busy: 0.95))
    #expect(
      lines.contains(
        "warning     the generator itself was the limit (95 % of a core): read the figures as its"))
  }

  @Test func eachFailedCheckHasALine() {
    let report = Self.report {
      $0.faults.lost = 3
      $0.faults.repeated = 1
    }
    let lines = Self.lines(report)
    #expect(lines.contains("FAILED      3 deliveries were lost"))
    #expect(lines.contains("FAILED      1 delivery came twice"))
    #expect(!lines.contains { $0.hasPrefix("checks") })
    #expect(report.json["failures"] == ["3 deliveries were lost", "1 delivery came twice"])
  }

  @Test func everyFaultHasASentence() {
    let faults: [WritableKeyPath<LoadFaults, Int>] = [
      \.lost, \.repeated, \.reordered, \.strangers, \.mismatched, \.strayAcks, \.disorderedAcks,
      \.refused, \.unanswered, \.snapshots, \.unreadable,
    ]
    var sentences: Set<String> = []
    for fault in faults {
      for count in [1, 2] {
        var some = LoadFaults()
        some[keyPath: fault] = count
        #expect(some.sentences.count == 1)
        sentences.formUnion(some.sentences)
      }
    }
    #expect(sentences.count == faults.count * 2)
  }

  @Test func aRunThatMeasuredNothingSaysSo() {
    let report = Self.report(ending: .interrupted) {
      $0.measured = .zero
      $0.ackHistogram.reset()
    }
    #expect(Self.lines(report).contains("nothing was measured"))
    #expect(report.ackedPerSecond == 0)
    #expect(report.json["ackMs"] == nil)
    #expect(report.json["ending"] == "interrupted")
    #expect(
      Self.lines(Self.report(ending: .interrupted))
        .contains("  measured for 2.0 s after 1s to warm up, then interrupted"))
  }

  @Test func aLostDaemonIsNoLostDelivery() {
    let lines = Self.lines(Self.report(ending: .broken("gone")))
    #expect(lines.last?.contains("the daemon was lost before all were seen") == true)
    #expect(Self.report(ending: .broken("gone")).json["reason"] == "gone")
  }

  @Test func theJSONHasTheFiguresUnderTheirNames() {
    let json = Self.report().json
    #expect(json["ackedPerSecond"] == .double(500))
    #expect(json["deliveriesPerSecond"] == .double(1_000))
    #expect(json["bytesPerDelivery"] == .double(150))
    #expect(json["ackMs"]?["count"] == 1_000)
    #expect(json["ackMs"]?["max"] == .double(10))
    #expect(json["loop"] == "closed")
    #expect(json["depth"] == 2)
    #expect(json["rate"] == nil)
    #expect(json["daemon"]?["usPerDelivery"] == .double(500))
    #expect(json["generator"]?["isLimit"] == false)
    #expect(json["failures"] == [])
    #expect(json["checks"]?["lost"] == 0)
    #expect(Self.report(pace: .open(perSecond: 9)).json["rate"] == 9)
  }

  @Test func coloursAreThereOnlyWhereTheyAreWanted() {
    #expect(!Self.lines(Self.report()).contains { $0.contains("\u{1b}") })
    #expect(Self.lines(Self.report(), .terminal).contains { $0.contains("\u{1b}[36m█") })
  }

  @Test func progressIsOneLine() {
    #expect(
      LoadProgress.line(elapsed: 3_000_000_000, acked: 52_311.4, delivered: 523_110, p99: 1_724_000)
        == "   3 s  52,311 acked/s  523,110 deliveries/s  p99 1.72 ms")
    #expect(
      LoadProgress.line(elapsed: 12_000_000_000, acked: 0, delivered: 0, p99: nil)
        == "  12 s  0 acked/s  0 deliveries/s  nothing acked")
  }
}

/// The distribution as bars.
struct LatencyChartTests {
  private func chart(_ characters: LatencyChart.Characters, columns: Int = 80) -> LatencyChart {
    LatencyChart(style: .plain, characters: characters, columns: columns)
  }

  private func histogram(_ times: [(ms: Double, count: Int)]) -> LatencyHistogram {
    var histogram = LatencyHistogram()
    for (ms, count) in times {
      for _ in 0..<count { histogram.record(Int64(ms * 1e6)) }
    }
    return histogram
  }

  @Test func barsAreAsLongAsTheirShareOfTheLongest() {
    let times = histogram([(1.1, 80), (1.4, 40), (1.7, 1)])
    #expect(
      chart(.ascii).lines(of: times) == [
        "1.00 - 1.25 ms  " + String(repeating: "#", count: 50) + " 66.1 %",
        "1.25 - 1.60 ms  " + String(repeating: "#", count: 25) + " 33.1 %",
        "1.60 - 2.00 ms  # 0.8 %",
      ])
    #expect(
      chart(.blocks, columns: 40).lines(of: times) == [
        "1.00 – 1.25 ms  " + String(repeating: "█", count: 16) + " 66.1 %",
        "1.25 – 1.60 ms  " + String(repeating: "█", count: 8) + " 33.1 %",
        "1.60 – 2.00 ms  ▎ 0.8 %",
      ])
  }

  @Test(arguments: [
    [0.3], [0.3, 0.31], [0.001, 900], [0.0001, 5_000_000], [1, 2, 4, 8, 16, 32, 64, 128],
    [0.000_02],
  ])
  func thereAreFewRowsAndNothingIsOutsideThem(times: [Double]) {
    let histogram = histogram(times.map { ($0, 3) })
    let rows = LatencyChart.rows(of: histogram)
    #expect((1...14).contains(rows.count))
    #expect(rows.map(\.count).reduce(0, +) == histogram.count)
    #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.bounds.upperBound == $1.bounds.lowerBound })
    #expect(chart(.ascii).lines(of: histogram).allSatisfy { $0.count <= 80 })
  }

  @Test func noTimesMakeNoChart() {
    #expect(chart(.blocks).lines(of: LatencyHistogram()).isEmpty)
  }

  @Test func blocksAreUsedWhereTheLocaleHasThem() {
    func characters(_ environment: [String: String]) -> LatencyChart.Characters {
      LatencyChart.Characters(environment)
    }
    #expect(characters(["LANG": "de_DE.UTF-8"]) == .blocks)
    #expect(characters(["LANG": "C.utf8"]) == .blocks)
    #expect(characters(["LANG": "en_US.ISO-8859-1"]) == .ascii)
    #expect(characters(["LC_ALL": "C", "LANG": "de_DE.UTF-8"]) == .ascii)
    #expect(characters(["LC_ALL": "", "LC_CTYPE": "C.UTF-8", "LANG": "C"]) == .blocks)
    #expect(characters([:]) == .ascii)
  }
}
