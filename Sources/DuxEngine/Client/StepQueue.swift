import DuxJSON

/// The steps of a client whose outcomes are not known, in the order they are sent.
///
/// Their numbers rise along that order, and those without a number are behind all others.
struct StepQueue {
  struct Entry {
    let step: RequestToken
    let actions: [JSON]
    let preconditions: [JSON]
    /// Given before the step is first sent, and kept for all retries.
    var n: Int64?
    /// When it got its number; on the monotonic clock only if this run gave it.
    var numberedMs: Int64?
    var numberedWallMs: Int64 = 0
    /// Whether the journal holds it, whatever its number there.
    var isWritten = false
    /// Whether the journal holds it under its number.
    var isKept = false
    /// Whether it may have been sent under its number.
    var wasSent = false
    /// Bytes of its line, once it is sent.
    var lineBytes = 0

    var queued: QueuedStep {
      QueuedStep(
        token: step, n: n, numberedMs: n == nil ? nil : numberedWallMs, actions: actions,
        preconditions: preconditions)
    }
  }

  /// Settled ones up to `head`, then those on their way up to `firstUnsent`, then those with a
  /// number up to `firstUnnumbered`, then the others.
  private var entries: [Entry] = []
  private var head = 0
  private var firstUnsent = 0
  private var firstUnnumbered = 0
  /// Those refused for the moment: asked for earlier than all unsent ones.
  private var refused: [Entry] = []
  /// The token for the next step.
  private(set) var nextToken = RequestToken(index: 0)

  var count: Int { entries.count - head + refused.count }

  var countOnTheWay: Int { firstUnsent - head }

  /// The steps on their way.
  var onTheWay: [RequestToken] { entries[head..<firstUnsent].map(\.step) }

  /// Bytes of the lines on their way.
  private(set) var bytesOnTheWay = 0

  /// Whether steps wait until what is on its way is settled, to be sent again before all others.
  var isHeldBack: Bool { !refused.isEmpty }

  mutating func append(_ step: RequestToken, actions: [JSON], preconditions: [JSON]) {
    nextToken = RequestToken(index: max(nextToken.index, step.index + 1))
    entries.append(Entry(step: step, actions: actions, preconditions: preconditions))
  }

  /// Puts a step of an earlier run behind those that are there.
  mutating func restore(_ queued: QueuedStep) {
    append(queued.token, actions: queued.actions, preconditions: queued.preconditions)
    let index = entries.count - 1
    entries[index].isWritten = true
    guard let n = queued.n else { return }
    entries[index].n = n
    entries[index].numberedWallMs = queued.numberedMs ?? 0
    entries[index].isKept = true
    entries[index].wasSent = true
    firstUnnumbered = entries.count
  }

  /// The step that was asked for last, if it is this one.
  func last(_ step: RequestToken) -> Entry? {
    entries.count > head && entries[entries.count - 1].step == step ? entries.last : nil
  }

  /// Gives numbers to the steps that fit into the window.
  ///
  /// - Returns: the steps that were given one.
  mutating func number(
    within window: Int, from next: inout Int64, _ nowMs: Int64, _ wallMs: Int64
  ) -> [QueuedStep] {
    let end = window < entries.count - head ? head + window : entries.count
    guard firstUnnumbered < end else { return [] }
    var numbered: [QueuedStep] = []
    for index in firstUnnumbered..<end {
      entries[index].n = next
      entries[index].isKept = false
      entries[index].numberedMs = nowMs
      entries[index].numberedWallMs = wallMs
      next &+= 1
      numbered.append(entries[index].queued)
    }
    firstUnnumbered = end
    return numbered
  }

  /// The next step with a number, taken to be sent; `nil` when there is none that may be.
  mutating func takeNumbered(mustBeKept: Bool) -> Entry? {
    guard firstUnsent < firstUnnumbered, entries[firstUnsent].isKept || !mustBeKept else {
      return nil
    }
    entries[firstUnsent].wasSent = true
    defer { firstUnsent += 1 }
    return entries[firstUnsent]
  }

  /// Whether the next step to send may have been sent before.
  var isNextResent: Bool { firstUnsent < firstUnnumbered && entries[firstUnsent].wasSent }

  mutating func noteKept(_ step: RequestToken, n: Int64?) {
    guard let index = unsentIndex(of: step) else { return }
    entries[index].isWritten = true
    if n != nil, entries[index].n == n { entries[index].isKept = true }
  }

  /// Steps with a number that the journal does not hold under it.
  var numberedUnkept: [QueuedStep] {
    entries[firstUnsent..<firstUnnumbered].filter { !$0.isKept }.map(\.queued)
  }

