import DuxJSON

/// The steps of a client whose outcomes are not known, in the order they were asked for.
struct StepQueue {
  struct Entry {
    let step: RemoteSession.Step
    let actions: [JSON]
    let preconditions: [JSON]
    /// Given when the step is first sent, and kept for all retries.
    var n: Int64?
    /// When it was first sent under its number.
    var firstSentMs: Int64 = 0
    /// Bytes of its line, once it is sent.
    var lineBytes = 0
  }

  /// Settled ones up to `head`, then those on their way up to `firstUnsent`, then the others.
  private var entries: [Entry] = []
  private var head = 0
  private var stepCount = 0
  private var firstUnsent = 0
  /// Those refused for the moment: asked for earlier than all unsent ones.
  private var refused: [Entry] = []

  var count: Int { entries.count - head + refused.count }

  var countOnTheWay: Int { firstUnsent - head }

  /// Bytes of the lines on their way.
  private(set) var bytesOnTheWay = 0

  /// Whether steps wait until what is on its way is settled, to be sent again before all others.
  var isHeldBack: Bool { !refused.isEmpty }

  mutating func append(actions: [JSON], preconditions: [JSON]) -> RemoteSession.Step {
    let step = RemoteSession.Step(index: stepCount)
    stepCount += 1
    entries.append(Entry(step: step, actions: actions, preconditions: preconditions))
    return step
  }

  /// The next step to send, numbered; `nil` when all are on their way.
  mutating func takeUnsent(numbering next: inout Int64, nowMs: Int64) -> Entry? {
    guard firstUnsent < entries.count else { return nil }
    if entries[firstUnsent].n == nil {
      entries[firstUnsent].n = next
      entries[firstUnsent].firstSentMs = nowMs
      next += 1
    }
    defer { firstUnsent += 1 }
    return entries[firstUnsent]
  }

  /// The step of a number, taken out; outcomes come in order, so it is the first.
  mutating func settle(n: Int64) -> RemoteSession.Step? {
    guard head < firstUnsent, entries[head].n == n else { return nil }
    return takeFirst().step
  }

  /// When the first step on its way was first sent, if it has this number.
  func firstSentMs(n: Int64) -> Int64? {
    head < firstUnsent && entries[head].n == n ? entries[head].firstSentMs : nil
  }

  /// The first step on its way, taken out: the one that an answer without a number is for.
  mutating func settleFirst() -> RemoteSession.Step? {
    head < firstUnsent ? takeFirst().step : nil
  }

  /// Notes the length of the line that went out last.
  mutating func noteSent(lineBytes: Int) {
    guard head < firstUnsent else { return }
    entries[firstUnsent - 1].lineBytes = lineBytes
    bytesOnTheWay += lineBytes
  }

  /// The step sent last, taken out before it has left.
  mutating func takeBackLast() -> RemoteSession.Step? {
    guard head < firstUnsent else { return nil }
    firstUnsent -= 1
    return entries.remove(at: firstUnsent).step
  }

  /// Keeps a step that was refused for the moment, to be sent again under a new number: its old one
  /// may by then be below another that was taken.
  ///
  /// - Returns: whether the number was that of the first step on its way.
  mutating func refuse(n: Int64) -> Bool {
    guard head < firstUnsent, entries[head].n == n else { return false }
    var entry = takeFirst()
    entry.n = nil
    refused.append(entry)
    return true
  }

  /// Puts refused steps back, before all that are not numbered yet.
  mutating func takeUpRefused() {
    let place = entries[head...].firstIndex { $0.n == nil } ?? entries.count
    entries.insert(contentsOf: refused, at: place)
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
      head = 0
    }
    return entry
  }
}
