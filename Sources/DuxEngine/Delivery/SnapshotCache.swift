import DuxJSON
import DuxLog
import DuxProtocol

/// Encodings of big values, each made once and shared by all who want it meanwhile.
struct SnapshotCache {
  enum Form: Hashable {
    case text
    case parts
  }

  struct Key: Hashable {
    let path: ByteText
    let form: Form
  }

  /// One encoding, made or in the making.
  final class Encoding {
    let seq: SequenceNumber
    /// The value's container without its contents, which parts fill.
    let skeleton: JSON
    var bytes: SharedBytes?
    var waiters: [(Engine.Encoded?) -> Void] = []
    var lastUsedMs: Int64

    init(seq: SequenceNumber, skeleton: JSON, nowMs: Int64) {
      self.seq = seq
      self.skeleton = skeleton
      self.lastUsedMs = nowMs
    }
  }

  private var encodings: [Key: Encoding] = [:]

  private static let lifetimeMs: Int64 = 5_000

  subscript(key: Key) -> Encoding? {
    get { encodings[key] }
    set { encodings[key] = newValue }
  }

  /// Forgets what nobody has wanted for a while.
  mutating func expire(nowMs: Int64) {
    for (key, encoding) in encodings
    where encoding.bytes != nil && nowMs - encoding.lastUsedMs > Self.lifetimeMs {
      encodings[key] = nil
    }
  }
}

extension Engine {
  typealias Encoded = (seq: SequenceNumber, skeleton: JSON, bytes: SharedBytes)

  /// Encodes a big value of the durable state, on another thread, or takes the encoding that
  /// somebody else has asked for.
  ///
  /// An encoding of an earlier state will do for a subscription where the frames since are at
  /// hand and it holds what the session was told of: under load, that is what keeps many
  /// subscribers from asking for an encoding each.
  func encode(
    _ value: JSON, at seq: SequenceNumber, path: String, form: SnapshotCache.Form,
    for subscription: Subscription?,
    _ body: @escaping (Encoded?) -> Void
  ) {
    let key = SnapshotCache.Key(path: ByteText(path), form: form)
    if let encoding = snapshots[key], isUsable(encoding, for: subscription) {
      encoding.lastUsedMs = nowMs
      if let bytes = encoding.bytes {
        body((encoding.seq, encoding.skeleton, bytes))
      } else {
        encoding.waiters.append(body)
      }
      return
    }
    let encoding = SnapshotCache.Encoding(
      seq: seq, skeleton: value.emptied, nowMs: nowMs)
    encoding.waiters.append(body)
    snapshots[key] = encoding
    ask(question(value, at: seq, path: path, form: form)) { [self] answer in
      if case .text(let bytes) = answer {
        encoding.bytes = bytes
      } else if snapshots[key] === encoding {
        snapshots[key] = nil
      }
      let waiters = encoding.waiters
      encoding.waiters = []
      for waiter in waiters {
        waiter(encoding.bytes.map { (encoding.seq, encoding.skeleton, $0) })
      }
    }
  }

  private func isUsable(
    _ encoding: SnapshotCache.Encoding, for subscription: Subscription?
  ) -> Bool {
    guard let subscription else { return encoding.seq == durableSeq }
    if subscription.channel.content == .presence { return isUsableForPresence(encoding) }
    return encoding.seq >= max(subscription.session.toldSeq, subscription.toldSeq)
      && subscription.channel.ring.offset(after: encoding.seq) != nil
  }

  private func question(
    _ value: JSON, at seq: SequenceNumber, path: String, form: SnapshotCache.Form
  ) -> Question {
    switch form {
    case .text:
      .text(of: value)
    case .parts:
      .snapshotParts(
        of: value, PartHeader(path: path, seq: seq),
        maximumLineBytes: configuration.limits.maximumLineBytes)
    }
  }
}
