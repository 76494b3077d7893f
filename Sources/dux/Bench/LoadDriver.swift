import DuxCommandLine
import DuxJSON
import DuxNetwork
import DuxProtocol
import Glibc

/// Carries out a load run: connections, clocks and signals on one thread.
///
/// What to send and what it means is the business of ``LoadRun``.
final class LoadDriver {
  private enum Phase {
    case connecting
    case sending
    case draining
    case over
  }

  private let call: Call
  private let loop: EventLoop
  private(set) var run: LoadRun
  private let connections: [LoadConnection]
  private let progress: LoadProgress
  private let daemon: ProcessUse?
  private var pacer: Pacer?
  private var phase = Phase.connecting
  /// How many connections were begun.
  private var begunCount = 0
  private var ending = LoadReport.Ending.complete
  private var failure: Failure?
  private var lastHeard: Int64 = 0
  private var drainBegan: Int64 = 0
  private var windowUse: Use?

  /// What was used of the processors, and when.
  private struct Use {
    var time = MonotonicClock.now
    var thread = MonotonicClock.threadTime
    var process = MonotonicClock.processTime
    var daemon: Double?
  }

  /// Connections that are being made at a time.
  private static let greatestConnecting = 64
  private static let checkPeriod = Duration.milliseconds(10)

  /// What was used within the window, by this process and the daemon's.
  private(set) var generator = LoadReport.Generator(busyShare: 0, microsecondsPerDelivery: nil)
  private(set) var daemonShare: Double?

  /// Makes a driver of a run that has not begun.
  init(_ call: Call, _ settings: LoadSettings, daemon: ProcessUse?) throws(Failure) {
    self.call = call
    self.daemon = daemon
    run = LoadRun(settings, seed: UInt32.random(in: 1 ... .max))
    progress = LoadProgress(call)
    connections =
      (0..<settings.writers).map { LoadConnection(.writer($0)) }
      + (0..<settings.subscribers).map { LoadConnection(.subscriber($0)) }
    do throws(NetworkError) {
      loop = try EventLoop()
    } catch {
      throw Failure(.internal, error.description)
    }
  }

  /// Runs it to its end.
  ///
  /// - Throws: when it could not begin; what ends it later is in the ending.
  func perform() throws(Failure) -> LoadReport.Ending {
    do throws(NetworkError) {
      for number in [SIGINT, SIGTERM] {
        _ = try loop.onSignal(number) { [unowned self] in interrupt() }
      }
    } catch {
      throw Failure(.internal, error.description)
    }
    lastHeard = MonotonicClock.now
    loop.timer(after: Self.checkPeriod, repeating: Self.checkPeriod) { [unowned self] in check() }
    connectMore()
    loop.run()
    pacer?.stop()
    connections.forEach { $0.close() }
    loop.close()
    if let failure { throw failure }
    run.closeSchedule()
    return ending
  }

  private func connectMore() {
    while begunCount < connections.count, begunCount - run.readyCount < Self.greatestConnecting {
      let connection = connections[begunCount]
      begunCount += 1
      connection.outgoing += greeting(of: connection.role)
      connection.start(to: call.endpoint, loop: loop) { [unowned self, unowned connection] in
        received($0, connection)
      } ended: { [unowned self, unowned connection] in
        lost("\(connection.role.name): \($0)")
      }
    }
  }

  private func greeting(of role: LoadConnection.Role) -> [UInt8] {
    var writer = LineWriter()
    switch role {
    case .writer(let index):
      writer.hello(client: "\(call.client)-w\(index)")
      if index == 0 {
        let path = run.settings.path.description
        writer.presence(["program": "dux bench", "path": .string(path)], id: nil)
      }
    case .subscriber(let index):
      writer.hello(client: "\(call.client)-s\(index)")
      writer.subscribe(path: run.settings.path, position: nil, withActions: false)
    }
    return writer.bytes
  }

  private func received(_ bytes: UnsafeRawBufferPointer, _ connection: LoadConnection) {
    let now = MonotonicClock.now
    lastHeard = now
    switch connection.role {
    case .writer(let index):
      run.receive(bytes, by: index, &connection.cutter, at: now)
      if phase == .sending { fill(connection, index, at: now) }
    case .subscriber(let index):
      run.receive(bytes, for: index, &connection.cutter, at: now)
    }
    if phase == .connecting { connectingWentOn() }
    if let problem = run.problem { refused(problem) }
  }

