import Synchronization
import Testing

/// Takes issues from a test store and from what runs in it, and knows where the test is.
final class IssueDesk: Sendable {
  private let take: @Sendable (TestIssue) -> Void
  private let place: Mutex<SourceLocation>

  init(_ take: @escaping @Sendable (TestIssue) -> Void, at place: SourceLocation) {
    self.take = take
    self.place = Mutex(place)
  }

  var location: SourceLocation { place.withLock { $0 } }

  /// Notes that the test has come to a place: what happens from now on is told of there.
  func move(to place: SourceLocation) {
    self.place.withLock { $0 = place }
  }

  func fail(_ message: String, at place: SourceLocation? = nil) {
    take(
      TestIssue(
        message: message, sourceLocation: place ?? location, severity: .failure))
  }

  func report(_ message: String) {
    take(
      TestIssue(
        message: message, sourceLocation: location, severity: .report))
  }
}
