import Synchronization

/// What a server's connections share: the handler and the tasks that run it.
final class ServerCore: Sendable {
  private enum State {
    case running(tasks: [Int: Task<Void, Never>], next: Int)
    case stopped
  }

  let maximumBodyBytes: Int
  private let handler: @Sendable (ServerRequest) async -> ServerResponse
  private let state = Mutex(State.running(tasks: [:], next: 0))

  init(
    maximumBodyBytes: Int, handler: @escaping @Sendable (ServerRequest) async -> ServerResponse
  ) {
    self.maximumBodyBytes = maximumBodyBytes
    self.handler = handler
  }

  /// Runs the handler, and calls `finish` with its answer once.
  func handle(_ request: ServerRequest, finish: @escaping @Sendable (ServerResponse) -> Void) {
    let isRunning = state.withLock { state in
      guard case .running(var tasks, let number) = state else { return false }
      tasks[number] = Task { [self] in
        let response = await handler(request)
        finish(response)
        end(number)
      }
      state = .running(tasks: tasks, next: number + 1)
      return true
    }
    if !isRunning { finish(.error("the server is stopping", status: 503)) }
  }

  /// Cancels the handlers that run, and waits for them.
  func stop() async {
    let tasks = state.withLock { state -> [Task<Void, Never>] in
      guard case .running(let tasks, _) = state else { return [] }
      state = .stopped
      return Array(tasks.values)
    }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  private func end(_ number: Int) {
    state.withLock { state in
      guard case .running(var tasks, let next) = state else { return }
      tasks[number] = nil
      state = .running(tasks: tasks, next: next)
    }
  }
}
