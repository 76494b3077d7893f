import DuxEngine
import DuxLog
import DuxNetwork
import DuxStore
import Glibc

/// The daemon's shell: carries bytes between sockets and the brain, and the brain's wishes to the
/// threads that fulfil them.
///
/// Confined to the thread of its loop.
final class Server {
  private let loop: EventLoop
  private let engine: Engine
  private let storage: StorageThreads
  private let diagnostics: Diagnostics
  /// Makes the tasks of effects, anew after a failure of the disk.
  private let makeEffectTasks: () -> EffectTasks
  private var effectTasks: EffectTasks
  private let wallClockMs: () -> Int64

  private var listeners: [Listener] = []
  private var connections: [ConnectionID: Connection] = [:]
  private var connectionCount: UInt64 = 0
  /// Connections that are being closed.
  private var leaving: [Connection] = []
  private var ticker: LoopTimer?
  private var signals: [SignalWatch] = []
  private var farewell: LoopTimer?
  private(set) var exitStatus: Int32 = 0
  private var isStopping = false
  private var isSayingGoodbye = false

  init(
    loop: EventLoop, engine: Engine, storage: StorageThreads, diagnostics: Diagnostics,
    makeEffectTasks: @escaping () -> EffectTasks, wallClockMs: @escaping () -> Int64
  ) {
    self.loop = loop
    self.engine = engine
    self.storage = storage
    self.diagnostics = diagnostics
    self.makeEffectTasks = makeEffectTasks
    self.effectTasks = makeEffectTasks()
    self.wallClockMs = wallClockMs
  }

  /// How long the loop stays awake for more, once bytes came.
  private static let lingeringUs: UInt32 = 100
  private static let backlog: Int32 = 4_096
  private static let tick = Duration.seconds(1)
  private static let farewellLimit = Duration.milliseconds(500)

  /// Begins to serve.
  ///
  /// - Returns: where it listens, in the order given.
  func start(
    listeningOn endpoints: [Endpoint], andIfFree other: Endpoint?
  ) throws(NetworkError) -> [Endpoint] {
    for endpoint in endpoints { try listen(on: endpoint) }
    if let other {
      do throws(NetworkError) {
        try listen(on: other)
      } catch {
        diagnostics.warning("not listening on \(other): \(error)")
      }
    }
    for number in [SIGTERM, SIGINT, SIGHUP] {
      signals.append(try loop.onSignal(number) { [unowned self] in stop() })
    }
    ticker = loop.timer(after: Self.tick, repeating: Self.tick) { [unowned self] in
      advanceClock()
      engine.tick()
      storage.tidy(now: wallClockMs(), keeping: engine.oldestNeededSeq)
    }
    loop.lingeringUs = Self.lingeringUs
    loop.atEndOfTurn = { [unowned self] in endTurn() }
    advanceClock()
    engine.start()
    return listeners.map(\.endpoint)
  }

  private func listen(on endpoint: Endpoint) throws(NetworkError) {
    let listener = try Listener.listen(on: endpoint, loop: loop, backlog: Self.backlog) {
      [unowned self] in accept($0)
    }
    listener.onRefused = { [unowned self] reason, peers in
      diagnostics.warning("\(peers) connections were turned away: \(reason)")
    }
    listeners.append(listener)
  }

  /// Ends in good order: commits what was taken, says goodbye, and stops the loop.
  func stop() {
    guard !isStopping else { return }
    isStopping = true
    diagnostics.info("stopping")
    listeners.forEach { $0.close() }
    effectTasks.close()
    advanceClock()
    engine.beginShutdown()
  }

  /// Stops at once, without a word to anybody: whether the last commit is on disk only a new start
  /// can tell, and the clients ask again then.
  private func breakOff(_ reason: String) {
    diagnostics.error("\(reason); stopping, since only a new start can tell what is on disk")
    exitStatus = ExitStatus.storage
    loop.stop()
  }

  /// Takes what other threads have to tell.
  func receive(_ messages: [StorageMessage]) {
    advanceClock()
    for message in messages {
      switch message {
      case .commitEnded(let outcome): commitEnded(outcome)
      case .answer(let answer, let token): engine.answer(answer, to: token)
      case .checkpointEnded: engine.checkpointEnded()
      case .figures(let figures): engine.storageChanged(figures)
      case .checkpointWanted: engine.checkpointWanted()
      case .warned(let text): diagnostics.warning(text)
      }
    }
  }

