import Synchronization

/// A value that will be there once, for any number of tasks that wait for it.
final class Eventual<Value: Sendable>: Sendable {
  private struct Content {
    var value: Value?
    var waiting: [Int: CheckedContinuation<Value, any Error>] = [:]
    var count = 0
  }

  private let content = Mutex(Content())

  /// The value; `nil` while it is not there.
  var value: Value? { content.withLock { $0.value } }

  /// Gives the value; a second one is dropped.
  func fulfil(_ value: Value) {
    let waiting = content.withLock { content -> [CheckedContinuation<Value, any Error>] in
      guard content.value == nil else { return [] }
      content.value = value
      defer { content.waiting = [:] }
      return Array(content.waiting.values)
    }
    for continuation in waiting { continuation.resume(returning: value) }
  }

  /// Waits for the value.
  ///
  /// - Throws: `CancellationError` when the task is cancelled before it is there.
  func wait() async throws -> Value {
    let number = content.withLock { content in
      content.count += 1
      return content.count
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let value: Result<Value, any Error>? = content.withLock { content in
          if let value = content.value { return .success(value) }
          if Task.isCancelled { return .failure(CancellationError()) }
          content.waiting[number] = continuation
          return nil
        }
        if let value { continuation.resume(with: value) }
      }
    } onCancel: {
      let continuation = content.withLock { $0.waiting.removeValue(forKey: number) }
      continuation?.resume(throwing: CancellationError())
    }
  }
}
