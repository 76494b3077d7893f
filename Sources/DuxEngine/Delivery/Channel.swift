import DuxJSON
import DuxLog
import DuxProtocol

/// All who watch one path in one form, and the frames they are sent.
final class Channel {
  /// What the frames tell of.
  enum Content {
    /// The state, as the log has it.
    case state
    /// Who is connected: what the ring has lost is nowhere else.
    case presence
  }

  let content: Content
  let path: JSONPointer
  let pathText: String
  let withActions: Bool
  /// Rises from channel to channel.
  let number: Int
  let ring: FrameRing
  private(set) var subscriptions: [Subscription] = []
  /// Whether it has frames that its subscribers were not marked for yet.
  var hasNews = false

  init(path: JSONPointer, withActions: Bool, number: Int, after seq: SequenceNumber) {
    self.content = .state
    self.path = path
    self.pathText = path.description
    self.withActions = withActions
    self.number = number
    self.ring = FrameRing(after: seq)
  }

  init(presenceNumbered number: Int) {
    self.content = .presence
    self.path = .root
    self.pathText = ReservedWords.presencePath
    self.withActions = false
    self.number = number
    self.ring = FrameRing(after: .zero)
  }

  func add(_ subscription: Subscription) {
    subscription.indexInChannel = subscriptions.count
    subscriptions.append(subscription)
  }

  /// Takes a subscription out.
  ///
  /// - Complexity: O(1).
  func remove(_ subscription: Subscription) {
    let index = subscription.indexInChannel
    guard index < subscriptions.count, subscriptions[index] === subscription else { return }
    let last = subscriptions.removeLast()
    if last !== subscription {
      subscriptions[index] = last
      last.indexInChannel = index
    }
  }
}

/// One connection's place in one channel.
final class Subscription {
  /// Where the subscription's next bytes come from.
  enum Source {
    /// The channel's ring, once what is queued before has been sent.
    case pending(offset: Int64)
    /// The log, once what is queued before has been sent: the ring does not have what follows.
    case pendingLog(after: SequenceNumber)
    /// The channel's ring.
    case ring(offset: Int64)
    /// The log: the ring no longer has, or never had, what comes next.
    case log(CatchUp)
    /// Nothing yet: the snapshot is being made.
    case snapshot
    /// A snapshot, once what is queued before has been sent: what follows is nowhere any more.
    case lost

    var isLog: Bool {
      if case .log = self { return true }
      return false
    }
  }

  /// The place behind the last frame that a subscription is sent.
  struct End {
    let offset: Int64
    /// All frames up to it are before that place.
    let seq: SequenceNumber
  }

  unowned let session: Session
  let channel: Channel
  var source: Source {
    get { place }
    set {
      session.catchUpCount += (newValue.isLog ? 1 : 0) - (place.isLog ? 1 : 0)
      place = newValue
    }
  }
  private var place = Source.snapshot
  /// Its end is queued behind what is still to be sent.
  var isEnding: Bool { end != nil }
  /// Where it ends, once its end is queued.
  var end: End?
  var isEnded = false
  var indexInChannel = 0
  /// The last seq it was told of when it fell behind.
  var toldSeq = SequenceNumber.zero
  /// When the last frame or mark went out, on the engine's clock.
  var lastSentMs: Int64

  init(session: Session, channel: Channel, nowMs: Int64) {
    self.session = session
    self.channel = channel
    self.lastSentMs = nowMs
  }

  var isCatchingUp: Bool { source.isLog }

  /// Whether everything in the channel's ring was sent.
  var hasAllOfRing: Bool {
    guard case .ring(let offset) = source else { return false }
    return offset == channel.ring.endOffset
  }

  /// Whether the ring holds nothing any more that it is to be sent before its end.
  var hasAllBeforeEnd: Bool {
    guard case .ring(let offset) = place, let end else { return true }
    return offset >= end.offset
  }

  /// Adds what it lacks of the channel's ring.
  ///
  /// - Returns: whether there was room for all of it.
  func gather(into batch: SendBatch, from index: Int) -> Bool {
    guard case .ring(var offset) = place else { return true }
    let ring = channel.ring
    let end = min(ring.endOffset, self.end?.offset ?? .max)
    while offset < end {
      guard !batch.isFull else { return false }
      let rest = ring.bytes(from: offset)
      let run = UnsafeRawBufferPointer(rebasing: rest.prefix(Int(clamping: end - offset)))
      guard !run.isEmpty else { return true }
      batch.append(run, from: index)
      offset += Int64(run.count)
    }
    return true
  }

  /// Counts bytes of the ring as sent.
  func took(_ count: Int, nowMs: Int64) {
    guard case .ring(let offset) = place else { return }
    place = .ring(offset: offset + Int64(count))
    lastSentMs = nowMs
  }
}

/// A subscription that is served from the log, a slice at a time, until the ring has the rest.
final class CatchUp {
  /// The last seq whose frame was queued, or that was found not to touch the path.
  var position: SequenceNumber
  var isReading = false
  /// The whole state at `position`, once a change was met that can't be told without it.
  var state: JSON?

  init(after position: SequenceNumber) {
    self.position = position
  }
}
