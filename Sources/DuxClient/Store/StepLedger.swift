import DuxEngine
import DuxJSON
import DuxStore
import Synchronization

/// The receipts of steps whose outcome is not known, and who is told of outcomes.
final class StepLedger: Sendable {
  private struct Entry {
    /// `nil` for a step of an earlier run.
    let receipt: RemoteReceipt?
    let actions: [JSON]
  }

  private struct Content {
    /// Steps that the store has not come to yet.
    var arriving: [ObjectIdentifier: RemoteReceipt] = [:]
    var entries: [RequestToken: Entry] = [:]
    var tokens: [ObjectIdentifier: RequestToken] = [:]
    var end: EndReason?
    var readers: [Int: AsyncStream<Settlement>.Continuation] = [:]
    var readerCount = 0
    /// What became of an earlier run's steps before anybody read it.
    var unread: [Settlement] = []
  }

  private let content: Mutex<Content>

  /// Steps that may wait for the store at a time.
  private let room: Int

  init(restored: [QueuedStep], room: Int = .max) {
    self.room = room
    var content = Content()
    for step in restored {
      content.entries[step.token] = Entry(receipt: nil, actions: step.actions)
    }
    self.content = Mutex(content)
  }

  /// Takes in a receipt, whose step is on its way to the store.
  ///
  /// - Returns: why it is not taken in: the session is over, or dispatches have come faster than the
  ///   store takes them for so long that nothing more can be kept.
  func begin(_ receipt: RemoteReceipt) -> RemoteRefusal? {
    let (refusal, readers) = content.withLock {
      content -> (RemoteRefusal?, [Int: AsyncStream<Settlement>.Continuation]) in
      let refusal = turningAway(content)
      if refusal == nil { content.arriving[ObjectIdentifier(receipt)] = receipt }
      return (refusal, content.readers)
    }
    guard let refusal else { return nil }
    for reader in readers.values { reader.yield(Settlement([], false, .rejected(refusal))) }
    return refusal
  }

  private func turningAway(_ content: Content) -> RemoteRefusal? {
    if let end = content.end { return RemoteRefusal(after: end) }
    guard content.arriving.count >= room else { return nil }
    return RemoteRefusal(
      code: RemoteRefusal.queueFullCode, message: "\(room) dispatches wait for the store already")
  }

  /// Ends a step that has not got a token.
  func refuse(_ receipt: RemoteReceipt, _ refusal: RemoteRefusal, _ actions: [JSON]) {
    let (isHere, readers) = content.withLock { content in
      (content.arriving.removeValue(forKey: ObjectIdentifier(receipt)) != nil, content.readers)
    }
    guard isHere else { return }
    receipt.settle(.rejected(refusal))
    guard !readers.isEmpty else { return }
    let settlement = Settlement(actions, false, .rejected(refusal))
    for reader in readers.values { reader.yield(settlement) }
  }

  /// Gives a step its token.
  func name(_ receipt: RemoteReceipt, _ token: RequestToken, _ actions: [JSON]) {
    content.withLock { content in
      let id = ObjectIdentifier(receipt)
      guard content.arriving.removeValue(forKey: id) != nil else { return }
      content.entries[token] = Entry(receipt: receipt, actions: actions)
      content.tokens[id] = token
    }
  }

  /// The token of a step that has one and no outcome.
  func token(of receipt: RemoteReceipt) -> RequestToken? {
    content.withLock { $0.tokens[ObjectIdentifier(receipt)] }
  }

  /// Gives steps their outcomes; a second one for a step is dropped.
  func settle(_ steps: [SettledStep]) {
    for step in steps { settle(step.token, RemoteOutcome(step.outcome)) }
  }

  private func settle(_ token: RequestToken, _ outcome: RemoteOutcome) {
    let settled = content.withLock {
      content -> (Entry, Settlement?, [Int: AsyncStream<Settlement>.Continuation])? in
      guard let entry = content.entries.removeValue(forKey: token) else { return nil }
      if let receipt = entry.receipt { content.tokens[ObjectIdentifier(receipt)] = nil }
      let isWanted = !content.readers.isEmpty || entry.receipt == nil
      let settlement = isWanted ? Settlement(entry.actions, entry.receipt == nil, outcome) : nil
      if let settlement, content.readers.isEmpty { content.unread.append(settlement) }
      return (entry, settlement, content.readers)
    }
    guard let (entry, settlement, readers) = settled else { return }
    entry.receipt?.settle(outcome)
    guard let settlement else { return }
    for reader in readers.values { reader.yield(settlement) }
  }

  /// Takes no more steps in, and ends those that are left.
  func end(_ reason: EndReason) {
    let (isFirst, arriving, tokens) = content.withLock { content in
      defer {
        content.end = content.end ?? reason
        content.arriving = [:]
      }
      return (content.end == nil, content.arriving.values, content.entries.keys.sorted())
    }
    guard isFirst else { return }
    for receipt in arriving { receipt.settle(.rejected(RemoteRefusal(after: reason))) }
    for token in tokens { settle(token, .unknown(reason)) }
    let readers = content.withLock { content in
      defer { content.readers = [:] }
      return content.readers.values
    }
    for reader in readers { reader.finish() }
  }

  /// What is settled from now on, after what earlier runs had left and was settled before.
  func settlements() -> AsyncStream<Settlement> {
    let (stream, continuation) = AsyncStream.makeStream(of: Settlement.self)
    let (isOver, number) = content.withLock { content in
      // Before anything else can be told to this reader, who does not read yet.
      for settlement in content.unread { continuation.yield(settlement) }
      content.unread = []
      content.readerCount += 1
      if content.end == nil { content.readers[content.readerCount] = continuation }
      return (content.end != nil, content.readerCount)
    }
    if isOver { continuation.finish() }
    continuation.onTermination = { [weak self] _ in
      _ = self?.content.withLock { $0.readers.removeValue(forKey: number) }
    }
    return stream
  }
}

extension Settlement {
  fileprivate init(_ actions: [JSON], _ isRestored: Bool, _ outcome: RemoteOutcome) {
    self.init(
      actions: actions.compactMap { try? WireAction($0) }, isRestored: isRestored,
      outcome: outcome)
  }
}
