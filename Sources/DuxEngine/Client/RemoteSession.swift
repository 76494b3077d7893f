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
    /// Whether a journal keeps the steps.
    package var journal = Journal.absent
    /// The app that the daemon must serve, and what this program knows of it; `nil`: any.
    package var expectedApp: String?
    /// Bytes of the longest line that the daemon may send, and of the largest value that is held.
    ///
    /// A line can hold the whole state, which takes 256 MiB by default, with some words around it; the
    /// double leaves room for both and still is an amount that ends.
    package var longestLineBytes = 512 << 20

    /// Makes a configuration.
    package init(client: String, backoff: Backoff, steadyMs: Int64, window: Int) {
      self.client = client
      self.backoff = backoff
      self.steadyMs = steadyMs
      self.window = window
    }
  }

  /// Whether steps outlive the program.
  package enum Journal: Sendable {
    case absent
    /// Each step is written down; its number, before it is sent.
    case present
  }

  /// What the session wants done, or has to tell.
  package enum Effect: Sendable {
    case connect
    /// Connect after a wait, in milliseconds; the text says why.
    case connectLater(afterMs: Int64, reason: String)
    case send([UInt8])
    case disconnect
    /// Write a step to the journal, in place of what it holds under the same token;
    /// ``RemoteSession/kept(_:n:)`` tells when it is durable. Kept and forgotten in the order of the
    /// effects.
    case keep(QueuedStep)
    /// Take a step out of the journal.
    case forget(RequestToken)
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
    /// The copy is whole, and another than it was. Steps of ours that are on their way are uncertain:
    /// it may hold them or not.
    case snapshot(Replica, reason: String?, uncertain: [Step])
    /// The subscription goes on behind a seq; what came since, up to the head, follows.
    case resumed(Replica, from: SequenceNumber, head: SequenceNumber)
    /// A step was taken; `own` is the step of ours that it is, if it is one that is not settled yet.
    case patch(ServerMessage.Patch, before: JSON?, Replica, own: Step?)
    case mark(path: String, seq: SequenceNumber)
    case settled(Step, ServerMessage.Settlement)
    /// A step was refused for the moment; it is sent again, as a new request, after a wait.
    case postponed(ServerMessage.Failure, afterMs: Int64)
    /// A step that was sent certainly had no effect, and will be sent anew.
    case returned(Step)
    /// A step was taken back before it was sent.
    case cancelled(Step)
    /// How the connection is has changed.
    case status(ConnectionStatus)
    case answer(ReadTicket, op: String, json: JSON, isLast: Bool)
    case failed(ReadTicket?, ServerMessage.Failure)
  }

  /// A step that was asked for.
  package typealias Step = RequestToken

  /// A read that was asked for.
  package struct ReadTicket: Hashable, Sendable {
    package let number: Int64
  }

  enum Link: Equatable {
    case idle
    case connecting
    case greeting
    case live(sinceMs: Int64)
    case suspended
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
  var wallMs: Int64 = 0
  var lastReceivedMs: Int64 = 0
  var lastPingMs: Int64 = 0
  var lastTickMs: Int64 = 0
  var lastWallTickMs: Int64 = 0
  var heartbeatMs: Int64 = 15_000
  var maximumLineBytes = Int.max
  /// When the next attempt is, while none is under way.
  var retryAtMs: Int64 = 0
  var greetings = Greetings()
  /// What the daemon said before it hung up.
  var farewell: (ServerMessage.Failure, retryMs: Int64)?

  var health = Health()
  /// When a connection is given up that shows no sign of life; `nil` while none is asked for.
  var probeDeadlineMs: Int64?
  var presence: JSON?
  /// Whether the program takes what the daemon sends; while it does not, silence is its own.
  package var isReading = true

  var steps = StepQueue()
  /// When steps that were refused for the moment are sent again; `nil` while none are.
  var resendAtMs: Int64?
  var refusalBackoff: Backoff
  /// When steps are written to the journal again that it did not take; `nil` while there are none.
  var keepAgainAtMs: Int64?
  /// The number of the next step that has none yet.
  var nextN: Int64 = 1
  /// The last number whose outcome the daemon knew when it greeted this connection.
  var welcomedN: Int64 = 0
  var subscriptions: [ByteText: Subscribing] = [:]
  var reads: [(ticket: ReadTicket, read: Read)] = []
  private var readCount: Int64 = 0

  struct Subscribing {
    let withActions: Bool
    var replica: Replica
    /// How far the daemon has answered on this connection.
    var answer = Answer.none

    enum Answer {
      case none
      case resuming(head: SequenceNumber)
      case inStep
    }
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
    tellStatus()
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
    (lastTickMs, lastWallTickMs) = (nowMs, wallMs)
    effects.append(.connect)
  }

  /// Steps whose outcome is not known.
  package var unsettledStepCount: Int { steps.count }

  /// Asks for a step, under preconditions as in the protocol's `if`.
  package func dispatch(_ actions: [JSON], preconditions: [JSON]) -> Step {
    let step = steps.nextToken
    dispatch(actions, preconditions: preconditions, as: step)
    return step
  }

  /// Asks for a step under a token of the caller's, larger than all before.
  package func dispatch(_ actions: [JSON], preconditions: [JSON], as step: Step) {
    steps.append(step, actions: actions, preconditions: preconditions)
    sendSteps()
    if configuration.journal == .present, let entry = steps.last(step), entry.n == nil {
      effects.append(.keep(entry.queued))
    }
  }

  /// Subscribes to a path, once for each; goes on from a copy held from before, where there is one.
  package func subscribe(
    to path: JSONPointer, withActions: Bool, from replica: Replica? = nil
  ) {
    subscribe(
      .init(withActions: withActions, replica: replica ?? Replica(path: path.description)))
  }

  /// Subscribes to who is here: a copy at the path ``presencePath``.
  package func subscribeToPresence() {
    subscribe(.init(withActions: false, replica: Replica(path: Self.presencePath)))
  }

  /// The path of who is here; no path of the state begins like this.
  package static let presencePath = "@presence"

  private func subscribe(_ subscribing: Subscribing) {
    subscriptions[ByteText(subscribing.replica.path)] = subscribing
    if isLive { send(subscribing) }
  }

  /// Says what others see of this client while it is connected; said again after each welcome.
  package func setPresence(_ state: JSON?) {
    guard state != nil || presence != nil else { return }
    presence = state ?? .null
    if isLive, let presence { send(presence: presence) }
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
