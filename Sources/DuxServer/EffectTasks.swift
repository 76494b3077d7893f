import DuxEngine
import DuxNetwork
import DuxStore
import Synchronization

/// Runs effects as tasks on threads of their own, and brings what they tell to the loop's thread.
final class EffectTasks: Sendable {
  /// What is told of effects; an effect that waits for an answer goes on when it is called.
  struct Message: Sendable {
    let event: EffectEvent<HostedAction>
    let answered: @Sendable () -> Void
  }

  private let runner: EffectRunner<HostedAction>
  /// The newest durable store, while closures run, which may read its state: held here it shares
  /// nodes with the engine's, which are copied then when they change.
  private let newest = Mutex<(any HostedStore)?>(nil)

  /// Makes the tasks of a store's effects.
  ///
  /// - Parameters:
  ///   - store: whose effects they are.
  ///   - mailbox: where events go.
  ///   - report: who is told of the program's mistakes.
  init(
    of store: any HostedStore, mailbox: Mailbox<Message>,
    report: @escaping @Sendable (String) -> Void
  ) {
    let link = Link()
    let world = store.dependencies.setting { values in
      values.issueListener = report
      values.storeState = { link.tasks?.state }
    }
    runner = EffectRunner(
      world: { world }, handlers: store.commands, executor: EffectThreads(),
      jitter: { Double.random(in: 0...1) },
      report: { event in
        await withCheckedContinuation { continuation in
          let wait = Wait(continuation)
          mailbox.post(Message(event: event) { wait.end() })
        }
      })
    link.set(self)
  }

  private var state: (any Sendable)? { newest.withLock { $0 }?.anyState }

  /// Lets closures that run read a state that has become durable.
  func show(_ store: () -> any HostedStore) {
    show(runner.runsClosures ? store() : nil)
  }

  private func show(_ store: (any HostedStore)?) {
    // What this lets go of may be large, and is the app's: not while the lock is held.
    let former = newest.withLock { newest in
      defer { newest = store }
      return newest
    }
    _ = consume former
  }

  /// Lets the dependencies, which are made first, find the tasks.
  private final class Link: Sendable {
    private struct Content {
      weak var tasks: EffectTasks?
    }

    private let content = Mutex(Content())

    var tasks: EffectTasks? { content.withLock { $0.tasks } }

    func set(_ tasks: EffectTasks) {
      content.withLock { $0.tasks = tasks }
    }
  }

  /// An effect's wait for an answer, which ends at the latest when nobody is left to give one.
  private final class Wait: Sendable {
    private let continuation: Mutex<CheckedContinuation<Void, Never>?>

    init(_ continuation: CheckedContinuation<Void, Never>) {
      self.continuation = Mutex(continuation)
    }

    deinit { end() }

    func end() {
      continuation.withLock { $0.take() }?.resume()
    }
  }

  /// Does what the engine wants done; what begins may read the state of a store.
  func carryOut(_ output: EffectOutput<HostedAction>, reading store: () -> any HostedStore) {
    if case .run = output { show(store()) }
    runner.carryOut(output)
  }

  /// Runs a command that was asked for some time ago.
  func start(_ command: CommandEntry, age: Duration) {
    runner.start(command, age: age)
  }

  /// Cancels everything, and does nothing any more.
  func close() {
    runner.close()
  }
}
