import Login
import Synchronization

/// Getting a ticket while the program goes on: what it has come to is read when the screen is drawn.
final class TicketErrand: Sendable {
  /// What it has come to.
  enum Status: Equatable, Sendable {
    case idle
    case running
    case failed(LoginFailure)
  }

  private struct Content {
    var status = Status.idle
    /// What the screen shows, which may be older.
    var shown = Status.idle
    var task: Task<Void, Never>?
    /// Counts the beginnings, so that nothing comes of one that was given up.
    var number = 0
  }

  private let content = Mutex(Content())

  /// What it has come to; it is taken for shown then.
  func look() -> Status {
    content.withLock {
      $0.shown = $0.status
      return $0.status
    }
  }

  /// Whether the screen shows that it goes on, and has to be drawn again to show its end.
  var isShownRunning: Bool { content.withLock { $0.shown == .running } }

  /// Whether it goes on.
  var isRunning: Bool { content.withLock { $0.status == .running } }

  /// Returns when it is over.
  func ended() async {
    await content.withLock { $0.task }?.value
  }

  /// Begins anew.
  ///
  /// - Parameters:
  ///   - ask: gets the ticket.
  ///   - use: is called with it, on another thread, unless the errand was given up meanwhile.
  func begin(
    _ ask: @escaping @Sendable () async throws(LoginFailure) -> String,
    use: @escaping @Sendable (String) -> Void
  ) {
    giveUp()
    content.withLock { content in
      content.status = .running
      let number = content.number
      content.task = Task {
        do throws(LoginFailure) {
          let ticket = try await ask()
          // Used before the end is seen, so that no screen shows neither the one nor the other.
          if self.isCurrent(number) { use(ticket) }
          self.end(number, .idle)
        } catch {
          self.end(number, .failed(error))
        }
      }
    }
  }

  /// Ends it, whatever it has come to.
  func giveUp() {
    let task = content.withLock { content in
      content.number += 1
      content.status = .idle
      defer { content.task = nil }
      return content.task
    }
    task?.cancel()
  }

  private func isCurrent(_ number: Int) -> Bool { content.withLock { $0.number == number } }

  private func end(_ number: Int, _ status: Status) {
    content.withLock { content in
      guard content.number == number else { return }
      content.status = status
      content.task = nil
    }
  }
}
