import Synchronization

extension StoreCore {
  /// What happens to effects beside the actions that they send.
  enum EffectSignal: Sendable {
    case ended(EffectToken)
    case slept(EffectToken)
    case tried(CommandKey, attempts: Int)
    case gaveUp(CommandKey)
    case cancel(root: Int64)
    case thunk(name: String, Effect<Action>, author: String, Activity)
    case storeClosed
  }

  /// Where an action comes from, and what follows from that for its own effects.
  struct Origin {
    let context: DispatchContext
    fileprivate let parent: EffectCause?

    fileprivate func cause(seq: Int64, action: Action) -> EffectCause {
      let name = actionName(action)
      guard let parent else {
        return EffectCause(step: seq, action: name, author: context.author)
      }
      return if case .followUp = context.origin {
        parent.followUp(step: seq, action: name)
      } else {
        parent.answer(step: seq, action: name)
      }
    }
  }

  /// Where an action comes from; `nil` when its effect has no say any more.
  func origin(of work: Work) -> Origin? {
    switch work.source {
    case .outside(let author, _):
      Origin(context: DispatchContext(author: author), parent: nil)
    case .followUp(let followUp):
      Origin(
        context: DispatchContext(
          author: followUp.cause.author, origin: .followUp(.init(followUp.cause))),
        parent: followUp.cause)
    case .effect(let token): answer(to: changeEffects { $0.sent(token) })
    case .command(let key, _): answer(to: changeEffects { $0.sent(key) })
    }
  }

  private func answer(to cause: EffectCause?) -> Origin? {
    cause.map { cause in
      Origin(
        context: DispatchContext(author: cause.author, origin: .effect(.init(cause))),
        parent: cause)
    }
  }

  /// Carries out the follow-up whose turn it is.
  func stepFollowUp() {
    guard let followUp = changeEffects({ $0.nextFollowUp() }) else { return }
    step(Work(action: followUp.action, source: .followUp(followUp)))
  }

  /// Cancels the effects of whatever is gone since a step, and begins the step's own.
  func begin(
    _ effect: Effect<Action>, departed: [EffectScope], of origin: Origin, seq: Int64,
    action: Action
  ) {
    guard !effect.isNone || !departed.isEmpty else { return }
    let cause = origin.cause(seq: seq, action: action)
    changeEffects { $0.begin(effect, of: cause, departed: departed) }
  }

  /// Notes that an action was carried out or refused.
  func settle(_ work: Work, _ outcome: DispatchOutcome<Action>) {
    switch work.source {
    case .outside(_, let activity): settle(activity, root: outcome.seq)
    case .followUp(let followUp):
      changeEffects(root: followUp.cause.root) { $0.ended(followUp.token) }
    case .effect: break
    case .command(let key, let part):
      if part == .end { changeEffects { $0.ended(key) } }
    }
  }

  func take(_ signal: EffectSignal) {
    switch signal {
    case .ended(let token): changeEffects { $0.ended(token) }
    case .slept(let token): changeEffects { $0.slept(token) }
    case .tried(let key, let attempts): changeEffects { _ = $0.attempted(key, attempts: attempts) }
    case .gaveUp(let key): changeEffects { $0.ended(key) }
    case .cancel(let root): changeEffects(root: root) { $0.cancel(causedBy: root) }
    case .thunk(let name, let effect, let author, let activity):
      begin(effect, named: name, by: author, activity)
    case .storeClosed:
      changeEffects { $0.cancelAll() }
      runner.close()
    }
  }

  /// Starts work that belongs to no step.
  func start(_ thunk: Thunk<State, Action>, by author: String, _ activity: Activity) {
    if let step = StepMark.current, step.marksReentry(into: self) { return activity.end() }
    let effect = thunk.effect(orReading: snapshot.state)
    signal(.effects(.thunk(name: thunk.name, effect, author: author, activity)))
  }

  private func begin(
    _ effect: Effect<Action>, named name: String, by author: String, _ activity: Activity
  ) {
    let (root, seq, isClosed) = content.withLock { content in
      content.lastThunk -= 1
      return (content.lastThunk, content.current.seq, content.isClosed)
    }
    guard !isClosed else { return activity.end() }
    let cause = EffectCause(step: seq, action: name, author: author, root: root)
    changeEffects { $0.begin(effect, of: cause) }
    settle(activity, root: root)
  }

