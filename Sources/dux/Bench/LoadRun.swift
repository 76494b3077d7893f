import DuxJSON
import DuxLog
import DuxProtocol

/// A load run as a value: told what comes and when, it says what to send and keeps the counts.
///
/// It does no I/O and reads no clock. Times are nanoseconds of one clock.
struct LoadRun {
  let settings: LoadSettings
  private let lines: LoadLines
  private let pacing: Pacing?
  private(set) var ledger: ChangeLedger
  /// Connections that may begin.
  private(set) var readyCount = 0
  /// Why the run can't go on; the first reason counts.
  private(set) var problem: Failure?
  /// Bytes that subscribers got within the window.
  private(set) var deliveredBytes = 0
  /// Actions that were due and not sent, since too many were on their way.
  private(set) var heldBack = 0

  private var isSubscribed: [Bool]
  private var isGreeted: [Bool]
  private var end: Int64 = .min
  private var scheduled: Int64 = 0
  private var items: ItemChoice

  /// Makes a run that has not begun.
  init(_ settings: LoadSettings, seed: UInt32) {
    self.settings = settings
    lines = LoadLines(path: settings.path, valueBytes: settings.valueBytes)
    ledger = ChangeLedger(
      writers: settings.writers, subscribers: settings.subscribers,
      inFlightLimit: settings.inFlightLimit)
    isSubscribed = Array(repeating: false, count: settings.subscribers)
    isGreeted = Array(repeating: false, count: settings.writers)
    items = ItemChoice(count: settings.items, seed: seed)
    if case .open(let rate) = settings.pace {
      pacing = Pacing(perSecond: rate)
    } else {
      pacing = nil
    }
  }

  /// Whether every connection may begin.
  var isReady: Bool { readyCount == settings.connections }

  /// Begins to send: what happens after the time to warm up and until the end counts.
  mutating func begin(at now: Int64) {
    let start = now + settings.warm.nanoseconds
    begun = now
    end = start + settings.duration.nanoseconds
    ledger.window = start..<end
  }

  private var begun: Int64 = 0

  /// Ends the sending early; what was counted until now stays.
  mutating func stop(at now: Int64) {
    guard now < end else { return }
    end = now
    let start = min(ledger.window.lowerBound, now)
    ledger.window = start..<now
  }

  /// How long was measured.
  var measured: Duration {
    end == .min ? .zero : .nanoseconds(ledger.window.upperBound - ledger.window.lowerBound)
  }

  /// Appends what a writer of a closed loop has to send now.
  mutating func fill(_ writer: Int, at now: Int64, into bytes: inout [UInt8]) {
    guard case .closed(let depth) = settings.pace, now < end else { return }
    while ledger.writers[writer].inFlight < depth {
      guard append(by: writer, due: now, to: &bytes) else { return }
    }
  }

  /// The writer whose turn it is to send an action that is due; `nil` when none is due yet.
  mutating func nextDue(at now: Int64) -> (writer: Int, due: Int64)? {
    guard let pacing, end != .min else { return nil }
    let due = begun + pacing.due(scheduled)
    guard due <= now, due < end else { return nil }
    guard ledger.hasRoom else { return nil }
    defer { scheduled += 1 }
    return (Int(scheduled % Int64(settings.writers)), due)
  }

  /// Appends one action of a writer; `false` when there is no room for it.
  @discardableResult
  mutating func append(by writer: Int, due: Int64, to bytes: inout [UInt8]) -> Bool {
    guard let change = ledger.send(by: writer, due: due) else { return false }
    lines.append(change: change, item: items.next(), to: &bytes)
    return true
  }

  /// The times of the acks since this was last asked.
  mutating func takeRecent() -> LatencyHistogram { ledger.takeRecent() }

  /// Counts what was due until the end and not sent.
  mutating func closeSchedule() {
    guard let pacing, end != .min else { return }
    heldBack = Int(max(0, pacing.count(before: end - begun) - scheduled))
  }

  /// Takes the bytes that a writer's connection brought.
  mutating func receive(
    _ bytes: UnsafeRawBufferPointer, by writer: Int, _ cutter: inout LineCutter, at now: Int64
  ) {
    cutter.cut(bytes) { line in
      if let ack = lines.ack(in: line) {
        ledger.acknowledge(ack.n - 1, seq: ack.seq, by: writer, at: now)
      } else {
        takeWhole(line, by: writer, at: now)
      }
    }
  }

  /// Takes the bytes that a subscriber's connection brought.
  mutating func receive(
    _ bytes: UnsafeRawBufferPointer, for subscriber: Int, _ cutter: inout LineCutter, at now: Int64
  ) {
    let before = ledger.delivered
    cutter.cut(bytes) { line in
      if let delivery = lines.delivery(in: line) {
        ledger.deliver(delivery.change, seq: delivery.seq, to: subscriber, at: now)
      } else {
        takeWhole(line, for: subscriber, at: now)
      }
    }
    guard ledger.window.contains(now) else { return }
    ledger.deliveredInWindow &+= ledger.delivered &- before
    deliveredBytes &+= bytes.count
  }

  private mutating func takeWhole(
    _ line: UnsafeRawBufferPointer, by writer: Int, at now: Int64
  ) {
    switch read(line) {
    case .welcome(let welcome)?:
      check(welcome)
      guard !isGreeted[writer] else { return }
      isGreeted[writer] = true
      readyCount += 1
    case .settled(let settlement)?:
      let change = (settlement.n ?? 0) &- 1
      switch settlement.result {
      case .success(let accepted):
        ledger.acknowledge(change, seq: accepted.seq.value, by: writer, at: now)
      case .failure(let failure):
        ledger.refuse(change, by: writer, Failure.text(of: failure))
      }
    case .error(let failure, _)?, .bye(let failure, _)?:
      fail(Failure(failure))
    default:
      return
    }
  }

  private mutating func takeWhole(
    _ line: UnsafeRawBufferPointer, for subscriber: Int, at now: Int64
  ) {
    switch read(line) {
    case .snapshot(let snapshot)?:
      guard isSubscribed[subscriber] else {
        isSubscribed[subscriber] = true
        readyCount += 1
        return ledger.begin(subscriber, at: snapshot.position.seq.value)
      }
      ledger.replace(upTo: snapshot.position.seq.value, for: subscriber)
    case .patch(let patch)?:
      let changes = LoadLines.changes(in: line)
      if let change = changes.first, changes.count == 1 {
        ledger.deliver(change, seq: patch.seq.value, to: subscriber, at: now)
      } else {
        ledger.deliverStranger(seq: patch.seq.value, to: subscriber)
      }
    case .error(let failure, _)?, .bye(let failure, _)?:
      fail(Failure(failure))
    default:
      return
    }
  }

  private mutating func read(_ line: UnsafeRawBufferPointer) -> ServerMessage? {
    do throws(RequestError) {
      return try ServerMessage(line)
    } catch {
      ledger.countUnreadable()
      return nil
    }
  }

  private mutating func check(_ welcome: ServerMessage.Welcome) {
    do throws(Failure) {
      try settings.check(
        maximumLineBytes: welcome.maximumLineBytes,
        maximumStateBytes: welcome.json["maxState"]?.integerValue.map { Int($0) })
    } catch {
      fail(error)
    }
  }

  private mutating func fail(_ failure: Failure) {
    if problem == nil { problem = failure }
  }
}
