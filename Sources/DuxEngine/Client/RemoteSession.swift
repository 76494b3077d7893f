package import DuxJSON
package import DuxLog
package import DuxProtocol

/// The client's brain: one session with a daemon that lives across many connections.
///
/// It does no I/O and reads no clock. Requests and what the network does come in; lines to send,
/// connections to make and news for the program come out of ``takeEffects()``.
///
/// Steps are numbered and kept until their outcome is known. After a new connection they are sent
/// again in order under their numbers, so each takes effect once. Subscriptions go on from the
/// position they hold. Reads are asked again.
package final class RemoteSession {
  /// What the session is told once.
  package struct Configuration: Sendable {
    /// The client's name; must be its own, for another connection of the same name ends this one.
    package var client: String
    package var backoff: Backoff
    /// A connection that lasted so long starts the backoff over, in milliseconds.
    package var steadyMs: Int64
    /// Steps on their way at a time.
    package var window: Int

    /// Makes a configuration.
    package init(client: String, backoff: Backoff, steadyMs: Int64, window: Int) {
      self.client = client
      self.backoff = backoff
      self.steadyMs = steadyMs
      self.window = window
    }
  }

  /// What the session wants done, or has to tell.
  package enum Effect: Sendable {
    case connect
    /// Connect after a wait, in milliseconds; the text says why.
    case connectLater(afterMs: Int64, reason: String)
    case send([UInt8])
    case disconnect
    case event(Event)
  }

  /// News for the program.
  package enum Event: Sendable {
    /// The daemon answered; from now on requests are served.
    case live(ServerMessage.Welcome)
    /// The connection is gone and will be made again.
    case waiting(afterMs: Int64, reason: String)
    /// The session is over.
    case ended(ServerMessage.Failure)
    case snapshot(Replica, reason: String?)
    /// The subscription goes on behind a seq; what came since, up to the head, follows.
    case resumed(Replica, from: SequenceNumber, head: SequenceNumber)
    case patch(ServerMessage.Patch, before: JSON?, Replica)
    case mark(path: String, seq: SequenceNumber)
    case settled(Step, ServerMessage.Settlement)
    /// A step was refused for the moment; it is sent again, as a new request, after a wait.
    case postponed(ServerMessage.Failure, afterMs: Int64)
    case answer(ReadTicket, op: String, json: JSON, isLast: Bool)
    case failed(ReadTicket?, ServerMessage.Failure)
  }

  /// A step that was asked for, by the order of asking, from 0.
  package struct Step: Hashable, Sendable {
    package let index: Int
  }

  /// A read that was asked for.
  package struct ReadTicket: Hashable, Sendable {
    package let number: Int64
  }

  enum Link: Equatable {
    case idle
    case connecting
    case greeting
    case live(sinceMs: Int64)
    case ended
  }

  let configuration: Configuration
  var backoff: Backoff
  var random: SplitMix64
  var link = Link.idle
  var effects: [Effect] = []
  var outgoing = LineWriter()

  var inbox: [UInt8] = []
  var scanner = LineScanner()
  var nowMs: Int64 = 0
  var lastReceivedMs: Int64 = 0
  var lastPingMs: Int64 = 0
  var lastTickMs: Int64 = 0
  var heartbeatMs: Int64 = 15_000
  var maximumLineBytes = Int.max
  /// What the daemon said before it hung up.
  var farewell: (ServerMessage.Failure, retryMs: Int64)?

  var steps = StepQueue()
  /// When steps that were refused for the moment are sent again; `nil` while none are.
  var resendAtMs: Int64?
  var refusalBackoff: Backoff
  /// The number of the next step that has none yet.
  var nextN: Int64 = 1
  /// The last number whose outcome the daemon knew when it greeted this connection.
  var welcomedN: Int64 = 0
  var subscriptions: [ByteText: Subscribing] = [:]
  var reads: [(ticket: ReadTicket, read: Read)] = []
  private var readCount: Int64 = 0

  struct Subscribing {
    let path: JSONPointer
    let withActions: Bool
    var replica: Replica
  }

  enum Read {
    case get(path: JSONPointer, at: SequenceNumber?)
    case log(Request.LogRange)
    case effects(limit: Int)
    case cancel(key: String)
    case status
    case ping
  }

  /// Makes a session that has not begun; the seed, for its backoff, differs from client to client.
  package init(_ configuration: Configuration, seed: UInt64) {
    self.configuration = configuration
    self.backoff = configuration.backoff
    self.refusalBackoff = configuration.backoff
    self.random = SplitMix64(seed: seed)
  }

  /// What is to be done and told, in order; each is given once.
  package func takeEffects() -> [Effect] {
    flush()
    defer { effects = [] }
    return effects
  }

  func flush() {
    guard !outgoing.bytes.isEmpty else { return }
    effects.append(.send(outgoing.bytes))
    outgoing.bytes.removeAll(keepingCapacity: true)
  }

  /// Begins the session.
  package func start() {
    guard link == .idle else { return }
    link = .connecting
    effects.append(.connect)
  }

  /// Steps whose outcome is not known.
  package var unsettledStepCount: Int { steps.count }

  /// Asks for a step, under preconditions as in the protocol's `if`.
  package func dispatch(_ actions: [JSON], preconditions: [JSON]) -> Step {
    let step = steps.append(actions: actions, preconditions: preconditions)
    sendSteps()
    return step
  }

  /// Subscribes to a path, once for each; goes on from a copy held from before, where there is one.
  package func subscribe(
    to path: JSONPointer, withActions: Bool, from replica: Replica? = nil
  ) {
    let text = path.description
    let subscribing = Subscribing(
      path: path, withActions: withActions, replica: replica ?? Replica(path: text))
    subscriptions[ByteText(text)] = subscribing
    if isLive { send(subscribing) }
  }

  /// Asks for the value at a path, now or as it was.
  package func get(_ path: JSONPointer, at seq: SequenceNumber?) -> ReadTicket {
    read(.get(path: path, at: seq))
  }

  /// Asks for entries of the log.
  package func log(_ range: Request.LogRange) -> ReadTicket {
    read(.log(range))
  }

  /// Asks which effects have not ended.
  package func effects(limit: Int) -> ReadTicket {
    read(.effects(limit: limit))
  }

  /// Asks for the end of an effect.
  ///
  /// It is asked for again after a lost connection, so the daemon may answer that there is none
  /// because the first try has cancelled it already.
  package func cancel(key: String) -> ReadTicket {
    read(.cancel(key: key))
  }

  /// Asks how the daemon is.
  package func status() -> ReadTicket {
    read(.status)
  }

  /// Asks for a sign of life.
  package func ping() -> ReadTicket {
    read(.ping)
  }

  private func read(_ read: Read) -> ReadTicket {
    readCount += 1
    let ticket = ReadTicket(number: readCount)
    reads.append((ticket, read))
    if isLive { send(read, ticket) }
    return ticket
  }

  var isLive: Bool {
    if case .live = link { return true }
    return false
  }
}