  /// The step of a number that may have been sent and is not settled.
  func sentStep(n: Int64) -> RequestToken? {
    entries[head..<firstUnnumbered].first { $0.n == n && $0.wasSent }?.step
  }

  /// The step of a number, taken out; outcomes come in order, so it is the first.
  mutating func settle(n: Int64) -> RequestToken? {
    guard head < firstUnsent, entries[head].n == n else { return nil }
    return takeFirst().step
  }

  /// How long ago the first step on its way got its number, if it has this one.
  func age(n: Int64, nowMs: Int64, wallMs: Int64) -> Int64? {
    guard head < firstUnsent, entries[head].n == n else { return nil }
    if let numberedMs = entries[head].numberedMs { return nowMs - numberedMs }
    return wallMs &- entries[head].numberedWallMs
  }

  /// The first step on its way, taken out: the one that an answer without a number is for.
  mutating func settleFirst() -> RequestToken? {
    head < firstUnsent ? takeFirst().step : nil
  }

  /// Notes the length of the line that went out last.
  mutating func noteSent(lineBytes: Int) {
    guard head < firstUnsent else { return }
    entries[firstUnsent - 1].lineBytes = lineBytes
    bytesOnTheWay += lineBytes
  }

  /// The step sent last, taken out before it has left.
  mutating func takeBackLast() -> RequestToken? {
    guard head < firstUnsent else { return nil }
    firstUnsent -= 1
    firstUnnumbered -= 1
    return entries.remove(at: firstUnsent).step
  }

  /// Takes a step out that certainly had no effect and is not on its way.
  ///
  /// - Returns: whether it is such a step.
  mutating func cancel(_ step: RequestToken) -> Bool {
    if let index = refused.firstIndex(where: { $0.step == step }) {
      refused.remove(at: index)
      return true
    }
    guard let index = unsentIndex(of: step), !entries[index].wasSent else { return false }
    entries.remove(at: index)
    if index < firstUnnumbered { firstUnnumbered -= 1 }
    return true
  }

  /// Takes a step out that has this number and that the journal does not hold.
  ///
  /// - Returns: whether it is such a step.
  mutating func removeUnwritten(_ step: RequestToken, numbered n: Int64?) -> Bool {
    guard let index = unsentIndex(of: step), entries[index].n == n, !entries[index].isWritten
    else { return false }
    return cancel(step)
  }

  /// Where a step is that is not on its way.
  private func unsentIndex(of step: RequestToken) -> Int? {
    if let index = entries[firstUnsent..<firstUnnumbered].firstIndex(where: { $0.step == step }) {
      return index
    }
    // Those without a number stand in the order they were asked for.
    var (low, high) = (firstUnnumbered, entries.count)
    while low < high {
      let middle = low + (high - low) / 2
      if entries[middle].step < step { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].step == step ? low : nil
  }

  /// Keeps a step that was refused for the moment, to be sent again under a new number: its old one
  /// may by then be below another that was taken.
  ///
  /// - Returns: the step, if the number was that of the first one on its way.
  mutating func refuse(n: Int64) -> RequestToken? {
    guard head < firstUnsent, entries[head].n == n else { return nil }
    let entry = takeFirst()
    var anew = Entry(
      step: entry.step, actions: entry.actions, preconditions: entry.preconditions)
    anew.isWritten = entry.isWritten
    refused.append(anew)
    return entry.step
  }

  /// Puts refused steps back, before all that were never sent; those lose the numbers they have, so
  /// that numbers go on rising along the order.
  mutating func takeUpRefused() {
    guard !refused.isEmpty else { return }
    let place =
      entries[firstUnsent..<firstUnnumbered].firstIndex { !$0.wasSent } ?? firstUnnumbered
    for index in place..<firstUnnumbered { entries[index].n = nil }
    firstUnnumbered = place
    entries.insert(contentsOf: refused.sorted { $0.step < $1.step }, at: place)
    refused = []
  }

  /// Lets all steps be sent again, after a connection was lost.
  mutating func rewind() {
    firstUnsent = head
    bytesOnTheWay = 0
    takeUpRefused()
  }

  private mutating func takeFirst() -> Entry {
    let entry = entries[head]
    bytesOnTheWay -= entry.lineBytes
    head += 1
    if head > 256, head * 2 > entries.count {
      entries.removeFirst(head)
      firstUnsent -= head
      firstUnnumbered -= head
      head = 0
    }
    return entry
  }
}
