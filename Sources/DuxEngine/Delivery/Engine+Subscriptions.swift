import DuxJSON
import DuxLog
import DuxProtocol
import DuxStore

/// Beginning and ending subscriptions.
extension Engine {
  func subscribe(_ request: Request.Subscribe, id: RequestID?, _ session: Session) {
    let pathText = request.path.description
    guard makeRoom(forSubscriptionTo: pathText, id: id, session) else { return }
    let channel = channel(at: request.path, withActions: request.withActions)
    let subscription = join(channel, session)
    switch reason(againstResumingAt: request.position) {
    case .some(let reason):
      startSnapshot(subscription, reason: reason, id: id)
    case .none:
      guard let position = request.position else {
        return startSnapshot(subscription, reason: nil, id: id)
      }
      write(to: session) {
        $0.resumed(path: pathText, epoch: epoch, from: position.seq, seq: durableSeq, id: id)
      }
      subscription.source = .pendingLog(after: position.seq)
      session.queue.append(activationOf: subscription)
    }
  }

  /// Ends a former subscription to the same path, and refuses one too many.
  func makeRoom(forSubscriptionTo pathText: String, id: RequestID?, _ session: Session) -> Bool {
    if let former = session.subscription(to: pathText) { queueEnd(of: former) }
    if session.activeSubscriptionCount < Limits.maximumSubscriptions { return true }
    refuse(
      RequestError(
        .overloaded, "a connection may have \(Limits.maximumSubscriptions) subscriptions"),
      id: id, of: session)
    return false
  }

  func join(_ channel: Channel, _ session: Session) -> Subscription {
    let subscription = Subscription(session: session, channel: channel, nowMs: nowMs)
    channel.add(subscription)
    session.subscriptions.append(subscription)
    return subscription
  }

  private func reason(againstResumingAt position: Request.Position?) -> SnapshotReason? {
    guard let position else { return nil }
    if position.epoch != epoch { return .epoch }
    if position.seq > durableSeq { return .ahead }
    if position.seq < storage.floor { return .compacted }
    return nil
  }

  func unsubscribe(from pathText: String, id: RequestID?, _ session: Session) {
    guard let subscription = session.subscription(to: pathText) else {
      return refuse(
        RequestError(.notFound, "there is no subscription to \(JSON.string(pathText))"), id: id,
        of: session)
    }
    queueEnd(of: subscription)
    write(to: session) { $0.unsubscribed(path: pathText, id: id) }
  }

  /// Ends a subscription once the frames published so far are sent, which answers that are queued
  /// already may follow.
  func queueEnd(of subscription: Subscription) {
    let channel = subscription.channel
    subscription.end = .init(offset: channel.ring.endOffset, seq: head(of: channel))
    subscription.session.queue.append(endingOf: subscription)
    markReady(subscription.session)
  }

  /// Takes a subscription out of its channel; a frame that is sent in part is still finished.
  func end(_ subscription: Subscription) {
    if subscription.session.begunSubscription === subscription,
      case .ring(let offset) = subscription.source
    {
      _ = takeBegunFrame(of: subscription, at: offset)
    }
    subscription.isEnded = true
    subscription.source = .snapshot
    let channel = subscription.channel
    channel.remove(subscription)
    guard channel.subscriptions.isEmpty, channel !== rootChannel else { return }
    if channel.content == .presence { return presence.end() }
    channel.ring.dropAll()
    if channel !== rootChannelWithActions { channels.remove(channel) }
  }

  private func channel(at path: JSONPointer, withActions: Bool) -> Channel {
    if path.isRoot {
      guard withActions else { return rootChannel }
      if rootChannelWithActions.subscriptions.isEmpty {
        rootChannelWithActions.ring.restart(after: durableSeq)
      }
      return rootChannelWithActions
    }
    if let channel = channels.channel(at: path, withActions: withActions) { return channel }
    let channel = Channel(
      path: path, withActions: withActions, number: channelCount, after: durableSeq)
    channelCount += 1
    channels.insert(channel)
    return channel
  }

