import DuxJSON
import DuxLog
import DuxProtocol

/// Who is connected, as those who follow it were last told.
///
/// It is built for the first follower and dropped after the last: nobody else pays for it. What it
/// is built from, the sessions know anyway.
struct PresenceFeed {
  /// The followers, and what they are sent.
  let channel = Channel(presenceNumbered: 2)
  /// By client: serial, time of joining and state.
  private(set) var entries: JSONObject = [:]
  /// Counts the frames; each names one content of ``entries``, in one run of the daemon.
  private(set) var seq = SequenceNumber.zero
  /// The clients that may have changed since the last frame, each once, in the order of it.
  private(set) var changed: [ByteText] = []
  private var isChanged: Set<ByteText> = []

  /// Memory of recent frames: who lacks more gets a snapshot.
  static let ringBytes = 1 << 20
  /// Bytes beyond which further operations go into another frame.
  private static let frameLimit = 65_536

  var isFollowed: Bool { !channel.subscriptions.isEmpty }

  /// Bytes of the frames that are at hand.
  var frameBytes: Int64 { channel.ring.endOffset - channel.ring.startOffset }

  /// Begins anew, for the first follower.
  mutating func begin(with entries: JSONObject) {
    self.entries = entries
    seq = seq.next
    channel.ring.restart(after: seq)
  }

  /// Forgets everything, after the last follower.
  mutating func end() {
    entries = [:]
    changed = []
    isChanged = []
    channel.ring.dropAll()
  }

  mutating func note(_ client: ByteText) {
    if isChanged.insert(client).inserted { changed.append(client) }
  }

  /// Takes what became of the clients that may have changed, and writes it into the channel.
  ///
  /// - Returns: whether there is a frame more.
  /// - Complexity: O(*k* log *n*), *k* = clients noted, *n* = entries.
  mutating func publish(
    with writer: inout LineWriter, _ entryOf: (ByteText) -> PresenceChange
  ) -> Bool {
    let names = changed
    changed = []
    isChanged = []
    var isBegun = false
    var hasFrames = false
    for name in names {
      guard let operation = take(entryOf(name), of: name) else { continue }
      if isBegun {
        writer.append(",")
      } else {
        beginFrame(with: &writer)
        isBegun = true
      }
      operation.write(into: &writer.bytes)
      guard writer.bytes.count >= Self.frameLimit else { continue }
      endFrame(with: &writer)
      isBegun = false
      hasFrames = true
    }
    guard isBegun else { return hasFrames }
    endFrame(with: &writer)
    return true
  }

  /// Takes what became of one client.
  ///
  /// - Returns: the operation that says so; `nil` when it is what it was.
  private mutating func take(
    _ change: PresenceChange, of name: ByteText
  ) -> JSONPatchOperation? {
    let before = entries[name.text]
    let path = JSONPointer(tokens: [name.text])
    switch (before, change) {
    case (_, .none), (nil, .absent): return nil
    case (_?, .absent):
      entries[name.text] = nil
      return .remove(path: path)
    case (nil, .present(let entry)):
      entries[name.text] = entry
      return .add(path: path, value: entry)
    case (let before?, .present(let entry)):
      guard before != entry else { return nil }
      entries[name.text] = entry
      return .replace(path: path, value: entry)
    }
  }

  private mutating func beginFrame(with writer: inout LineWriter) {
    seq = seq.next
    writer.bytes.removeAll(keepingCapacity: true)
    writer.begin("patch")
    writer.member("path", channel.pathText)
    writer.member("seq", seq.value)
    writer.begin(member: "patch")
    writer.append("[")
  }

  private func endFrame(with writer: inout LineWriter) {
    writer.append("]")
    writer.end()
    _ = writer.bytes.withUnsafeBytes { channel.ring.append($0, seq: seq) }
  }
}

/// What became of a client.
enum PresenceChange {
  /// Its connection is being taken over: nothing is told before the new one is welcomed.
  case none
  case present(JSON)
  case absent
}

/// What one connection has said of itself.
final class PresenceStatement {
  var state: JSON?
  /// When the connection last gave a sign of life, on the engine's clock.
  var lastHeardMs: Int64
  /// Whether that was so long ago that others are told it is gone.
  var isSilent = false

  init(nowMs: Int64) {
    lastHeardMs = nowMs
  }
}
