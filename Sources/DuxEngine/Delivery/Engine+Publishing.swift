import DuxJSON
import DuxLog
import DuxProtocol
import DuxStore

/// Telling channels what became durable.
extension Engine {
  /// Encodes the frames of a group's steps, once for each channel they touch, and lets those know
  /// who watch.
  ///
  /// - Parameter group: the group, which is durable.
  func publish(_ group: Group) {
    guard !group.entries.isEmpty else { return }
    let hasWatchersOfActions = !rootChannelWithActions.subscriptions.isEmpty
    let (entries, changes) = (group.entries, group.changes)
    for index in entries.indices {
      let patch = entries[index].patch
      append(entries[index], changes[index].types, patch, to: rootChannel)
      if hasWatchersOfActions {
        append(entries[index], changes[index].types, patch, to: rootChannelWithActions)
      }
    }
    guard channels.count > 0 else { return }
    var states = StatesBetween(changes) { [self] in ends(of: group) }
    for index in entries.indices {
      publish(entries[index], changes[index], index, &states)
    }
  }

  /// Encodes a step's frames for the channels below the root.
  private func publish(
    _ entry: LogEntry, _ step: Group.Change, _ index: Int, _ states: inout StatesBetween
  ) {
    let patch = step.patch
    channels.collect(touchedBy: patch, before: states.state(before: index), into: &touchedChannels)
    for channel in touchedChannels {
      var change = PathChange.of(patch, at: channel.path, before: states.state(before: index))
      if change == .unclear {
        let before = states.state(before: index)
        change = .between(before, states.state(after: index), at: channel.path)
      }
      guard case .patch(let patch) = change else { continue }
      append(entry, step.types, patch.bytes, to: channel)
    }
    touchedChannels.removeAll(keepingCapacity: true)
  }

  private func append(
    _ entry: LogEntry, _ types: PatchFrame.Types, _ patch: [UInt8], to channel: Channel
  ) {
    noteNews(in: channel)
    frameWriter.bytes.removeAll(keepingCapacity: true)
    PatchFrame.write(entry, types, for: channel, patch: patch, into: &frameWriter)
    let block = frameWriter.bytes.withUnsafeBytes { channel.ring.append($0, seq: entry.seq) }
    guard let block else { return }
    ringBlocks.add(block, of: channel)
    while ringBlocks.byteCount > configuration.ringBytes, let oldest = ringBlocks.popOldest() {
      leaveBehind(oldest)
    }
  }

  /// Puts entries into the root's ring, as if they had just been published.
  func fillRing(_ entries: [LogEntry]) {
    for entry in entries { append(entry, .init(logged: entry), entry.patch, to: rootChannel) }
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

/// The states between the steps of a group, made anew from their patches, and only as far as
/// somebody looks at them: most changes can be told without.
struct StatesBetween {
  private let changes: [Group.Change]
  private let makeEnds: () -> (first: JSON, last: JSON)
  /// The state after the last step, and the one before the step of `index`, once somebody looked.
  private var last = JSON.null
  private var state: JSON?
  /// The state after the step of `index`, once somebody looked at that.
  private var next: JSON?
  private var index = 0

  /// - Parameters:
  ///   - changes: what the steps changed.
  ///   - ends: gives the states before the first step and after the last; asked once at most.
  init(_ changes: [Group.Change], ends: @escaping () -> (first: JSON, last: JSON)) {
    self.changes = changes
    self.makeEnds = ends
  }

  /// The state before a step; steps are asked for in order.
  mutating func state(before step: Int) -> JSON {
    var state = begin()
    while index < step {
      if let next { state = next } else { changes[index].patch.apply(to: &state, or: last) }
      next = nil
      index += 1
    }
    self.state = state
    return state
  }

  /// The state after a step; steps are asked for in order.
  mutating func state(after step: Int) -> JSON {
    var after = state(before: step)
    if step == changes.count - 1 { return last }
    if let next { return next }
    changes[step].patch.apply(to: &after, or: last)
    next = after
    return after
  }

  private mutating func begin() -> JSON {
    if let state { return state }
    let ends = makeEnds()
    last = ends.last
    return ends.first
  }
}

extension JSONPatch {
  /// Makes the changes.
  ///
  /// A patch fits the state it was read off; should one not, the state is the last, so that who
  /// watches it comes to the right one in the end.
  fileprivate func apply(to state: inout JSON, or last: JSON) {
    do throws(JSONPatchError) {
      try apply(to: &state)
    } catch {
      state = last
    }
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
