import DuxJSON
import Testing

@testable import dux

/// A load run driven without sockets and clocks.
struct LoadRunTests {
  private static let second: Int64 = 1_000_000_000

  private static func settings(
    writers: Int = 2, pace: LoadSettings.Pace = .closed(depth: 3), subscribers: Int = 1
  ) -> LoadSettings {
    LoadSettings(
      writers: writers, pace: pace, subscribers: subscribers, valueBytes: 20, items: 10,
      duration: .seconds(2), warm: .seconds(1), parent: JSONPointer(tokens: ["bench"]),
      name: "run", isKept: false)
  }

  /// A run with its connections, and a daemon that says what a test wants.
  private struct Scene {
    var run: LoadRun
    private var cutters: [LineCutter]

    init(_ settings: LoadSettings) {
      run = LoadRun(settings, seed: 1)
      cutters = Array(repeating: LineCutter(), count: settings.connections)
    }

    /// Greets every connection.
    mutating func greet() {
      for writer in 0..<run.settings.writers {
        tell(
          writer: writer,
          #"{"op":"welcome","epoch":"e","seq":5,"client":"c","lastN":0,"heartbeatMs":1,"maxLine":1000}"#
        )
      }
      for subscriber in 0..<run.settings.subscribers {
        tell(
          subscriber: subscriber,
          #"{"op":"snapshot","path":"/bench/run","epoch":"e","seq":5,"missing":true}"#)
      }
    }

    mutating func tell(writer: Int, _ line: String, at now: Int64 = 0) {
      Array((line + "\n").utf8).withUnsafeBytes {
        run.receive($0, by: writer, &cutters[writer], at: now)
      }
    }

    mutating func tell(subscriber: Int, _ line: String, at now: Int64 = 0) {
      let place = run.settings.writers + subscriber
      Array((line + "\n").utf8).withUnsafeBytes {
        run.receive($0, for: subscriber, &cutters[place], at: now)
      }
    }

    mutating func ack(_ change: Int64, writer: Int, at now: Int64) {
      tell(
        writer: writer, #"{"op":"ack","n":\#(change + 1),"seq":\#(change + 6),"changed":true}"#,
        at: now)
    }

    mutating func patch(_ change: Int64, at now: Int64) {
      let value = "g#\(change):" + String(repeating: "x", count: 17 - String(change).utf8.count)
      tell(
        subscriber: 0,
        #"{"op":"patch","path":"/bench/run","seq":\#(change + 6),"time":1,"patch":[{"op":"add","path":"/3/v","value":"\#(value)"}]}"#,
        at: now)
    }

    /// The numbers of the actions that a writer sends.
    mutating func sent(by writer: Int, at now: Int64) throws -> [Int64] {
      var bytes: [UInt8] = []
      run.fill(writer, at: now, into: &bytes)
      return try bytes.split(separator: 0x0A).map {
        try JSON(parsing: Array($0))["n"]?.integerValue ?? 0
      }
    }
  }

  @Test func itBeginsOnceEveryConnectionIsGreeted() {
    var scene = Scene(Self.settings())
    #expect(!scene.run.isReady)
    scene.greet()
    #expect(scene.run.isReady)
    scene.greet()
    #expect(scene.run.readyCount == 3)
  }

  @Test func aClosedLoopSendsAsAcksCome() throws {
    var scene = Scene(Self.settings())
    scene.greet()
    #expect(try scene.sent(by: 0, at: 0).isEmpty, "before it begins")
    scene.run.begin(at: 0)
    #expect(try scene.sent(by: 0, at: 0) == [1, 2, 3])
    #expect(try scene.sent(by: 1, at: 0) == [4, 5, 6])
    #expect(try scene.sent(by: 0, at: 0).isEmpty)
    scene.ack(0, writer: 0, at: 7)
    scene.ack(1, writer: 0, at: 7)
    #expect(try scene.sent(by: 0, at: 7) == [7, 8])
    #expect(try scene.sent(by: 0, at: 3 * Self.second).isEmpty, "at the end")
  }

