import DuxJSON
import Synchronization

extension StoreCore {
  /// An action on its way to the reducer.
  struct Work: Sendable {
    enum Source: Sendable {
      case outside(author: String, Activity)
      case followUp(FollowUp<Action>)
      case effect(EffectToken)
      case command(CommandKey, CommandPart)
    }

    /// Which part of a command's life an action tells of.
    enum CommandPart: Sendable {
      case start
      case end
    }

    let action: Action
    let source: Source
    var receipt: Receipt<Action>?

    var isFromOutside: Bool {
      if case .outside = source { true } else { false }
    }
  }

  /// What reducing came to.
  private struct Reduction {
    var state: State
    var effect: Effect<Action>
    var isChanged: Bool
    var departures: [EffectScope]
    var inputs: [String: [JSON]]
  }

  /// What the listeners of a step are told.
  private typealias News = (change: Change, round: Listeners.Round)

  /// Carries out one action from the first stage to the last listener.
  ///
  /// - Returns: what became of it; `nil` when its effect has no say any more.
  @discardableResult
  func step(_ work: Work) -> DispatchOutcome<Action>? {
    guard let origin = origin(of: work) else {
      refuse(work, .cancelled)
      return nil
    }
    let (outcome, news) = settings.surrounding(author: origin.context.author) {
      let before = snapshot
      let entry = settings.pipeline.enter(work.action, in: before.state, origin.context)
      return finish(entry, origin, before, Result { try reduce(entry, before.state) })
    }
    if let news { tell(news.change, in: news.round) }
    settle(work, outcome)
    work.receipt?.complete(outcome)
    return outcome
  }

  private func reduce(
    _ entry: Pipeline<State, Action>.Entry, _ before: State
  ) throws -> Reduction {
    if let refusal = entry.refusal { throw refusal }
    var next = before
    let mark = StepMark(of: self)
    let record = settings.recording == .on ? InputRecord() : nil
    let effect = try StepMark.$current.withValue(mark) {
      try recording(record) { try settings.reducer.reduce(into: &next, action: entry.action) }
    }
    if mark.isReentered { throw Rejection.reentrant }
    let wanted = entry.effects.isEmpty ? effect : .merge(entry.effects + [effect])
    if let fault = record?.fault ?? wanted.commandFailure {
      throw Rejection(reason: "failed", message: fault)
    }
    let isChanged = !settings.areEqual(before, next)
    return Reduction(
      state: next, effect: wanted, isChanged: isChanged,
      departures: isChanged ? settings.reducer.departures(from: before, to: next) : [],
      inputs: record?.values ?? [:])
  }

  private func recording<R>(_ record: InputRecord?, _ body: () throws -> R) rethrows -> R {
    guard let record else { return try body() }
    let dependencies = DependencyValues.current.setting { $0.record = record }
    return try DependencyValues.$current.withValue(dependencies, operation: body)
  }

  private func finish(
    _ entry: Pipeline<State, Action>.Entry, _ origin: Origin, _ before: Snapshot<State>,
    _ result: Result<Reduction, any Error>
  ) -> (DispatchOutcome<Action>, News?) {
    let (action, context, seq) = (entry.action, origin.context, before.seq + 1)
    do {
      let reduction = try result.get()
      guard let round = commit(reduction, action, context, seq) else { throw Rejection.closed }
      settings.pipeline.leave(
        entry, before: before.state, after: reduction.state, context, .success(()))
      begin(
        reduction.effect, departed: reduction.departures, of: origin, seq: seq, action: action)
      let change = Change(
        previous: before.state, state: reduction.state, seq: seq, action: action,
        author: context.author, isChanged: reduction.isChanged)
      return (
        .accepted(seq: seq, changed: reduction.isChanged, action: action), (change, round)
      )
    } catch {
      let rejection = Rejection(error)
      settings.pipeline.leave(
        entry, before: before.state, after: before.state, context, .failure(rejection))
      return (.rejected(rejection), nil)
    }
  }

  /// Makes the new state the store's; `nil` when the store was closed meanwhile.
  private func commit(
    _ reduction: Reduction, _ action: Action, _ context: DispatchContext, _ seq: Int64
  ) -> Listeners.Round? {
    content.withLock { content in
      guard !content.isClosed else { return nil }
      content.current = Snapshot(state: reduction.state, seq: seq)
      if settings.recording == .on {
        content.log.append(
          StoreLogEntry(
            seq: seq, action: action, context: context, inputs: reduction.inputs,
            isChanged: reduction.isChanged))
      }
      return content.listeners.beginRound()
    }
  }
}
