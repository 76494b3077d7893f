import DuxClient
import DuxStore

extension RemoteStore {
  /// Waits until something is so of what the store shows.
  func reach(
    _ what: String, within limit: Duration = Deadline.usual,
    _ isSo: @escaping @Sendable (RemoteSnapshot<State>) -> Bool
  ) async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let subscription = subscribe { if isSo($0) { continuation.yield() } }
    try await Self.first(of: stream, what, within: limit) { "\(self.status), \(self.snapshot)" }
    subscription.cancel()
  }

  /// Waits until something is so of the connection.
  func reach(
    status what: String, within limit: Duration = Deadline.usual,
    _ isSo: @escaping @Sendable (ConnectionStatus) -> Bool
  ) async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let subscription = onStatus { if isSo($0) { continuation.yield() } }
    try await Self.first(of: stream, what, within: limit) { "\(self.status)" }
    subscription.cancel()
  }

  private static func first(
    of stream: AsyncStream<Void>, _ what: String, within limit: Duration,
    _ state: @escaping @Sendable () -> String
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { for await _ in stream { return } }
      group.addTask {
        try await Task.sleep(for: limit)
        throw Unexpected("in vain: \(what); \(state())")
      }
      try await group.next()
      group.cancelAll()
    }
  }
}

extension ConnectionStatus {
  var isOffline: Bool { if case .offline = self { true } else { false } }
  var isStale: Bool { if case .stale = self { true } else { false } }
  var endCode: String? { if case .ended(let reason) = self { reason.code } else { nil } }
}

extension DaemonProcess {
  /// Where it is.
  var address: DaemonAddress {
    get throws { try DaemonAddress("\(host):\(port)") }
  }
}
