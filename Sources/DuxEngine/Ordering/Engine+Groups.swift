import DuxJSON
package import DuxLog
import DuxProtocol
import DuxStore

/// Group commit: one group collects while the one before is on its way to the disk.
extension Engine {
  /// Ends a turn: sends the open group on its way if none is under way.
  package func endTurn() {
    followUpRoom = configuration.followUpsPerTurn
    goOnAfterFault()
    takeFollowUps()
    while inFlight == nil, !open.isEmpty {
      let group = closeGroup()
      if group.isUnwritten {
        settle()
      } else {
        effects.append(.commit(group.commit(time: max(wallMs, headTime))))
      }
    }
    publishPresence()
  }

  /// Ends the open group, which is under way from here on.
  private func closeGroup() -> Group {
    keepFollowUps()
    let group = open
    open = group.next()
    inFlight = group
    return group
  }

  /// Whether a turn is not done: something waits to be carried out, sent or put on its way.
  package var hasWork: Bool {
    !effects.isEmpty || hasOutput || !presence.changed.isEmpty
      || (inFlight == nil && (!open.isEmpty || mayTakeFollowUp))
  }

  /// The group on its way is on disk.
  package func committed() {
    storageFault = nil
    settle()
  }

  /// What is on disk is now so much.
  package func storageChanged(_ figures: StorageFigures) {
    storage = figures
  }

  /// The group on its way could not be made durable, and nothing of it is on disk.
  package func commitFailed(_ fault: StorageFault) {
    let failed = [inFlight, open].compactMap { $0 }
    storageFault = (fault, nowMs + Int64(configuration.storageRetryMs))
    head = durable
    headSeq = durableSeq
    headTime = durableTime
    undone = nil
    inFlight = nil
    open = open.next()
    for group in failed { group.clients.forEach { $0.dropUnsettled() } }
    dropEffects(of: failed)
    for reply in failed.flatMap(\.replies) where !reply.session.isGone {
      answerStep(reply.session) { writer in
        switch reply.content {
        case .outcome(let result, isDuplicate: true) where reply.restsOnDisk:
          writer.outcome(result, n: reply.n, id: reply.id, isDuplicate: true)
        case .outcome: writer.refusal(fault.refusal, n: reply.n, id: reply.id)
        case .refusal(let error) where error.code == .nConflict && !reply.restsOnDisk:
          writer.refusal(fault.refusal, n: reply.n, id: reply.id)
        case .refusal(let error): writer.refusal(error, n: reply.n, id: reply.id)
        case .cancelled: writer.error(fault.refusal, id: reply.id)
        case .effects(_, let limit): writer.effects(effectList(limit: limit), id: reply.id)
        }
      }
    }
    for group in failed { release(group) }
  }

  private func settle() {
    guard let group = inFlight else { return }
    inFlight = nil
    undone = nil
    if let last = group.entries.last {
      durableSeq = last.seq
      durableTime = last.time
      sinceCheckpoint.entries += group.entries.count
      sinceCheckpoint.bytes += group.entryBytes
      storage.logBytes += Int64(group.entryBytes)
    }
    for client in group.clients { client.settle() }
    publish(group)
    for entry in group.entries { spareTexts.keep(entry.patch) }
    tell(group.replies)
    settleEffects(of: group)
    release(group)
    startCheckpointIfDue()
  }

  /// Gives the answers of a group that is settled.
  ///
  /// Most are acks, many of one session in a row, which go into its queue together.
  private func tell(_ replies: [Group.Reply]) {
    var acks = LineWriter(reservingBytes: 0)
    swap(&acks, &ackWriter)
    var answered: Session?
    func flush() {
      if let session = answered { queueAnswer(.answer(acks.bytes), to: session) }
      acks.bytes.removeAll(keepingCapacity: true)
    }
    for reply in replies where !reply.session.isGone {
      let session = reply.session
      if session !== answered {
        flush()
        answered = session
      }
      switch reply.content {
      case .outcome(.accepted(let seq, let changed), let isDuplicate):
        if seq > session.toldSeq { session.toldSeq = seq }
        acks.ack(seq: seq, changed: changed, n: reply.n, id: reply.id, isDuplicate: isDuplicate)
      case .outcome(let result, let isDuplicate):
        acks.outcome(result, n: reply.n, id: reply.id, isDuplicate: isDuplicate)
      case .refusal(let error):
        acks.refusal(error, n: reply.n, id: reply.id)
      case .cancelled(let key):
        acks.cancelled(key: key, id: reply.id)
      case .effects(let list, _):
        acks.effects(list, id: reply.id)
      }
    }
    flush()
    swap(&acks, &ackWriter)
  }

  /// Lets those go on who waited for the group, and forgets clients that are gone.
  private func release(_ group: Group) {
    for client in group.clients { forgetIfIdle(client) }
    for session in group.waiters where !session.isGone && session.wait == .group(group.number) {
      session.wait = nil
      pump(session)
    }
  }

  func forgetIfIdle(_ client: ClientRecord) {
    let name = ByteText(client.name)
    if client.session?.isGone ?? true, client.isSettled, clients[name] === client,
      hellosAsking[name] == nil
    {
      clients[name] = nil
    }
  }

  /// Whether all steps of a session are durable or refused.
  func isSettled(_ session: Session) -> Bool {
    session.lastGroup < (inFlight?.number ?? open.number)
  }

  /// Lets a session's next request wait for a group.
  func wait(_ session: Session, forGroup number: Int) {
    session.wait = .group(number)
    if inFlight?.number == number {
      inFlight?.waiters.append(session)
    } else {
      open.waiters.append(session)
    }
  }

  private func startCheckpointIfDue() {
    let isDue = configuration.checkpoint.isDue(
      logBytes: sinceCheckpoint.bytes, entries: sinceCheckpoint.entries,
      stateBytes: head.view.encodedByteCount)
    if isDue, !isShuttingDown { startCheckpoint() }
  }

  /// Asks for a checkpoint of the durable state, unless one is being written or there is nothing new.
  package func startCheckpoint() {
    guard !sinceCheckpoint.isBeingWritten, sinceCheckpoint.entries > 0 else { return }
    sinceCheckpoint = CheckpointDistance(isBeingWritten: true)
    lastCheckpointMs = nowMs
    effects.append(.checkpoint(seq: durableSeq, time: durableTime, state: durable.view))
  }

  /// The log could be shortened if there were a newer checkpoint.
  ///
  /// One is taken unless it would cost much more than the log has grown since the last.
  package func checkpointWanted() {
    let isCheap = sinceCheckpoint.bytes >= head.view.encodedByteCount / 4
    if isCheap || nowMs - lastCheckpointMs >= Self.checkpointIntervalMs { startCheckpoint() }
  }

  private static let checkpointIntervalMs: Int64 = 60_000

  /// The checkpoint asked for is on disk, or was given up.
  package func checkpointEnded() {
    sinceCheckpoint.isBeingWritten = false
  }

  /// A checkpoint of the durable state, if there is anything new and it is not larger than
  /// `maximumBytes`.
  package func lastCheckpoint(upToBytes maximumBytes: Int) -> Checkpoint? {
    let state = durable.view
    guard sinceCheckpoint.entries > 0, state.encodedByteCount <= maximumBytes else { return nil }
    return Checkpoint(seq: durableSeq, time: durableTime, state: state.bytes)
  }
}

extension Group.Reply {
  /// Whether the outcome told is durable whatever became of the group, once the client has dropped
  /// what is not: a retry of an older step waits its turn only.
  fileprivate var restsOnDisk: Bool {
    guard let n, let client = session.client else { return false }
    return !client.isNew(n)
  }
}
