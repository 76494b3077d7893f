import DuxJSON
package import DuxLog
import DuxProtocol
package import DuxStore

/// The daemon's brain: puts actions in order, reduces them, and decides who is told what, when.
///
/// It does no I/O and reads no clock. What happens comes in through its methods; what it wants
/// done comes out of ``takeEffects()`` and goes to each connection's ``Outlet``. One thread at a time may use it.
///
/// The run-time check of exclusive access is off for what each action or turn touches in the engine's
/// classes, for it takes an eighth of a turn; it stays on where a closure runs during an access.
///
/// The state runs ahead of the disk: steps are reduced as they come and collected in a group,
/// which goes to the disk when the group before has settled. Clients see a step only when its
/// group is durable; if it can't be made so, the state drops back and the group's clients are told
/// to try again.
package final class Engine {
  let configuration: EngineConfiguration
  let epoch: String

  /// The newest state, and its place.
  var head: any HostedStore
  var headSeq: SequenceNumber
  var headTime: Int64
  /// The place of the newest state that is on disk.
  var durableSeq: SequenceNumber
  var durableTime: Int64
  /// The newest state that is on disk, where somebody has looked and the head is ahead of it.
  var undone: (any HostedStore)?

  /// The group that collects steps.
  @exclusivity(unchecked) var open: Group
  /// The group on its way to the disk.
  @exclusivity(unchecked) var inFlight: Group?

  var sessions: [ConnectionID: Session] = [:]
  var clients: [ByteText: ClientRecord] = [:]
  /// How many connections wait for the disk to tell what a client has used: such a client is not
  /// forgotten meanwhile, for the disk's word may be older than what happens until it comes.
  var hellosAsking: [ByteText: Int] = [:]
  /// Those who are to be sent something, each once, and those of the flush that goes on.
  @exclusivity(unchecked) var readySessions: [Session] = []
  @exclusivity(unchecked) var flushedSessions: [Session] = []
  @exclusivity(unchecked) var channelsWithNews: [Channel] = []
  let batch = SendBatch()

  let rootChannel: Channel
  let rootChannelWithActions: Channel
  var channels = ChannelIndex()
  /// The channels below the root that the step being published touches.
  var touchedChannels: [Channel] = []
  var presence = PresenceFeed()
  var channelCount = 3
  @exclusivity(unchecked) var ringBlocks = RingBlocks()
  var snapshots = SnapshotCache()

  /// What runs and waits beside the state, as of the head.
  var ledger: EffectLedger<HostedAction> { didSet { isLedgerTouched = true } }
  /// Whether something was done with the ledger since it was last seen to have no follow-up waiting.
  @exclusivity(unchecked) var isLedgerTouched = true
  /// The outbox as of the head, and as it is on disk.
  @exclusivity(unchecked) var outbox: Outbox
  @exclusivity(unchecked) var durableOutbox: Outbox
  /// What does the work of commands, by name.
  let commandHandlers: [String: CommandHandler<HostedAction>]
  /// What effects told while nothing could be written.
  @exclusivity(unchecked) var heldReports: [() -> Void] = []
  /// What is to begin once something can be written again.
  @exclusivity(unchecked) var heldBeginnings: [EffectOutput<HostedAction>] = []
  /// Whether the app is to be told that effects were broken off.
  var owesStartAction = false
  var followUpRoom = 0
  /// The follow-ups that wait and were looked at: their keys in the outbox, where they can be
  /// written, and the newest of them.
  @exclusivity(unchecked) var keptFollowUps: [EffectToken: String?] = [:]
  var lastKeptFollowUp: EffectToken?
  /// Actions refused since the start because no reducer knew their type.
  var unknownActions = 0

  @exclusivity(unchecked) var effects: [EngineEffect] = []
  var continuations: [Token: (Answer) -> Void] = [:]
  private var tokenCount: UInt64 = 0

  /// A monotonic clock, in milliseconds, as last told.
  var nowMs: Int64 = 0
  /// The wall clock, in milliseconds since 1970, as last told.
  var wallMs: Int64 = 0
  let startedAtMs: Int64
  var random: SplitMix64
  /// Names this run of the daemon.
  let runName: String

  var storage: StorageFigures
  @exclusivity(unchecked) var storageFault: (fault: StorageFault, retryAtMs: Int64)?
  var sinceCheckpoint = CheckpointDistance()
  var lastCheckpointMs: Int64 = 0
  var isShuttingDown = false
  var writer = LineWriter(reservingBytes: 4_096)
  @exclusivity(unchecked) var spareTexts = SpareTexts()
  /// Where the frame that tells of a step is written.
  @exclusivity(unchecked) var frameWriter = LineWriter(reservingBytes: 4_096)
  /// The answers of a settled group, on their way to the queues.
  var ackWriter = LineWriter(reservingBytes: 4_096)

  /// Where the daemon stands when it has read its log.
  package struct Start: Sendable {
    package var store: any HostedStore
    package var epoch: String
    package var seq: SequenceNumber
    /// Wall clock of the last step, in milliseconds since 1970.
    package var time: Int64
    /// The last entries, oldest first, without a hole up to `seq`: they save those who come back
    /// soon a look at the disk.
    package var recentEntries: [LogEntry]
    package var storage: StorageFigures
    /// Log bytes and steps since the last checkpoint.
    package var bytesSinceCheckpoint: Int
    package var entriesSinceCheckpoint: Int
    /// The outbox.
    package var outbox: [OutboxRow]

    /// Makes a start of its parts.
    package init(
      store: any HostedStore, epoch: String, seq: SequenceNumber, time: Int64,
      recentEntries: [LogEntry], storage: StorageFigures, bytesSinceCheckpoint: Int,
      entriesSinceCheckpoint: Int, outbox: [OutboxRow] = []
    ) {
      self.store = store
      self.epoch = epoch
      self.seq = seq
      self.time = time
      self.recentEntries = recentEntries
      self.storage = storage
      self.bytesSinceCheckpoint = bytesSinceCheckpoint
      self.entriesSinceCheckpoint = entriesSinceCheckpoint
      self.outbox = outbox
    }
  }

  /// Makes a brain that goes on where the log ends.
  ///
  /// The seed is for the names it makes and for spreading retries; it differs from run to run.
  package init(
    _ start: Start, configuration: EngineConfiguration, nowMs: Int64, wallMs: Int64, seed: UInt64
  ) {
    self.configuration = configuration
    self.epoch = start.epoch
    self.head = start.store
    self.headSeq = start.seq
    self.headTime = start.time
    self.durableSeq = start.seq
    self.durableTime = start.time
    self.open = Group(number: 1)
    self.ledger = EffectLedger(keyPrefix: start.epoch)
    self.commandHandlers = Dictionary(start.store.commands.map { ($0.name, $0) }) { first, _ in
      first
    }
    self.outbox = Outbox(start.outbox)
    self.durableOutbox = Outbox(start.outbox)
    self.storage = start.storage
    self.sinceCheckpoint.bytes = start.bytesSinceCheckpoint
    self.sinceCheckpoint.entries = start.entriesSinceCheckpoint
    self.random = SplitMix64(seed: seed)
    self.runName = "run-" + String(random.next(), radix: 36)
    self.startedAtMs = nowMs
    self.nowMs = nowMs
    self.wallMs = wallMs
    let oldest = start.recentEntries.first?.seq.previous ?? start.seq
    self.rootChannel = Channel(path: .root, withActions: false, number: 0, after: oldest)
    self.rootChannelWithActions = Channel(
      path: .root, withActions: true, number: 1, after: start.seq)
    fillRing(start.recentEntries)
  }

  /// Tells the time; comes before whatever happened then.
  ///
  /// - Parameters:
  ///   - nowMs: a monotonic clock, in milliseconds.
  ///   - wallMs: the wall clock, in milliseconds since 1970; may jump.
  package func advance(nowMs: Int64, wallMs: Int64) {
    self.nowMs = nowMs
    self.wallMs = wallMs
  }

  /// What is to be done, in order; each is given once.
  package func takeEffects() -> [EngineEffect] {
    defer { effects = [] }
    return effects
  }

  /// Asks the disk or another thread; `body` is called with the answer, once.
  func ask(_ question: Question, _ body: @escaping (Answer) -> Void) {
    tokenCount += 1
    let token = Token(value: tokenCount)
    continuations[token] = body
    effects.append(.ask(question, token))
  }

  /// Gives the answer to an ``EngineEffect/ask(_:_:)``.
  package func answer(_ answer: Answer, to token: Token) {
    if case .compacted(let floor) = answer { storage.floor = max(storage.floor, floor) }
    continuations.removeValue(forKey: token)?(answer)
  }

  /// The oldest place that somebody is being served from; compaction stays behind it.
  package var oldestNeededSeq: SequenceNumber? {
    let needed = sessions.values.flatMap { session -> [SequenceNumber] in
      guard nowMs - session.lastProgressMs < Int64(configuration.stallTimeoutMs) else { return [] }
      var places = session.subscriptions.compactMap { subscription -> SequenceNumber? in
        guard case .log(let catchUp) = subscription.source else { return nil }
        return catchUp.position
      }
      if let stream = session.logStream { places.append(stream.position) }
      return places
    }
    return needed.min()
  }
}

/// How far the log has gone on since the last checkpoint.
struct CheckpointDistance {
  var bytes = 0
  var entries = 0
  var isBeingWritten = false
}

/// A small generator of pseudo-random numbers, for names and for spreading retries.
///
/// - Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Makes a generator; the same seed gives the same numbers.
  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