  private func connectingWentOn() {
    guard run.problem == nil else { return }
    if run.isReady { begin() } else { connectMore() }
  }

  private func begin() {
    phase = .sending
    let now = MonotonicClock.now
    run.begin(at: now)
    loop.timer(after: run.settings.warm) { [unowned self] in openWindow() }
    // The loop's time is that of its turn's beginning, a little before the run's.
    let end = run.settings.warm + run.settings.duration + .milliseconds(5)
    loop.timer(after: end) { [unowned self] in
      if phase == .sending { stopSending() }
    }
    progress.begin(on: loop) { [unowned self] in
      (run.ledger.acked, run.ledger.delivered, run.takeRecent())
    }
    switch run.settings.pace {
    case .closed:
      for (index, connection) in connections.prefix(run.settings.writers).enumerated() {
        fill(connection, index, at: now)
      }
    case .open(let rate):
      do throws(NetworkError) {
        let tick = Pacing(perSecond: rate).tick
        pacer = try Pacer(on: loop, from: now, every: tick) { [unowned self] in sendDue() }
      } catch {
        fail(Failure(.internal, error.description))
      }
    }
  }

  private func fill(_ connection: LoadConnection, _ writer: Int, at now: Int64) {
    run.fill(writer, at: now, into: &connection.outgoing)
    connection.flush()
  }

  private func sendDue() {
    guard phase == .sending, pacer != nil else { return }
    let now = MonotonicClock.now
    var touched: Set<Int> = []
    while let (writer, due) = run.nextDue(at: now) {
      run.append(by: writer, due: due, to: &connections[writer].outgoing)
      touched.insert(writer)
    }
    for writer in touched { connections[writer].flush() }
  }

  private func openWindow() {
    guard phase == .sending else { return }
    windowUse = Use(daemon: daemon?.seconds())
  }

  private func stopSending() {
    guard phase == .sending else { return }
    // What was due until now and met no tick yet.
    sendDue()
    phase = .draining
    drainBegan = MonotonicClock.now
    run.stop(at: drainBegan)
    progress.end()
    measureUse()
  }

  private func measureUse() {
    guard let before = windowUse else { return }
    windowUse = nil
    let after = Use(daemon: daemon?.seconds())
    let wall = Double(max(1, after.time - before.time))
    let deliveries = run.ledger.deliveredInWindow
    generator = LoadReport.Generator(
      busyShare: Double(after.thread - before.thread) / wall,
      microsecondsPerDelivery: deliveries > 0
        ? Double(after.process - before.process) / 1e3 / Double(deliveries) : nil)
    if let first = before.daemon, let second = after.daemon {
      daemonShare = (second - first) * 1e9 / wall
    }
  }

  /// Looks every now and then whether the daemon is silent, and whether everything has arrived.
  private func check() {
    let now = MonotonicClock.now
    let limit = call.timeout.nanoseconds
    switch phase {
    case .connecting, .sending:
      let isOwed = phase == .connecting || !run.ledger.isSettled
      guard isOwed, now - lastHeard > limit else { return }
      lost("the daemon did not answer within \(DurationText.text(call.timeout))")
    case .draining:
      if run.ledger.isSettled || now - drainBegan > limit { finish() }
    case .over:
      return
    }
  }

  /// Ends the sending; when asked again, the waiting for what is still on its way too.
  private func interrupt() {
    switch phase {
    case .connecting:
      fail(Failure(.interrupted, "interrupted before the run began"))
    case .sending:
      ending = .interrupted
      stopSending()
    case .draining:
      ending = .interrupted
      finish()
    case .over:
      return
    }
  }

  private func lost(_ reason: String) {
    switch phase {
    case .connecting:
      fail(Failure(.unavailable, reason.printable))
    case .sending, .draining:
      stopSending()
      ending = .broken(reason.printable)
      finish()
    case .over:
      return
    }
  }

  private func refused(_ problem: Failure) {
    if phase == .connecting { fail(problem) } else { lost(problem.message) }
  }

  private func fail(_ failure: Failure) {
    guard phase != .over else { return }
    self.failure = failure
    finish()
  }

  private func finish() {
    phase = .over
    progress.end()
    loop.stop()
  }
}
