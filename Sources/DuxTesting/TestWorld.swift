import DuxStore
import Synchronization

/// The dependencies in force in a test store.
final class TestWorld: Sendable {
  private struct Content {
    var dependencies: DependencyValues
    var clock: ObjectIdentifier?
  }

  private let content: Mutex<Content>
  private let desk: IssueDesk
  private let executor: SerialTaskExecutor

  init(_ dependencies: DependencyValues, _ desk: IssueDesk, _ executor: SerialTaskExecutor) {
    (self.desk, self.executor) = (desk, executor)
    content = Mutex(Content(dependencies: dependencies))
    change(to: dependencies)
  }

  var dependencies: DependencyValues { content.withLock { $0.dependencies } }

  func change(to dependencies: DependencyValues) {
    let desk = desk
    let dependencies = dependencies.setting { values in
      values.issueListener = { desk.fail($0) }
      values.record = nil
    }
    let clock = dependencies.clock as? TestClock
    let isNew = content.withLock { content in
      content.dependencies = dependencies
      let clock = clock.map { ObjectIdentifier($0) }
      defer { content.clock = clock ?? content.clock }
      return clock != nil && clock != content.clock
    }
    guard isNew else { return }
    // So that, when the clock was moved, effects have gone as far as they can.
    clock?.onSettling { [weak executor] in
      guard let executor else { return false }
      await executor.settle()
      return true
    }
  }
}
