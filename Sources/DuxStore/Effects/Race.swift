import Synchronization

/// A value that the first to give one decides, waited for by one task.
final class Race<Value: Sendable>: Sendable {
  private enum Content {
    case open(CheckedContinuation<Value, any Error>?)
    case finished(Result<Value, any Error>)
  }

  private let content = Mutex(Content.open(nil))

  /// Decides the race, unless it is decided.
  func finish(_ result: Result<Value, any Error>) {
    let waiting = content.withLock { content in
      guard case .open(let continuation) = content else {
        return CheckedContinuation<Value, any Error>?.none
      }
      content = .finished(result)
      return continuation
    }
    waiting?.resume(with: result)
  }

  /// The first value given.
  ///
  /// - Throws: what was given in its place; `CancellationError` when the waiting task is cancelled.
  func value() async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = content.withLock { content in
          guard case .finished(let result) = content else {
            content = .open(continuation)
            return Result<Value, any Error>?.none
          }
          return result
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      finish(.failure(CancellationError()))
    }
  }
}
