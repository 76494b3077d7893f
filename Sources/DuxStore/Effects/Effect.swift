package import DuxJSON

/// What is to be done beside a change of state, as a value: a reducer returns it, a store carries it
/// out once the change is made (in the daemon, once it is on disk).
///
/// There are two kinds of work. A ``command(_:)`` is written down with the change that asked for it
/// and survives a crash. A ``run(_:operation:catch:)`` lives in memory and ends with the process.
/// Both answer with actions, and never touch the state.
public struct Effect<Action: Sendable>: Sendable {
  /// The parts an effect is made of, as a ledger reads them.
  package indirect enum Node: Sendable {
    case none
    case send(Action)
    case run(EffectOperation<Action>)
    case command(CommandRequest)
    case merge([Node])
    case concatenate([Node])
    case cancel(EffectID)
    case cancelAll
    case controlled(Node, id: EffectID, policy: EffectPolicy)
    case debounced(Node, id: EffectID, delay: Duration)
    case throttled(Node, id: EffectID, interval: Duration, keeping: ThrottleChoice)
    case detached(Node)
    case scoped(Node, names: [String])
  }

  package let node: Node

  /// Makes an effect of its parts.
  package init(_ node: Node) {
    self.node = node
  }
}

/// What happens when an effect starts while another one of the same id runs.
///
/// Where the effects of one id come with different policies, the one that starts decides:
/// ``takeLatest`` cancels all others, ``takeFirst`` gives way to any other, even one that waits,
/// ``queue`` waits for all that run and all that wait before it, and ``parallel`` waits for none.
public enum EffectPolicy: String, Codable, Sendable {
  /// Both run; the id only serves to cancel them.
  case parallel
  /// The running one is cancelled; nothing it still says counts.
  case takeLatest
  /// The new one is not started.
  case takeFirst
  /// The new one waits until the running one, and those that wait before it, have ended.
  case queue
}

/// Which of the effects that come within a throttle's interval runs at its end.
public enum ThrottleChoice: Sendable {
  /// None: what comes within the interval is dropped.
  case first
  /// The last that came.
  case latest
}

/// The work of a running effect.
package struct EffectOperation<Action: Sendable>: Sendable {
  /// For messages and lists: the reducer's name for it, or where it was made.
  package let name: String
  package let body: @Sendable (Send<Action>) async throws -> Void
  package let recover: (@Sendable (any Error) -> Action)?
}

/// The way back from a running effect to the store.
public struct Send<Action: Sendable>: Sendable {
  private let take: @Sendable (Action) async -> Void

  /// Makes a way; `take` returns when the action was taken or dropped.
  package init(_ take: @escaping @Sendable (Action) async -> Void) {
    self.take = take
  }

  /// Gives an action to the store and waits until it was reduced.
  ///
  /// An action sent after the effect was cancelled, replaced or ended never reaches the state.
  public func callAsFunction(_ action: Action) async {
    await take(action)
  }
}

/// A durable request: work that is written down with the step that asked for it, done at least once,
/// and known by a key that stays the same in every try.
///
/// The work itself is in a handler that the app registers (``CommandHandler``), since after a crash
/// nothing but the request is left.
public protocol Command: Codable, Sendable {
  /// The command's name in the outbox and in lists; by default the type's name.
  static var commandName: String { get }
}

extension Command {
  /// The type's name.
  public static var commandName: String { String(describing: Self.self) }
}

/// A command as the outbox keeps it.
package struct CommandRequest: Hashable, Sendable {
  package var name: String
  package var payload: JSON
  /// Why the payload could not be encoded; the step that asks for such a command is refused.
  package var failure: String?

  /// Makes a request.
  package init(name: String, payload: JSON, failure: String? = nil) {
    self.name = name
    self.payload = payload
    self.failure = failure
  }
}

extension Effect {
  /// Nothing to do.
  public static var none: Effect { Effect(.none) }

  /// A follow-up: it is reduced after the current action and the follow-ups already waiting, before
  /// anything that comes from outside, and is an action of its own in the log.
  public static func send(_ action: Action) -> Effect {
    Effect(.send(action))
  }

  /// Work in memory that may send any number of actions.
  ///
  /// A crash ends it, and so does cancelling; it is not waited for then. It runs outside the store's
  /// thread, with the store's dependencies, and should notice the cancellation of its task.
  ///
  /// - Parameters:
  ///   - name: what lists and messages call it.
  ///   - operation: the work.
  ///   - recover: the action that tells a failure; without it an error is reported as a fault of
  ///     the program. Being cancelled is no failure.
  /// - Returns: the effect.
  public static func run(
    _ name: String = #function,
    operation: @escaping @Sendable (Send<Action>) async throws -> Void,
    catch recover: (@Sendable (any Error) -> Action)? = nil
  ) -> Effect {
    Effect(.run(EffectOperation(name: name, body: operation, recover: recover)))
  }

  /// Durable work, done by the handler that the app registers for it.
  ///
  /// It is written down with the step that asks for it, or in a ``concatenate(_:)-(Effect<Action>...)`` and
  /// after a delay once it is its turn. Under an id that is queued it is written down at once if it is
  /// all there is under the id, and else when its group's turn comes.
  public static func command(_ command: some Command) -> Effect {
    Effect(.command(CommandRequest(command)))
  }

  /// Effects that run side by side.
  public static func merge(_ effects: Effect...) -> Effect {
    merge(effects)
  }

  /// Effects that run side by side.
  public static func merge(_ effects: some Sequence<Effect>) -> Effect {
    Effect(joining(effects, parts: { $0.mergedParts }, { .merge($0) }))
  }