  @Test func anOpenLoopSendsWhatIsDueWhetherOrNotAcksCome() {
    var scene = Scene(Self.settings(pace: .open(perSecond: 1_000)))
    scene.greet()
    #expect(scene.run.nextDue(at: Self.second) == nil, "before it begins")
    scene.run.begin(at: 100)
    var sent: [(Int, Int64)] = []
    var bytes: [UInt8] = []
    // Late: three are due by now, each at its own time.
    while let (writer, due) = scene.run.nextDue(at: 2_000_100) {
      sent.append((writer, due))
      scene.run.append(by: writer, due: due, to: &bytes)
    }
    #expect(sent.map(\.0) == [0, 1, 0])
    #expect(sent.map(\.1) == [100, 1_000_100, 2_000_100])
  }

  @Test func timesOfAnOpenLoopBeginWhenAnActionWasDue() {
    var scene = Scene(Self.settings(writers: 1, pace: .open(perSecond: 1_000)))
    scene.greet()
    scene.run.begin(at: 0)
    let stall = Self.second + 50_000_000
    var bytes: [UInt8] = []
    // The sender sleeps through all until then; what was due in the window counts from its time.
    while let (writer, due) = scene.run.nextDue(at: stall) {
      scene.run.append(by: writer, due: due, to: &bytes)
    }
    for change in 0..<scene.run.ledger.next {
      scene.patch(change, at: stall)
      scene.ack(change, writer: 0, at: stall)
    }
    #expect(scene.run.ledger.next == 1_051)
    let times = scene.run.ledger.ackTimes
    #expect(times.count == 51)
    #expect(times.greatest == 50_000_000)
    #expect(scene.run.ledger.lastTimes.greatest == 50_000_000)
  }

  @Test func whatADaemonTooSlowLeavesUnsentIsCounted() {
    var scene = Scene(Self.settings(writers: 1, pace: .open(perSecond: 1_000_000)))
    scene.greet()
    scene.run.begin(at: 0)
    var bytes: [UInt8] = []
    while let (writer, due) = scene.run.nextDue(at: 3 * Self.second) {
      scene.run.append(by: writer, due: due, to: &bytes)
    }
    let sent = Int(scene.run.ledger.next)
    #expect(sent == scene.run.settings.inFlightLimit)
    scene.run.closeSchedule()
    // Those of the first moment and of each 200 µs until the end.
    #expect(scene.run.heldBack == 3_000_000 - 200 + 1 - sent)
  }

  @Test func deliveriesAreCountedWithinTheWindowHoweverTheyAreCut() {
    var scene = Scene(Self.settings(writers: 1))
    scene.greet()
    scene.run.begin(at: 0)
    var bytes: [UInt8] = []
    scene.run.fill(0, at: Self.second, into: &bytes)
    for change in 0..<3 as Range<Int64> { scene.patch(change, at: Self.second + change) }
    #expect(scene.run.ledger.deliveredInWindow == 3)
    #expect(scene.run.deliveredBytes > 3 * 100)
    for change in 0..<3 as Range<Int64> { scene.ack(change, writer: 0, at: Self.second + 10) }
    #expect(scene.run.ledger.isSettled)
    #expect(scene.run.ledger.finalFaults() == LoadFaults())
  }

