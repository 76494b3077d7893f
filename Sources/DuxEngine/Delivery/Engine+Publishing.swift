import DuxJSON
import DuxLog
import DuxProtocol

/// Telling channels what became durable.
extension Engine {
  /// Encodes the frames of steps, once for each channel they touch.
  func publish(_ steps: [Group.Step]) {
    for step in steps {
      let frame = PatchFrame(entry: step.entry, types: step.types)
      publish(frame, step.entry.patch, to: rootChannel)
      if !rootChannelWithActions.subscriptions.isEmpty {
        publish(frame, step.entry.patch, to: rootChannelWithActions)
      }
      for channel in channels.channels(touchedBy: step.patch, before: step.before) {
        var change = PathChange.of(step.patch, at: channel.path, before: step.before)
        if change == .unclear {
          change = .between(step.before, step.after, at: channel.path)
        }
        if case .patch(let patch) = change { publish(frame, patch.bytes, to: channel) }
      }
    }
  }

  private func publish(_ frame: PatchFrame, _ patch: [UInt8], to channel: Channel) {
    append(frame, patch, to: channel)
    for subscription in channel.subscriptions { markReady(subscription.session) }
  }

  private func append(_ frame: PatchFrame, _ patch: [UInt8], to channel: Channel) {
    writer.bytes.removeAll(keepingCapacity: true)
    frame.write(for: channel, patch: patch, into: &writer)
    let block = writer.bytes.withUnsafeBytes { channel.ring.append($0, seq: frame.entry.seq) }
    guard let block else { return }
    ringBlocks.add(block, of: channel)
    while ringBlocks.byteCount > configuration.ringBytes, let oldest = ringBlocks.popOldest() {
      leaveBehind(oldest)
    }
  }

  /// Puts entries into the root's ring, as if they had just been published.
  func fillRing(_ entries: [LogEntry]) {
    for entry in entries { append(PatchFrame(entry), entry.patch, to: rootChannel) }
  }

  /// Drops a channel's oldest block; who still needs it is served from the log from now on, or gets
  /// a snapshot of what has no log.
  func leaveBehind(_ channel: Channel) {
    guard let block = channel.ring.oldestBlock else { return }
    for subscription in channel.subscriptions {
      switch subscription.source {
      case .ring(let offset) where offset < block.endOffset:
        fallBehind(subscription, at: offset)
      case .pending(let offset) where offset < block.endOffset:
        let boundary = channel.ring.boundary(atOrAfter: offset)
        subscription.source = .pendingLog(after: boundary.seq)
      default: continue
      }
    }
    channel.ring.dropOldestBlock()
  }

  private func fallBehind(_ subscription: Subscription, at offset: Int64) {
    fallBehind(subscription, after: takeBegunFrame(of: subscription, at: offset))
  }

  /// Serves a subscription from the log; answers that wait for its frames are held meanwhile.
  func fallBehind(_ subscription: Subscription, after seq: SequenceNumber) {
    if subscription.channel.content == .presence { return losePresence(subscription) }
    guard !subscription.session.isClosing else {
      return cutShortFarewell(of: subscription.session)
    }
    subscription.source = .log(CatchUp(after: seq))
    let waiting = subscription.session.queue.splitAtFirstAnswer()
    subscription.session.held.append(waiting)
    markReady(subscription.session)
  }

  /// Copies the rest of a frame that is sent in part to the session's queue, so that the
  /// subscription no longer needs the ring.
  ///
  /// - Returns: the last seq that the subscription has been, or will be, sent.
  func takeBegunFrame(of subscription: Subscription, at offset: Int64) -> SequenceNumber {
    let session = subscription.session
    let boundary = subscription.channel.ring.boundary(atOrAfter: offset)
    let rest = subscription.channel.ring.bytes(from: offset).prefix(Int(boundary.offset - offset))
    session.queue.prepend(Array(rest))
    if session.begunSubscription === subscription { session.begunSubscription = nil }
    return boundary.seq
  }
}

/// All blocks of all rings, oldest first: what bounds their memory together.
struct RingBlocks {
  private var blocks: [(channel: Channel, block: FrameRing.Block)?] = []
  private var head = 0
  /// Memory of the blocks that are in use.
  private(set) var byteCount = 0

  mutating func add(_ block: FrameRing.Block, of channel: Channel) {
    blocks.append((channel, block))
    byteCount += block.memory.count
  }

  /// The channel whose oldest block is the oldest of all; the block counts as gone.
  mutating func popOldest() -> Channel? {
    while head < blocks.count {
      let oldest = blocks[head]
      // Not kept any longer: it would keep its memory.
      blocks[head] = nil
      head += 1
      if head > 1_024, head * 2 > blocks.count {
        blocks.removeFirst(head)
        head = 0
      }
      guard let (channel, block) = oldest else { continue }
      byteCount -= block.memory.count
      if !block.isDropped { return channel }
    }
    return nil
  }
}
