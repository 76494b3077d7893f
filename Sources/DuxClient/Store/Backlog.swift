import Synchronization

/// How much a store was told that it has not come to, because a listener on another thread keeps it
/// busy.
final class Backlog: Sendable {
  private struct Content {
    var count = 0
    var isWaitedFor = false
  }

  private let content = Mutex(Content())

  private static let limit = 16

  /// Counts what the store is about to be told.
  func add() {
    content.withLock { $0.count += 1 }
  }

  /// Whether the store may be told more; if not, ``take()`` says when.
  func hasRoom() -> Bool {
    content.withLock { content in
      content.isWaitedFor = content.count > Self.limit
      return !content.isWaitedFor
    }
  }

  /// Counts what the store has come to.
  ///
  /// - Returns: whether that is all, and somebody waits for it.
  func take() -> Bool {
    content.withLock { content in
      content.count -= 1
      guard content.count == 0 else { return false }
      defer { content.isWaitedFor = false }
      return content.isWaitedFor
    }
  }
}
