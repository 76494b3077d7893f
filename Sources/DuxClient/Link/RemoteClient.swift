package import DuxEngine
package import DuxNetwork

/// A session with a daemon, carried by a socket: connects, keeps time, sends and receives.
///
/// What to say and when is decided by ``RemoteSession``; this obeys. It belongs to its loop's thread.
package final class RemoteClient {
  /// Where the daemon is.
  package let endpoint: Endpoint
  /// Why the last attempt to connect, or the last connection, failed.
  package private(set) var lastError: NetworkError?

  private let loop: EventLoop
  private let session: RemoteSession
  private let onEvent: (RemoteSession.Event) -> Void
  /// What is to be written to the journal, in order, where the session has one.
  var onJournal: ((JournalChange) -> Void)?

  private var connecting: Connecting?
  private var connection: Connection?
  private var retry: LoopTimer?
  private var patience: LoopTimer?
  private var ticker: LoopTimer?
  /// Bytes that the system has not taken yet, from `sent` on.
  private var backlog: [UInt8] = []
  private var sent = 0
  private var isObeying = false

  private static let tick = Duration.milliseconds(250)
  /// For an address that swallows what is sent to it.
  private static let connectLimit = Duration.seconds(10)

  /// Makes a client that has not begun.
  ///
  /// `onEvent` is called on the loop, for one event after the other, never from inside itself.
  package init(
    to endpoint: Endpoint, loop: EventLoop, configuration: RemoteSession.Configuration,
    onEvent: @escaping (RemoteSession.Event) -> Void
  ) {
    self.endpoint = endpoint
    self.loop = loop
    self.onEvent = onEvent
    session = RemoteSession(configuration, seed: UInt64.random(in: .min ... .max))
  }

  /// Asks something of the session, then does what it wants done.
  @discardableResult
  package func ask<Answer>(_ body: (RemoteSession) -> Answer) -> Answer {
    session.advance(nowMs: loop.now.milliseconds, wallMs: WallClock.nowMs)
    let answer = body(session)
    obey()
    return answer
  }

  /// Begins the session.
  package func start() {
    ticker = loop.timer(after: Self.tick, repeating: Self.tick) { [unowned self] in
      ask { $0.tick() }
    }
    ask { $0.start() }
  }

  /// Ends the session; what was not sent yet is dropped.
  package func stop() {
    ask { $0.end() }
    ticker?.cancel()
  }

  /// Leaves what the daemon sends with the system, or takes it again.
  var isReading = true {
    didSet {
      session.isReading = isReading
      guard isReading != oldValue, let connection else { return }
      if isReading { connection.startReading() } else { connection.stopReading() }
    }
  }

  /// Does what the session wants, also what it wants because of an event told on the way.
  private func obey() {
    guard !isObeying else { return }
    isObeying = true
    defer { isObeying = false }
    while true {
      let effects = session.takeEffects()
      guard !effects.isEmpty else { return }
      for effect in effects { carryOut(effect) }
    }
  }

  private func carryOut(_ effect: RemoteSession.Effect) {
    switch effect {
    case .connect:
      connect()
    case .connectLater(let afterMs, _):
      retry?.cancel()
      retry = loop.timer(after: .milliseconds(afterMs)) { [unowned self] in connect() }
    case .send(let bytes):
      backlog.append(contentsOf: bytes)
      flush()
    case .disconnect:
      disconnect()
    case .keep(let step):
      onJournal?(.keep(step))
    case .forget(let token):
      onJournal?(.forget(token))
    case .event(let event):
      onEvent(event)
    }
  }

  private func connect() {
    let attempt = Connection.connect(to: endpoint, loop: loop) { [unowned self] result in
      patience?.cancel()
      connecting = nil
      switch result {
      case .success(let connection): adopt(connection)
      case .failure(let error): lose(error)
      }
    }
    connecting = attempt
    patience = loop.timer(after: Self.connectLimit) { [unowned self] in
      attempt.cancel()
      connecting = nil
      ask { $0.disconnected("no answer from \(endpoint) within \(Self.connectLimit)") }
    }
  }

  private func adopt(_ connection: Connection) {
    self.connection = connection
    lastError = nil
    connection.onBytes = { [unowned self] bytes in ask { $0.received(bytes) } }
    connection.onWritable = { [unowned self] in flush() }
    connection.onEnd = { [unowned self] error in
      disconnect()
      lose(error)
    }
    if isReading { connection.startReading() }
    ask { $0.connected() }
  }

  private func lose(_ error: NetworkError?) {
    lastError = error
    ask { $0.disconnected(error?.description ?? "the daemon hung up") }
  }

  private func disconnect() {
    connection?.close()
    connection = nil
    connecting?.cancel()
    connecting = nil
    patience?.cancel()
    retry?.cancel()
    backlog = []
    sent = 0
  }

  private func flush() {
    guard let connection else { return }
    sent += backlog.withUnsafeBytes { bytes in
      connection.write(UnsafeRawBufferPointer(rebasing: bytes[sent...]))
    }
    if sent == backlog.count {
      backlog.removeAll(keepingCapacity: backlog.capacity <= Self.keptBacklogBytes)
      sent = 0
    }
  }

  private static let keptBacklogBytes = 1 << 20
}
