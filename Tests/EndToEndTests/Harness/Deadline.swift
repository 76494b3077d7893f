import Glibc

/// The moment after which waiting is a failure.
struct Deadline {
  private let end: ContinuousClock.Instant

  /// Generous, because a loaded machine is no fault of the server.
  static let usual = Duration.seconds(30)

  init(_ duration: Duration = usual) {
    end = ContinuousClock.now + duration
  }

  /// What is left, in the unit of `poll`; 0 once it has passed.
  var milliseconds: Int32 {
    let left = (end - ContinuousClock.now).components
    guard left.seconds >= 0, left.attoseconds >= 0 else { return 0 }
    return Int32(clamping: left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000 + 1)
  }

  var hasPassed: Bool { ContinuousClock.now >= end }
}

/// Waits until something is so.
func wait(
  _ what: String, _ deadline: Deadline = Deadline(), until isSo: () throws -> Bool
) throws {
  while try !isSo() {
    guard !deadline.hasPassed else { throw Unexpected("in vain: \(what)") }
    poll(nil, 0, 5)
  }
}
