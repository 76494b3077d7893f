import Synchronization

/// The inside of a ``Store``: its queue, and whoever carries it out.
///
/// One thread at a time is busy with the queue: the one that found nobody so. What others submit
/// meanwhile, or what is submitted from inside, waits its turn, and that thread leaves only when
/// nothing waits. No lock is held while reducers, stages, listeners or anything else of the app's
/// runs, nor while something of the app's is let go of.
final class StoreCore<State: Sendable, Action: Sendable>: Sendable {
  typealias Change = StateChange<State, Action>
  typealias Listeners = ListenerList<Listener<State, Action>>

  struct Content {
    var current: Snapshot<State>
    var signals = FIFO<Signal>()
    var inbox = FIFO<Work>()
    /// What effects sent and waits to be let in (``Admission/held(_:changed:)``).
    var held: [Work] = []
    var listeners = Listeners()
    var log: [StoreLogEntry<Action>] = []
    /// The effects; whoever is busy takes them out while it changes them.
    var effects: EffectLedger<Action>?
    /// Whether the effects have actions to be reduced before any from outside.
    var hasFollowUps = false
    /// What goes on, by the step that it goes back to.
    var activities: [Int64: Activity] = [:]
    var lastThunk: Int64 = 0
    let isHolding: Bool
    var isBusy = false
    var isClosed = false
  }

  /// What is done between two steps.
  enum Signal: Sendable {
    /// A listener waits for its initial call.
    case arrived(Listener<State, Action>)
    /// Something happened to the effects.
    case effects(EffectSignal)
    /// Somebody has something to do or to see.
    case visit(@Sendable (StoreCore) -> Void)
  }

  fileprivate enum Errand {
    case signal(Signal)
    case followUp
    case work(Work)
  }

  let settings: StoreSettings<State, Action>
  let content: Mutex<Content>
  let runner: EffectRunner<Action>

  init(_ state: State, _ settings: StoreSettings<State, Action>) {
    self.settings = settings
    content = Mutex(
      Content(
        current: Snapshot(state: state, seq: 0), effects: EffectLedger(keyPrefix: Self.keyPrefix),
        isHolding: settings.admission.isHolding))
    let link = StoreLink<State, Action>()
    runner = EffectRunner(
      world: {
        settings.dependencies.setting { $0.storeState = { link.core?.snapshot.state } }
      },
      handlers: settings.commands, executor: settings.admission.executor,
      report: { await link.core?.take($0) })
    link.core = self
  }

  var snapshot: Snapshot<State> { content.withLock { $0.current } }

  /// Puts an action in the queue; on return it was carried out, unless somebody else is busy.
  func submit(_ work: Work) {
    if let step = StepMark.current, step.marksReentry(into: self) {
      return refuse(work, .reentrant)
    }
    let isClosed = content.withLock { content in
      if !content.isClosed { content.add(work) }
      return content.isClosed
    }
    if isClosed { return refuse(work, .closed) }
    settings.admission.tellChange()
    carryOut()
  }

  func refuse(_ work: Work, _ rejection: Rejection) {
    work.receipt?.complete(.rejected(rejection))
    if case .outside(_, let activity) = work.source { activity.end() }
  }

  /// Has something done between two steps, before anything that waits in the queue.
  func signal(_ signal: Signal) {
    content.withLock { $0.signals.append(signal) }
    carryOut()
  }

  /// Carries out what waits, unless somebody is busy with it already.
  private func carryOut() {
    guard content.withLock({ $0.becomeBusy() }) else { return }
    while let errand = content.withLock({ $0.next() }) {
      switch errand {
      case .signal(.arrived(let listener)): listener.tellInitial()
      case .signal(.effects(let signal)): take(signal)
      case .signal(.visit(let body)): body(self)
      case .followUp: stepFollowUp()
      case .work(let work): step(work)
      }
    }
  }

  /// Adds a listener; the first step it is told of is the one after the subscription's start.
  func listen(
    initial: InitialValue, _ calls: Listener<State, Action>.Calls
  ) -> Subscription {
    let (listener, start, isClosed) = content.withLock { content in
      let current = content.current
      let listener = content.listeners.add { id in
        Listener(id: id, calls: calls, initial: initial == .current ? .initial(current) : nil)
      }
      if initial == .current { content.signals.append(.arrived(listener)) }
      return (listener, current.seq, content.isClosed)
    }
    let subscription = Subscription(start: start) { [weak self] in
      listener.release()
      _ = self?.content.withLock { $0.listeners.remove(listener.id) }
    }
    carryOut()
    if isClosed {
      listener.tellClosed()
      subscription.cancel()
    }
    return subscription
  }

  /// Tells the listeners that were there when the step was made, in order.
  func tell(_ change: Change, in round: Listeners.Round) {
    var round = round
    while true {
      let listeners = content.withLock { $0.listeners.next(64, in: &round) }
      if listeners.isEmpty { return }
      for listener in listeners { listener.tell(change) }
    }
  }

  /// Refuses what waits and what comes, and ends effects and subscriptions.
  func close() {
    let (waiting, listeners) = content.withLock { content in
      content.isClosed = true
      defer { content.held = [] }
      return (content.inbox.removeAll() + content.held, content.listeners.removeAll())
    }
    for work in waiting { refuse(work, .closed) }
    for listener in listeners { listener.tellClosed() }
    signal(.effects(.storeClosed))
  }
}

extension StoreCore.Content {
  fileprivate mutating func add(_ work: StoreCore<State, Action>.Work) {
    if isHolding, !work.isFromOutside { held.append(work) } else { inbox.append(work) }
  }

  fileprivate mutating func becomeBusy() -> Bool {
    defer { isBusy = true }
    return !isBusy
  }

  /// What is to be done next; when there is nothing, whoever asks is not busy any more.
  fileprivate mutating func next() -> StoreCore<State, Action>.Errand? {
    if let signal = signals.popFirst() { return .signal(signal) }
    if hasFollowUps, !isHolding { return .followUp }
    if let work = inbox.popFirst() { return .work(work) }
    isBusy = false
    return nil
  }
}

/// The way back from effects to a store, which they don't keep alive.
private final class StoreLink<State: Sendable, Action: Sendable>: Sendable {
  private struct Reference {
    weak var core: StoreCore<State, Action>?
  }

  private let reference = Mutex(Reference())

  var core: StoreCore<State, Action>? {
    get { reference.withLock { $0.core } }
    set { reference.withLock { $0.core = newValue } }
  }
}

extension StateChange {
  static func initial(_ snapshot: Snapshot<State>) -> StateChange {
    StateChange(
      previous: nil, state: snapshot.state, seq: snapshot.seq, action: nil, author: "",
      isChanged: true)
  }
}