  /// Lets an activity go on as long as its effects do; without a root it has none.
  private func settle(_ activity: Activity, root: Int64?) {
    guard let root, changeEffects({ $0.hasEffects(causedBy: root) }) else { return activity.end() }
    content.withLock { $0.activities[root] = activity }
    let isCancelled = activity.begin(cancellingBy: { [weak self] in
      self?.signal(.effects(.cancel(root: root)))
    })
    changeEffects(root: root) { if isCancelled { $0.cancel(causedBy: root) } }
  }

  /// Changes the effects, has done what follows from it, and ends the activities that are over.
  ///
  /// Only who is busy may call it. The effects are taken out meanwhile, so that no lock is held while
  /// closures of the app's are let go of.
  @discardableResult
  func changeEffects<R>(
    root: Int64? = nil, _ body: (inout EffectLedger<Action>) -> R
  ) -> R {
    var effects =
      content.withLock { $0.effects.take() } ?? EffectLedger(keyPrefix: Self.keyPrefix)
    let result = body(&effects)
    let outputs = effects.takeOutputs()
    let ended = content.withLock { content in
      content.putBack(effects, root: root)
    }
    for output in outputs { perform(output) }
    for activity in ended { activity.end() }
    settings.admission.tellChange()
    return result
  }

  private func perform(_ output: EffectOutput<Action>) {
    switch output {
    case .cut(let runaway): settings.report(issue: runaway.description)
    case .start(let command) where settings.admission.isHolding && !runner.handles(command):
      break
    default: runner.carryOut(output)
    }
  }
}

extension StoreCore {
  static var keyPrefix: String { "store" }

  /// Takes what the effects tell; an action of theirs was reduced or dropped on return.
  func take(_ event: EffectEvent<Action>) async {
    switch event {
    case .sent(let token, let action): await submit(action, from: .effect(token))
    case .ended(let token): signal(.effects(.ended(token)))
    case .slept(let token): signal(.effects(.slept(token)))
    case .commandStarted(let key, let action):
      await submit(action, from: .command(key, .start))
    case .commandSucceeded(let key, let action):
      await submit(action, from: .command(key, .end))
    case .commandTryFailed(let key, let attempts, _, _):
      signal(.effects(.tried(key, attempts: attempts)))
    case .commandFailed(let key, _, let action?):
      await submit(action, from: .command(key, .end))
    case .commandFailed(let key, let error, nil):
      settings.report(issue: "the command \(key) failed and nobody is told: \(error)")
      signal(.effects(.gaveUp(key)))
    }
  }

  private func submit(_ action: Action, from source: Work.Source) async {
    let receipt = Receipt<Action>(activity: Activity())
    submit(Work(action: action, source: source, receipt: receipt))
    _ = await receipt.value
  }
}

extension StoreCore.Content {
  /// Takes the effects back, and what has ended out of the activities.
  ///
  /// Mostly the only one that can have ended is known; when others have, there are more activities
  /// than steps with effects.
  fileprivate mutating func putBack(
    _ effects: EffectLedger<Action>, root: Int64?
  ) -> [Activity] {
    self.effects = effects
    hasFollowUps = effects.hasFollowUps
    var ended: [Activity] = []
    if let root, !effects.hasEffects(causedBy: root),
      let activity = activities.removeValue(forKey: root)
    {
      ended.append(activity)
    }
    guard activities.count > effects.rootCount else { return ended }
    for root in activities.keys.sorted() where !effects.hasEffects(causedBy: root) {
      if let activity = activities.removeValue(forKey: root) { ended.append(activity) }
    }
    return ended
  }
}

extension EffectLedger {
  /// How many steps from outside have effects that have not ended.
  fileprivate var rootCount: Int { roots.count }
  fileprivate var hasFollowUps: Bool { waitingFollowUpCount > 0 }
}

extension DispatchContext.Cause {
  fileprivate init(_ cause: EffectCause) {
    self.init(seq: cause.step, type: cause.action)
  }
}

extension Effect {
  /// Why a command in it can't be written down.
  var commandFailure: String? { node.commandFailure }
}

extension Effect.Node {
  fileprivate var commandFailure: String? {
    switch self {
    case .none, .send, .run, .cancel, .cancelAll: nil
    case .command(let request): request.failure
    case .merge(let nodes), .concatenate(let nodes):
      nodes.lazy.compactMap(\.commandFailure).first
    case .controlled(let node, _, _), .debounced(let node, _, _), .throttled(let node, _, _, _),
      .detached(let node), .scoped(let node, _):
      node.commandFailure
    }
  }
}