  @Test func linesWrittenInAnotherWayAreReadAsJSON() {
    var scene = Scene(Self.settings(writers: 1))
    scene.greet()
    scene.run.begin(at: 0)
    var bytes: [UInt8] = []
    scene.run.fill(0, at: 0, into: &bytes)
    scene.tell(
      subscriber: 0,
      #"{"path":"/bench/run","op":"patch","patch":[{"value":{"v":"g#0:xx"},"op":"add","path":"/3"}],"seq":6}"#
    )
    scene.tell(writer: 0, #"{"seq":6,"changed":true,"op":"ack","n":1}"#)
    scene.tell(
      writer: 0, #"{"op":"reject","n":2,"code":"storage_full","message":"m","final":false}"#)
    scene.tell(subscriber: 0, #"{"op":"mark","path":"/bench/run","seq":9}"#)
    #expect(scene.run.ledger.delivered == 1)
    #expect(scene.run.ledger.acked == 1)
    #expect(scene.run.ledger.finalFaults().refused == 1)
    #expect(scene.run.ledger.finalFaults().firstRefusal == "storage_full: m")
  }

  @Test func strangeLinesAreCountedAndEndingsTold() {
    var scene = Scene(Self.settings())
    scene.greet()
    scene.tell(writer: 0, "nonsense")
    scene.tell(
      subscriber: 0,
      #"{"op":"patch","path":"/bench/run","seq":9,"patch":[{"op":"remove","path":""}]}"#)
    let faults = scene.run.ledger.finalFaults()
    #expect(faults.unreadable == 1)
    #expect(faults.strangers == 1)
    #expect(scene.run.problem == nil)
    scene.tell(writer: 1, #"{"op":"bye","code":"shutting_down","message":"m","retryMs":5}"#)
    scene.tell(writer: 1, #"{"op":"error","code":"internal","message":"second"}"#)
    #expect(scene.run.problem?.message == "shutting_down: m")
  }

  @Test func aSnapshotInTheMiddleStandsForWhatItHolds() {
    var scene = Scene(Self.settings(writers: 1))
    scene.greet()
    scene.run.begin(at: 0)
    var bytes: [UInt8] = []
    scene.run.fill(0, at: 0, into: &bytes)
    for change in 0..<3 as Range<Int64> { scene.ack(change, writer: 0, at: 1) }
    scene.tell(
      subscriber: 0,
      #"{"op":"snapshot","path":"/bench/run","epoch":"e","seq":8,"reason":"lagged","state":{}}"#)
    #expect(scene.run.ledger.isSettled)
    #expect(scene.run.ledger.finalFaults().replaced == 3)
  }

  @Test func endingEarlyKeepsWhatWasMeasured() {
    var scene = Scene(Self.settings())
    scene.run.begin(at: 0)
    scene.run.stop(at: Self.second * 3 / 2)
    #expect(scene.run.measured == .milliseconds(500))
    var warming = Scene(Self.settings())
    warming.run.begin(at: 0)
    warming.run.stop(at: Self.second / 2)
    #expect(warming.run.measured == .zero)
  }

  @Test(arguments: [1, 7, 1_000, 5_000, 5_001, 60_000, 1_000_000])
  func aScheduleKeepsItsRate(rate: Int) {
    let pacing = Pacing(perSecond: rate)
    let times = (0...Int64(rate)).map(pacing.due)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(times.first == 0)
    #expect(times.last == Self.second)
    for time in [0, 1, 200_000, 200_001, Self.second, Self.second + 1] {
      let count = pacing.count(before: time)
      #expect(count == 0 || pacing.due(count - 1) < time)
      #expect(pacing.due(count) >= time)
    }
    #expect(pacing.tick >= 200_000)
  }

  @Test func itemsAreChosenEvenlyAndTheSameForTheSameSeed() {
    var choice = ItemChoice(count: 10, seed: 7)
    var same = ItemChoice(count: 10, seed: 7)
    var counts = [Int](repeating: 0, count: 10)
    for _ in 0..<10_000 {
      let item = choice.next()
      #expect(item == same.next())
      counts[item] += 1
    }
    #expect(counts.allSatisfy { (800...1_200).contains($0) })
    var zero = ItemChoice(count: 10, seed: 0)
    #expect((0..<9).contains { _ in zero.next() != 0 })
  }

  @Test func anAbsurdLoadIsRefusedByName() {
    func message(_ change: (inout LoadSettings) -> Void) -> String {
      var settings = Self.settings()
      change(&settings)
      do throws(Failure) {
        try settings.check(descriptors: 1_000)
        try settings.check(maximumLineBytes: 1_000, maximumStateBytes: 10_000)
        return ""
      } catch {
        return error.message
      }
    }
    #expect(message { _ in } == "")
    #expect(
      message { $0.subscribers = 998 }.hasPrefix(
        "2 writers and 998 subscribers need 1,024 descriptors, and this process may have 1,000"))
    #expect(
      message {
        $0.writers = 900; $0.pace = .closed(depth: 1_000)
      }.hasPrefix(
        "--writers 900 times --depth 1000 is 900,000 actions on their way"))
    #expect(message { $0.valueBytes = 2_000 }.hasPrefix("--size 2000: the daemon takes lines of"))
    #expect(message { $0.items = 1_000 }.hasPrefix("--items 1000 of --size 20 would be"))
  }
}
