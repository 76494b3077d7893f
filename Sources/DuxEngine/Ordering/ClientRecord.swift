import DuxLog

/// What the brain remembers of a client that is connected or has steps on their way to the disk.
///
/// The disk remembers all; this is the part that must be known before the disk has answered.
final class ClientRecord {
  let name: String
  /// The connection that speaks for the client.
  var session: Session?
  /// The highest `n` used, on its way to the disk included.
  private(set) var lastN: Int64
  private var durableLastN: Int64
  /// The newest outcomes, `n` rising: first those that are durable, then those on their way to the
  /// disk, then those of the group that collects.
  @exclusivity(unchecked) private var outcomes: [Outcome] = []
  private var settledCount = 0
  /// How many outcomes are durable or on their way.
  private var sentCount = 0

  private static let settledLimit = 64
  /// Outcomes that there may be room for while none waits.
  private static let idleCapacity = 512

  init(name: String, lastN: Int64) {
    self.name = name
    self.lastN = lastN
    self.durableLastN = lastN
  }

  /// What is known of a request's number.
  enum Knowledge {
    case new
    case known(Outcome)
    /// Only the disk can tell.
    case old
  }

  var isSettled: Bool { settledCount == outcomes.count }

  /// Whether the group that collects holds an outcome of the client's.
  var hasCollected: Bool { sentCount < outcomes.count }

  func knowledge(of n: Int64) -> Knowledge {
    if isNew(n) { return .new }
    let index = outcomes.partitioningIndex { $0.n >= n }
    return index < outcomes.count && outcomes[index].n == n ? .known(outcomes[index]) : .old
  }

  /// Whether a number was never used.
  func isNew(_ n: Int64) -> Bool { n > lastN }

  /// Notes the outcome of a new request that goes to the disk with the next group.
  ///
  /// - Precondition: the request's number is new.
  func note(_ outcome: Outcome) {
    outcomes.append(outcome)
    lastN = outcome.n
  }

  /// The outcomes of the group that collects; they are on their way from now on.
  func takeCollected() -> [Outcome] {
    defer { sentCount = outcomes.count }
    return Array(outcomes[sentCount...])
  }

  /// Notes that what was on its way is durable.
  func settle() {
    settledCount = sentCount
    guard settledCount > 0 else { return }
    durableLastN = outcomes[settledCount - 1].n
    guard settledCount > Self.settledLimit * 2 else { return }
    let forgotten = settledCount - Self.settledLimit
    if outcomes.capacity > Self.idleCapacity, isSettled {
      outcomes = Array(outcomes[forgotten...])
    } else {
      outcomes.removeFirst(forgotten)
    }
    settledCount -= forgotten
    sentCount -= forgotten
  }

  /// Forgets what did not reach the disk.
  func dropUnsettled() {
    outcomes.removeSubrange(settledCount...)
    sentCount = settledCount
    lastN = durableLastN
  }
}
