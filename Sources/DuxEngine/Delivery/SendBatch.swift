/// The runs of bytes of one send, and where each comes from.
///
/// The engine has one and fills it anew for every send, so that a send allocates nothing.
final class SendBatch {
  /// Runs given to one send; whoever lacks more is sent the rest after it.
  static let capacity = 32

  private let memory: UnsafeMutableBufferPointer<UnsafeRawBufferPointer>
  private let origins: UnsafeMutableBufferPointer<Int>
  private(set) var count = 0
  private(set) var byteCount = 0

  init() {
    memory = .allocate(capacity: Self.capacity)
    memory.initialize(repeating: UnsafeRawBufferPointer(start: nil, count: 0))
    origins = .allocate(capacity: Self.capacity)
    origins.initialize(repeating: Self.queue)
  }

  deinit {
    memory.deallocate()
    origins.deallocate()
  }

  /// The origin of what stands in a session's own queue; all others are indices of subscriptions.
  static let queue = -1

  var isEmpty: Bool { count == 0 }

  var isFull: Bool { count == Self.capacity }

  /// The runs, valid until the next change of what they were taken from.
  var runs: UnsafeBufferPointer<UnsafeRawBufferPointer> {
    UnsafeBufferPointer(start: memory.baseAddress, count: count)
  }

  func removeAll() {
    count = 0
    byteCount = 0
  }

  /// Adds a run; nothing when the batch is full.
  func append(_ run: UnsafeRawBufferPointer, from origin: Int) {
    guard count < Self.capacity else { return }
    memory[count] = run
    origins[count] = origin
    count += 1
    byteCount += run.count
  }

  /// Tells `body` of each run that was sent, at least in part: its origin, its length, and how much
  /// of it was sent.
  func forEachSent(of taken: Int, _ body: (_ origin: Int, _ length: Int, _ sent: Int) -> Void) {
    var rest = taken
    for index in 0..<count {
      guard rest > 0 else { return }
      let length = memory[index].count
      let sent = min(rest, length)
      rest -= sent
      body(origins[index], length, sent)
    }
  }
}