  /// Effects that run one after another, each when the one before has ended.
  ///
  /// A follow-up has ended when it was reduced, a command when it is done. A part that is cancelled
  /// or dropped by itself has ended; cancelling the whole takes the parts along that have not begun.
  public static func concatenate(_ effects: Effect...) -> Effect {
    concatenate(effects)
  }

  /// Effects that run one after another, each when the one before has ended.
  public static func concatenate(_ effects: some Sequence<Effect>) -> Effect {
    Effect(joining(effects, parts: { $0.concatenatedParts }, { .concatenate($0) }))
  }

  /// Cancels the effects of an id in the scope of the reducer that returns this, running ones,
  /// waiting ones and commands alike; nothing of theirs reaches the state any more.
  ///
  /// In the effect of one step it takes effect in the order in which it is written, and spares the
  /// group that it is itself a part of: `.concatenate(.cancel("x"), next).cancellable("x")` replaces.
  public static func cancel(_ id: EffectID) -> Effect {
    Effect(.cancel(id))
  }

  /// Cancels all effects of the scope of the reducer that returns this, and of all scopes inside it,
  /// but for the group that this is a part of.
  public static var cancelAll: Effect { Effect(.cancelAll) }

  /// The same effect under an id, so that it can be cancelled, and with a policy for others of that
  /// id.
  ///
  /// Within an effect of the same id it changes nothing.
  public func cancellable(_ id: EffectID, _ policy: EffectPolicy = .parallel) -> Effect {
    Effect(.controlled(node, id: id, policy: policy))
  }

  /// The same effect, started when `delay` went by without another one of that id; one that already
  /// runs is cancelled, as with ``EffectPolicy/takeLatest``.
  public func debounced(_ id: EffectID, for delay: Duration) -> Effect {
    Effect(.debounced(node, id: id, delay: delay))
  }

  /// The same effect, started at most once in an interval for all effects of that id: the first at
  /// once, of those that come within the interval the one chosen at its end.
  ///
  /// Cancelling the id keeps the interval; ``cancelAll`` and the end of the owner end it.
  public func throttled(
    _ id: EffectID, for interval: Duration, keeping choice: ThrottleChoice = .latest
  ) -> Effect {
    Effect(.throttled(node, id: id, interval: interval, keeping: choice))
  }

  /// The same effect, owned by the root: the removal of whoever returned it does not end it.
  public func detached() -> Effect {
    Effect(.detached(node))
  }

  /// The same effect, its actions turned into a parent's.
  public func map<Parent: Sendable>(
    _ transform: @escaping @Sendable (Action) -> Parent
  ) -> Effect<Parent> {
    Effect<Parent>(node.map(transform))
  }

  /// The same effect, owned by what the parent calls `names`.
  public func scoped(_ names: String...) -> Effect {
    if case .none = node { return self }
    return Effect(.scoped(node, names: names))
  }

  /// Whether there is nothing to do.
  public var isNone: Bool {
    if case .none = node { true } else { false }
  }

  /// How many parts of a group are taken over one by one into the group around it.
  ///
  /// Groups made in a loop stay shallow that way, and a loop of n stays O(n).
  private static var flatteningLimit: Int { 64 }

  // A key path for `parts` would be made anew in each call, which takes microseconds here: the type
  // it goes through is known at run time only.
  private static func joining(
    _ effects: some Sequence<Effect>, parts: (Node) -> [Node]?, _ join: ([Node]) -> Node
  ) -> Node {
    var all: [Node] = []
    for effect in effects where !effect.isNone {
      if let inner = parts(effect.node), inner.count < flatteningLimit {
        all += inner
      } else {
        all.append(effect.node)
      }
    }
    return all.count > 1 ? join(all) : all.first ?? .none
  }
}

extension Effect.Node {
  fileprivate var mergedParts: [Effect.Node]? {
    if case .merge(let nodes) = self { nodes } else { nil }
  }

  fileprivate var concatenatedParts: [Effect.Node]? {
    if case .concatenate(let nodes) = self { nodes } else { nil }
  }

  fileprivate func map<Parent: Sendable>(
    _ transform: @escaping @Sendable (Action) -> Parent
  ) -> Effect<Parent>.Node {
    switch self {
    case .none: .none
    case .send(let action): .send(transform(action))
    case .run(let operation): .run(operation.map(transform))
    case .command(let request): .command(request)
    case .merge(let nodes): .merge(nodes.map { $0.map(transform) })
    case .concatenate(let nodes): .concatenate(nodes.map { $0.map(transform) })
    case .cancel(let id): .cancel(id)
    case .cancelAll: .cancelAll
    case .controlled(let node, let id, let policy):
      .controlled(node.map(transform), id: id, policy: policy)
    case .debounced(let node, let id, let delay):
      .debounced(node.map(transform), id: id, delay: delay)
    case .throttled(let node, let id, let interval, let choice):
      .throttled(node.map(transform), id: id, interval: interval, keeping: choice)
    case .detached(let node): .detached(node.map(transform))
    case .scoped(let node, let names): .scoped(node.map(transform), names: names)
    }
  }
}

extension EffectOperation {
  fileprivate func map<Parent: Sendable>(
    _ transform: @escaping @Sendable (Action) -> Parent
  ) -> EffectOperation<Parent> {
    let recover = recover
    let body = body
    return EffectOperation<Parent>(
      name: name,
      body: { send in try await body(Send { await send(transform($0)) }) },
      recover: recover.map { recover in { @Sendable in transform(recover($0)) } })
  }
}
