/// What became of each change of a load run: sent, acknowledged, seen by how many.
///
/// A change leaves the ledger when its writer was told of it and every subscriber has seen it. Of
/// those that left only the counts are kept, so a run of any length has room.
struct ChangeLedger {
  /// Times between which what happens counts, in nanoseconds.
  var window: Range<Int64> = .max..<Int64.max
  /// From when an action was due to its ack.
  private(set) var ackTimes = LatencyHistogram()
  /// From when an action was due until the last subscriber had seen it.
  private(set) var lastTimes = LatencyHistogram()
  /// Acks since ``takeRecent()``, within the window or not.
  private var recentTimes = LatencyHistogram()

  private(set) var acked = 0
  private(set) var delivered = 0
  private(set) var ackedInWindow = 0
  var deliveredInWindow = 0

  private(set) var subscribers: [Subscriber]
  private(set) var writers: [Writer]
  private(set) var faults = LoadFaults()

  private var entries = [Entry](repeating: Entry(), count: 1_024)
  /// The oldest change that is still here.
  private var first: Int64 = 0
  /// The next change to be sent.
  private(set) var next: Int64 = 0
  /// Changes whose seq is known.
  private var known = 0
  private let inFlightLimit: Int

  /// Changes that are kept at a time; more are not sent.
  private static let greatestCount = 1 << 22

  /// One change on its way.
  private struct Entry {
    var due: Int64 = 0
    /// 0 until somebody has told it.
    var seq: Int64 = 0
    var seenBy: Int32 = 0
    var writer: Int16 = 0
    var outcome = Outcome.unknown
  }

  private enum Outcome {
    case unknown
    case accepted
    case refused
  }

  /// What a writer was told so far.
  struct Writer {
    fileprivate(set) var inFlight = 0
    fileprivate var lastChange: Int64 = -1
    fileprivate var lastSeq: Int64 = 0
  }

  /// What a subscriber was shown so far.
  struct Subscriber {
    fileprivate(set) var lastSeq: Int64 = 0
    /// Changes seen, each counted once.
    fileprivate(set) var seen = 0
    /// Changes that a snapshot stood for.
    fileprivate(set) var replaced = 0
    /// The seqs passed over between two changes, the newest: others' steps, and changes not shown yet.
    fileprivate var jumps: [Range<Int64>] = []
    /// Changes shown behind later ones.
    fileprivate var late: Set<Int64> = []
    /// The seqs that snapshots jumped over.
    fileprivate var gaps: [ClosedRange<Int64>] = []
  }

  /// Makes the ledger of a run that has not begun.
  init(writers: Int, subscribers: Int, inFlightLimit: Int) {
    self.writers = Array(repeating: Writer(), count: writers)
    self.subscribers = Array(repeating: Subscriber(), count: subscribers)
    self.inFlightLimit = inFlightLimit
  }

  /// Actions of which their writers have not been told.
  private(set) var inFlight = 0

  /// Whether there is room for one more.
  var hasRoom: Bool { inFlight < inFlightLimit && next - first < Int64(Self.greatestCount) }

  /// Whether everything that was sent was told and seen.
  var isSettled: Bool { first == next }

  /// Enters an action that is sent now.
  mutating func send(by writer: Int, due: Int64) -> Int64? {
    guard hasRoom, writers.indices.contains(writer) else { return nil }
    if next - first == Int64(entries.count) { grow() }
    let change = next
    entries[slot(change)] = Entry(due: due, writer: Int16(truncatingIfNeeded: writer))
    next += 1
    inFlight += 1
    writers[writer].inFlight += 1
    return change
  }

  /// Enters what a writer was told of an action of its own.
  mutating func acknowledge(_ change: Int64, seq: Int64, by writer: Int, at now: Int64) {
    guard let slot = open(change, of: writer) else { return }
    let due = entries[slot].due
    if change <= writers[writer].lastChange || seq <= writers[writer].lastSeq {
      faults.disorderedAcks += 1
    }
    writers[writer].lastChange = change
    writers[writer].lastSeq = seq
    entries[slot].outcome = .accepted
    acked += 1
    recentTimes.record(now - due)
    if window.contains(now) { ackedInWindow += 1 }
    if window.contains(due) { ackTimes.record(now - due) }
    fix(seq, in: slot)
    leave()
  }

  /// Enters that an action was refused.
  mutating func refuse(_ change: Int64, by writer: Int, _ reason: String) {
    guard let slot = open(change, of: writer) else { return }
    entries[slot].outcome = .refused
    faults.refused += 1
    if faults.firstRefusal == nil { faults.firstRefusal = reason }
    if entries[slot].seenBy > 0 { faults.mismatched += 1 }
    leave()
  }

  /// Enters that a subscriber was shown a change.
  mutating func deliver(_ change: Int64, seq: Int64, to subscriber: Int, at now: Int64) {
    guard change < next else { return deliverStranger(seq: seq, to: subscriber) }
    delivered &+= 1
    // Whatever has left was seen by all.
    guard change >= first else {
      faults.repeated += 1
      return
    }
    let slot = slot(change)
    if entries[slot].seq != seq { fix(seq, in: slot) }
    let next = subscribers[subscriber].lastSeq &+ 1
    if seq != next {
      guard seq > next else {
        return deliverLate(change, seq: seq, in: slot, to: subscriber, at: now)
      }
      subscribers[subscriber].pass(next..<seq)
    }
    subscribers[subscriber].lastSeq = seq
    see(slot, subscriber, at: now)
  }