  /// Sends the value at the subscription's path, and what follows it.
  ///
  /// One that comes by itself does so at once; one that is an answer keeps its place among them.
  func startSnapshot(_ subscription: Subscription, reason: SnapshotReason?, id: RequestID?) {
    if case .log(let catchUp) = subscription.source { subscription.toldSeq = catchUp.position }
    subscription.source = .snapshot
    let path = subscription.channel.pathText
    let head = head(of: subscription.channel)
    let finish = { [self] (seq: SequenceNumber, writeState: @escaping StateWriter) in
      finishSnapshot(subscription, at: seq, reason: reason, id: id, writeState)
    }
    guard let state = value(of: subscription.channel) else {
      return finish(head) { queue, writer in
        writer.member("missing", true)
        writer.end()
        queue.append(writer.bytes)
      }
    }
    let size = state.encodedByteCount
    let headerBytes = Self.headerBytes + 2 * JSON.string(path).encodedByteCount
    let isOneLine = size <= configuration.limits.maximumLineBytes - headerBytes
    if isOneLine, size <= Self.inlineBytes {
      return finish(head) { queue, writer in
        writer.member("state", state)
        writer.end()
        queue.append(writer.bytes)
      }
    }
    let session = subscription.session
    let form: SnapshotCache.Form = isOneLine ? .text : .parts
    session.snapshotsInMaking += 1
    encode(state, at: head, path: path, form: form, for: subscription) { [self] encoded in
      session.snapshotsInMaking -= 1
      let use = { [self] in
        guard !session.isGone, !subscription.isEnded else { return }
        guard let encoded else { return failSnapshot(of: subscription, id: id) }
        finish(encoded.seq) { queue, writer in Self.write(encoded, as: form, &queue, &writer) }
      }
      if reason != .lagged, session.holdsAnswers {
        session.heldSnapshots.append(use)
      } else {
        use()
      }
      releaseHeld(of: session)
      goOn(session)
    }
  }

  private typealias StateWriter = (inout OutputQueue, inout LineWriter) -> Void

  private static func write(
    _ encoded: Encoded, as form: SnapshotCache.Form, _ queue: inout OutputQueue,
    _ writer: inout LineWriter
  ) {
    switch form {
    case .text:
      writer.begin(member: "state")
      queue.append(writer.bytes)
      queue.append(encoded.bytes)
      queue.append(Array("}\n".utf8))
    case .parts:
      writer.member("state", encoded.skeleton)
      writer.member("more", true)
      writer.end()
      queue.append(writer.bytes)
      queue.append(encoded.bytes)
    }
  }

  private func failSnapshot(of subscription: Subscription, id: RequestID?) {
    let session = subscription.session
    end(subscription)
    session.subscriptions.removeAll { $0 === subscription }
    write(to: session) {
      $0.error(RequestError(.internal, "the snapshot could not be made"), id: id)
    }
  }

  /// Values up to this size are encoded where they are asked for, in bytes.
  static let inlineBytes = 65_536
  private static let headerBytes = 512

  private func finishSnapshot(
    _ subscription: Subscription, at seq: SequenceNumber, reason: SnapshotReason?, id: RequestID?,
    _ writeState: StateWriter
  ) {
    let channel = subscription.channel
    let session = subscription.session
    writer.bytes.removeAll(keepingCapacity: true)
    writer.beginSnapshot(
      path: channel.pathText, epoch: channel.content == .presence ? runName : epoch, seq: seq,
      reason: reason, id: id)
    var snapshot = OutputQueue()
    writeState(&snapshot, &writer)
    session.queue.append(snapshot)
    if let offset = channel.ring.offset(after: seq) {
      subscription.source = .pending(offset: offset)
    } else {
      subscription.source = .pendingLog(after: seq)
    }
    session.queue.append(activationOf: subscription)
    releaseHeld(of: session)
    markReady(session)
  }

  /// The newest place of what a channel tells of.
  func head(of channel: Channel) -> SequenceNumber {
    channel.content == .presence ? presence.seq : durableSeq
  }

  private func value(of channel: Channel) -> JSON? {
    channel.content == .presence ? .object(presence.entries) : durable.view.value(at: channel.path)
  }

  /// Lets a session's next requests be looked at, if nothing else is in their way.
  func goOn(_ session: Session) {
    if !session.isGone { pump(session) }
  }
}
