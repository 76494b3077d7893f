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
  /// Outcomes that are not durable yet, by `n`.
  private var unsettled: [Int64: Outcome] = [:]
  /// The newest durable outcomes, by `n`.
  private var settled: [Int64: Outcome] = [:]
  private var settledOrder: [Int64] = []

  private static let settledLimit = 64

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

  var isSettled: Bool { unsettled.isEmpty }

  func knowledge(of n: Int64) -> Knowledge {
    if let outcome = unsettled[n] ?? settled[n] { return .known(outcome) }
    return isNew(n) ? .new : .old
  }

  /// Whether a number was never used.
  func isNew(_ n: Int64) -> Bool { n > lastN }

  /// Notes the outcome of a new request that goes to the disk with the next group.
  func note(_ outcome: Outcome) {
    unsettled[outcome.n] = outcome
    lastN = max(lastN, outcome.n)
  }

  /// Notes that an outcome is durable.
  func settle(_ outcome: Outcome) {
    unsettled[outcome.n] = nil
    durableLastN = max(durableLastN, outcome.n)
    settled[outcome.n] = outcome
    settledOrder.append(outcome.n)
    if settledOrder.count > Self.settledLimit * 2 {
      settledOrder.prefix(Self.settledLimit).forEach { settled[$0] = nil }
      settledOrder.removeFirst(Self.settledLimit)
    }
  }

  /// Forgets what did not reach the disk.
  func dropUnsettled() {
    unsettled = [:]
    lastN = durableLastN
  }
}