  private func commitEnded(_ outcome: CommitOutcome) {
    switch outcome {
    case .durable: engine.committed()
    case .failed(let fault):
      diagnostics.error("a commit failed: \(fault.text)")
      engine.commitFailed(fault)
    case .lost(let reason): breakOff(reason)
    }
  }

  /// Takes what effects have to tell.
  func receive(_ messages: [EffectTasks.Message]) {
    advanceClock()
    for message in messages {
      switch message.event {
      case .sent(let token, let action):
        engine.sent(action, by: token, taken: message.answered)
        continue
      case .ended(let token): engine.ended(token)
      case .slept(let token): engine.slept(token)
      case .commandStarted(let key, let action): engine.commandSent(action, by: key)
      case .commandTryFailed(let key, let attempts, let error, let wait):
        engine.commandFailed(
          key, attempts: attempts, error: String(describing: error), retryMs: wait.milliseconds)
      case .commandSucceeded(let key, let action): engine.commandEnded(key, action)
      case .commandFailed(let key, let error, let action):
        diagnostics.warning("the command \(key) was given up: \(error)")
        engine.commandEnded(key, action)
      }
      message.answered()
    }
  }

  // A turn of the loop.

  private func advanceClock() {
    engine.advance(nowMs: loop.now.milliseconds, wallMs: wallClockMs())
  }

  private func endTurn() {
    storage.beginTurn()
    HugePages.considerHeap()
    repeat {
      engine.endTurn()
      effectTasks.show { engine.durableStore }
      for effect in engine.takeEffects() { carryOut(effect) }
      engine.flush()
    } while engine.hasWork
    if isStopping { finishStopping() }
  }

  private func carryOut(_ effect: EngineEffect) {
    switch effect {
    case .commit(let commit):
      guard let outcome = storage.commit(commit) else { return }
      commitEnded(outcome)
    case .ask(let question, let token): storage.ask(question, token)
    case .pauseReading(let id): connections[id]?.stopReading()
    case .resumeReading(let id): connections[id]?.startReading()
    case .close(let id): finish(id)
    case .checkpoint(let seq, let time, let state):
      storage.writeCheckpoint(seq: seq, time: time, state: state)
    case .effects(let outputs):
      for output in outputs { carryOut(output) }
    case .resume(let senders): senders.forEach { $0() }
    case .stopEffects:
      effectTasks.close()
      if !isStopping { effectTasks = makeEffectTasks() }
    case .report(let text): diagnostics.warning(text)
    }
  }

  private func carryOut(_ output: EffectOutput<HostedAction>) {
    if case .start(let command) = output {
      effectTasks.start(command, age: .milliseconds(engine.ageMs(of: command.key)))
    } else {
      effectTasks.carryOut(output) { engine.durableStore }
    }
  }

  private func finishStopping() {
    guard engine.isSettled else { return }
    if !isSayingGoodbye {
      isSayingGoodbye = true
      engine.sayGoodbyeToAll()
      farewell = loop.timer(after: Self.farewellLimit, repeating: nil) { [unowned self] in
        loop.stop()
      }
      return endTurn()
    }
    if connections.isEmpty, leaving.allSatisfy(\.isClosed) { loop.stop() }
  }

  // Connections.

  private func accept(_ connection: Connection) {
    advanceClock()
    connectionCount += 1
    let id = ConnectionID(connectionCount)
    connections[id] = connection
    connection.onBytes = { [unowned self] bytes in
      advanceClock()
      engine.received(bytes, from: id)
    }
    connection.onEnd = { [unowned self] error in
      advanceClock()
      if let error {
        diagnostics.debug("connection \(id.value): \(error)")
        close(id)
      } else {
        engine.inputEnded(id)
      }
    }
    connection.onWritable = { [unowned self] in
      advanceClock()
      engine.flush(id)
    }
    engine.connected(id, outlet: connection)
    connection.startReading()
  }

  private func close(_ id: ConnectionID) {
    guard let connection = connections.removeValue(forKey: id) else { return }
    connection.close()
    engine.disconnected(id)
  }

  /// Closes a connection so that the peer still gets all it was sent.
  private func finish(_ id: ConnectionID) {
    guard let connection = connections.removeValue(forKey: id) else { return }
    engine.disconnected(id)
    connection.finish(within: Self.farewellLimit)
    leaving.removeAll(where: \.isClosed)
    leaving.append(connection)
  }
}

extension Connection: Outlet {}
