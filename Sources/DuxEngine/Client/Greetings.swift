/// Greetings that were sent and not answered before their connection was given up.
///
/// A slow network may bring such a one to the daemon after that of the next connection, which it
/// takes the name from; what then comes is no other program, and no reason to stay away.
struct Greetings {
  private var givenUp = 0
  private var lastMs: Int64 = 0

  mutating func giveUp(_ nowMs: Int64) {
    givenUp += 1
    lastMs = nowMs
  }

  /// Whether one of them may be what took the name over; each is blamed once, so that two programs
  /// of one name don't throw each other out for ever.
  mutating func explainTakeover(_ nowMs: Int64) -> Bool {
    guard nowMs - lastMs < Self.longestDelayMs else {
      givenUp = 0
      return false
    }
    guard givenUp > 0 else { return false }
    givenUp -= 1
    return true
  }

  private static let longestDelayMs: Int64 = 60_000
}
