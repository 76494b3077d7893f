/// What one connection is to be sent beside the frames of its channels, in order.
struct OutputQueue {
  enum Item {
    /// Bytes of this connection's own.
    case own(GrowingBytes)
    /// Answers to steps: the frames of those steps come before.
    case answers(GrowingBytes)
    case shared(SharedBytes)
    case turningPoint(TurningPoint)

    var bytes: UnsafeRawBufferPointer? {
      switch self {
      case .own(let own), .answers(let own): own.bytes
      case .shared(let shared): shared.bytes
      case .turningPoint: nil
      }
    }
  }

  /// Where a subscription begins or ends, or is told how far it is, between two answers.
  enum TurningPoint {
    /// From here on the subscription's frames follow.
    case activation(Subscription)
    /// From here on they don't any more; those before its last offset still do.
    case ending(Subscription)
    /// Here the subscription is told how far it is.
    case mark(Subscription)
  }

  /// What may be added at its end.
  enum Part {
    case own([UInt8])
    /// The answer to a step.
    case answer([UInt8])
    case shared(SharedBytes)
  }

  private var items: [Item] = []
  private var head = 0
  /// Bytes of the first item that are sent already.
  private var sentBytes = 0
  private(set) var byteCount = 0

  var isEmpty: Bool { head == items.count }

  /// Whether the first item is the rest of something: nothing else may be sent before it.
  private var isHeadRest = false

  /// Whether the first item, or the line it is the rest of, is sent in part.
  var isBegun: Bool { sentBytes > 0 || isHeadRest }

  /// Whether more may join the last item: not once it is sent in part, for what joins may have to
  /// wait for frames that are not sent yet.
  private var isLastOpen: Bool { head < items.count - (isBegun ? 1 : 0) }

  private static let ownBytesLimit = 65_536
  /// Items that an empty queue keeps room for.
  private static let keptItems = 4

  mutating func append(_ part: Part) {
    switch part {
    case .own(let bytes): append(bytes)
    case .answer(let bytes): append(answer: bytes)
    case .shared(let bytes): append(bytes)
    }
  }

  mutating func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    if isLastOpen, case .own(let last)? = items.last, extend(last, by: bytes) { return }
    items.append(.own(begin(with: bytes)))
  }

  mutating func append(_ shared: SharedBytes) {
    guard !shared.bytes.isEmpty else { return }
    byteCount += shared.bytes.count
    items.append(.shared(shared))
  }

  /// Adds the answer to a step.
  mutating func append(answer bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    if isLastOpen, case .answers(let last)? = items.last, extend(last, by: bytes) { return }
    items.append(.answers(begin(with: bytes)))
  }

  /// Adds to a run that is not too long already.
  private mutating func extend(_ run: GrowingBytes, by bytes: [UInt8]) -> Bool {
    guard run.bytes.count < Self.ownBytesLimit else { return false }
    run.append(bytes)
    byteCount += bytes.count
    return true
  }

  private mutating func begin(with bytes: [UInt8]) -> GrowingBytes {
    let run = GrowingBytes()
    run.append(bytes)
    byteCount += bytes.count
    return run
  }

  mutating func append(activationOf subscription: Subscription) {
    items.append(.turningPoint(.activation(subscription)))
  }

  mutating func append(endingOf subscription: Subscription) {
    items.append(.turningPoint(.ending(subscription)))
  }

  mutating func append(markOf subscription: Subscription) {
    items.append(.turningPoint(.mark(subscription)))
  }

  /// Adds what another queue holds, nothing of which has been sent.
  mutating func append(_ other: OutputQueue) {
    items.append(contentsOf: other.items[other.head...])
    byteCount += other.byteCount
  }

  /// Takes everything out of the queue from the first item on that has to stand behind frames: an
  /// answer to a step, or the end of a subscription.
  mutating func splitAtFirstAnswer() -> OutputQueue {
    var rest = OutputQueue()
    let first = items[head...].indices.first { index in
      switch items[index] {
      case .answers: index > head || !isBegun
      case .turningPoint(.ending): true
      default: false
      }
    }
    guard let first else { return rest }
    rest.items = Array(items[first...])
    rest.byteCount = rest.items.reduce(0) { $0 + ($1.bytes?.count ?? 0) }
    items.removeSubrange(first...)
    byteCount -= rest.byteCount
    return rest
  }

  /// Puts bytes before everything that waits, and before all frames; nothing that waits may be sent
  /// in part.
  mutating func prepend(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    items.insert(.own(begin(with: bytes)), at: head)
    isHeadRest = true
  }

  /// The next item, where it is a turning point.
  var turningPoint: TurningPoint? {
    guard head < items.count, case .turningPoint(let point) = items[head] else { return nil }
    return point
  }

  /// Takes the turning point that is next.
  mutating func passTurningPoint() {
    advanceHead()
  }

  /// Adds the runs of bytes up to the next turning point, as far as the batch has room.
  ///
  /// They stay in place until the next change of the queue.
  ///
  /// - Returns: whether that is all there is.
  func gather(into batch: SendBatch) -> Bool {
    var skipped = sentBytes
    for index in head..<items.count {
      guard !batch.isFull, let bytes = items[index].bytes else { return false }
      batch.append(UnsafeRawBufferPointer(rebasing: bytes[skipped...]), from: SendBatch.queue)
      skipped = 0
    }
    return true
  }

  /// Adds what is left of the first item.
  func gatherFirst(into batch: SendBatch) {
    guard head < items.count, let bytes = items[head].bytes else { return }
    batch.append(UnsafeRawBufferPointer(rebasing: bytes[sentBytes...]), from: SendBatch.queue)
  }

  /// Counts bytes as sent, from the front.
  mutating func consume(_ count: Int) {
    var rest = count
    byteCount -= count
    while rest > 0, head < items.count {
      guard let bytes = items[head].bytes else { return }
      let available = bytes.count - sentBytes
      if rest < available {
        sentBytes += rest
        return
      }
      rest -= available
      sentBytes = 0
      advanceHead()
    }
  }

  private mutating func advanceHead() {
    head += 1
    isHeadRest = false
    if head == items.count {
      if items.count > Self.keptItems { items = [] } else { items.removeAll(keepingCapacity: true) }
      head = 0
    } else if head > 64, head * 2 > items.count {
      items.removeFirst(head)
      head = 0
    }
  }
}