  /// Enters that a subscriber was shown a change that is none of the run's.
  mutating func deliverStranger(seq: Int64, to subscriber: Int) {
    faults.strangers += 1
    subscribers[subscriber].lastSeq = max(seq, subscribers[subscriber].lastSeq)
  }

  /// Enters that a subscriber begins at a seq.
  mutating func begin(_ subscriber: Int, at seq: Int64) {
    subscribers[subscriber].lastSeq = seq
  }

  /// Enters that a subscriber was given the state at a seq in place of the changes up to it.
  mutating func replace(upTo seq: Int64, for subscriber: Int) {
    faults.snapshots += 1
    let last = subscribers[subscriber].lastSeq
    guard seq > last else { return }
    let gap = (last + 1)...seq
    subscribers[subscriber].gaps.append(gap)
    subscribers[subscriber].lastSeq = seq
    // What has left was seen by this one too, so what it has missed is all still here.
    for change in first..<next where gap.contains(entries[slot(change)].seq) {
      stand(in: slot(change), for: subscriber)
    }
    leave()
  }

  /// Enters a line that is none of the protocol's.
  mutating func countUnreadable() {
    faults.unreadable += 1
  }

  /// What happened since this was last asked.
  mutating func takeRecent() -> LatencyHistogram {
    defer { recentTimes.reset() }
    return recentTimes
  }

  /// What was found wrong, once nothing more is expected.
  func finalFaults() -> LoadFaults {
    var faults = faults
    faults.unanswered = inFlight
    for (index, subscriber) in subscribers.enumerated() {
      let missing = max(0, known - subscriber.seen - subscriber.replaced)
      faults.replaced += subscriber.replaced
      faults.lost += missing
      if missing > 0, faults.firstLoser == nil { faults.firstLoser = index }
    }
    return faults
  }

  /// The slot of an action that its writer has not been told of; anything else is a fault.
  private mutating func open(_ change: Int64, of writer: Int) -> Int? {
    let slot = slot(change)
    guard change >= first, change < next, entries[slot].outcome == .unknown,
      Int(entries[slot].writer) == writer
    else {
      faults.strayAcks += 1
      return nil
    }
    inFlight -= 1
    writers[writer].inFlight -= 1
    return slot
  }

  /// Notes the seq that somebody told for a change; everybody has to tell the same.
  private mutating func fix(_ seq: Int64, in slot: Int) {
    guard seq > 0 else {
      faults.mismatched += 1
      return
    }
    guard entries[slot].seq == 0 else {
      if entries[slot].seq != seq { faults.mismatched += 1 }
      return
    }
    entries[slot].seq = seq
    known += 1
    guard faults.snapshots > 0 else { return }
    for index in subscribers.indices where subscribers[index].gaps.contains(where: { $0 ~= seq }) {
      stand(in: slot, for: index)
    }
  }

  private mutating func stand(in slot: Int, for subscriber: Int) {
    subscribers[subscriber].replaced += 1
    entries[slot].seenBy &+= 1
  }

  /// Enters a change shown behind a later one: one passed over before is only out of order.
  private mutating func deliverLate(
    _ change: Int64, seq: Int64, in slot: Int, to subscriber: Int, at now: Int64
  ) {
    guard subscribers[subscriber].hasPassed(seq),
      subscribers[subscriber].late.insert(change).inserted
    else {
      faults.repeated += 1
      return
    }
    faults.reordered += 1
    see(slot, subscriber, at: now)
  }

  private mutating func see(_ slot: Int, _ subscriber: Int, at now: Int64) {
    subscribers[subscriber].seen &+= 1
    entries[slot].seenBy &+= 1
    guard Int(entries[slot].seenBy) == subscribers.count else { return }
    let due = entries[slot].due
    if window.contains(due) { lastTimes.record(now - due) }
    leave()
  }

  /// Lets go of the oldest changes that nothing more can happen to.
  private mutating func leave() {
    while first < next {
      let entry = entries[slot(first)]
      switch entry.outcome {
      case .unknown: return
      case .accepted: guard Int(entry.seenBy) >= subscribers.count else { return }
      case .refused: break
      }
      first += 1
    }
  }

  private func slot(_ change: Int64) -> Int {
    // The count is a power of two.
    Int(truncatingIfNeeded: change) & (entries.count - 1)
  }

  private mutating func grow() {
    let old = entries
    entries = [Entry](repeating: Entry(), count: old.count * 2)
    for change in first..<next {
      entries[slot(change)] = old[Int(truncatingIfNeeded: change) & (old.count - 1)]
    }
  }
}

extension ChangeLedger.Subscriber {
  /// Jumps that are remembered at least; a change out of order by more looks lost and repeated.
  private static let rememberedJumps = 1_024

  fileprivate mutating func pass(_ seqs: Range<Int64>) {
    jumps.append(seqs)
    if jumps.count >= 2 * Self.rememberedJumps { jumps.removeFirst(Self.rememberedJumps) }
  }

  /// Whether a seq was passed over.
  fileprivate func hasPassed(_ seq: Int64) -> Bool {
    var low = 0
    var high = jumps.count
    while low < high {
      let middle = (low + high) / 2
      if jumps[middle].upperBound <= seq { low = middle + 1 } else { high = middle }
    }
    return low < jumps.count && jumps[low].contains(seq)
  }
}
