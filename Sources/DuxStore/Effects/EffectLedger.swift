/// Decides what becomes of effects: which start, which wait, which are cancelled.
///
/// It is a value without tasks and clocks: events go in, ``takeOutputs()`` says what to do. The same
/// events give the same outputs, so that stores, test stores and the daemon behave alike. After each
/// event the owner takes the outputs; what began and was cancelled between two takings never shows.
///
/// Each step goes like this: ``nextFollowUp()`` or ``sent(_:)-(EffectToken)`` allows an action; it is
/// reduced; ``begin(_:of:departed:)`` takes the effect and who went; ``ended(_:)-(EffectToken)`` ends
/// the follow-up.
///
/// - Complexity: each event is O(1) in each node of an effect and in each effect that is cancelled,
///   whatever else runs. A copy shares storage, and the next change of either copies all that runs.
package struct EffectLedger<Action: Sendable>: Sendable {
  /// Begins the keys of commands; no two lives of a store may share it.
  package let keyPrefix: String
  /// When follow-ups count as a loop.
  package let limits: FollowUpLimits
  /// How many actions came from effects that had been cancelled, replaced or had ended.
  package private(set) var lateActions = 0

  var entries: [EffectToken: Entry] = [:]
  var scopes = ScopeIndex()
  var keys: [EffectKey: KeyState] = [:]
  var roots: [Int64: Set<EffectToken>] = [:]
  var commands: [CommandKey: EffectToken] = [:]
  var followUps = TokenQueue()
  /// How many follow-ups ``nextFollowUp()`` will give; stored, since it is asked after each step.
  package internal(set) var waitingFollowUpCount = 0
  var windowCount = 0
  var departures: [EffectScope: UInt64] = [:]
  /// How many entries hold parts that belong to inner scopes: only they need ``departures``.
  var partsOfInnerScopes = 0

  var outputs: [PendingOutput] = []
  var agenda: [AgendaItem] = []
  var nextCommandIndex = 0
  /// Whether what happens now needed no wait, so that its follow-ups continue a chain.
  var isImmediate = true
  /// The root whose follow-ups were cut in this step.
  var cutRoot: Int64?
  private var nextNumber: UInt64 = 1

  /// Makes a ledger without effects.
  package init(keyPrefix: String, limits: FollowUpLimits = FollowUpLimits()) {
    self.keyPrefix = keyPrefix
    self.limits = limits
  }

  /// Whether nothing runs or waits; the rest of a throttle's interval does not count.
  package var isIdle: Bool { entries.count == windowCount }

  /// Whether nothing at all is remembered.
  package var isEmpty: Bool {
    entries.isEmpty && scopes.isEmpty && keys.isEmpty && roots.isEmpty && commands.isEmpty
      && departures.isEmpty && waitingFollowUpCount == 0
  }

  /// Begins the effect of a step.
  ///
  /// The effects of `departed` are cancelled first; parts of `effect` that belong to one of them do
  /// not begin. Parts begin in the order in which they are written.
  package mutating func begin(
    _ effect: Effect<Action>, of cause: EffectCause, departed: [EffectScope] = []
  ) {
    isImmediate = true
    cutRoot = nil
    let context = Context(birth: nextNumber, cause: cause)
    leave(departed)
    nextCommandIndex = 0
    begin(effect.node, in: context)
    settle()
  }

  /// Cancels the effects of scopes that are gone, and of all scopes inside them.
  package mutating func cancel(departed scopes: [EffectScope]) {
    leave(scopes)
    settle()
  }

  /// Takes an action that a running effect sent and that is about to be reduced.
  ///
  /// - Returns: the effect's cause, to make the action's of (``EffectCause/answer(step:action:)``);
  ///   nil when the effect was cancelled, replaced or has ended: the action must be dropped.
  package mutating func sent(_ token: EffectToken) -> EffectCause? {
    guard let entry = entries[token], case .run = entry.kind else {
      countLateAction()
      return nil
    }
    return entry.cause
  }

  /// Takes the end of a running effect, or that a follow-up was reduced; of others it means nothing.
  package mutating func ended(_ token: EffectToken) {
    switch entries[token]?.kind {
    case .run: beginAfterWaiting()
    case .send: isImmediate = true
    case .command, .sequence, .member, .window, nil: return
    }
    remove(token, because: .ended)
    settle()
  }

  /// The action that is to be reduced next, before anything from outside.
  package mutating func nextFollowUp() -> FollowUp<Action>? {
    while let token = followUps.popFirst() {
      guard let entry = entries[token], case .send(let action, isTaken: false) = entry.kind else {
        continue
      }
      entries[token]?.kind = .send(action, isTaken: true)
      waitingFollowUpCount -= 1
      return FollowUp(token, action, entry)
    }
    return nil
  }

  /// The follow-up that ``nextFollowUp()`` will give.
  ///
  /// - Complexity: O(1), but for cancelled ones before it.
  package var firstFollowUp: FollowUp<Action>? {
    followUps.waiting(after: nil).lazy.compactMap { waitingFollowUp($0) }.first
  }

  /// The follow-ups that ``nextFollowUp()`` will give, in that order, but for those up to a token.
  ///
  /// - Complexity: O(n) in those that are given.
  package func waitingFollowUps(after last: EffectToken?) -> [FollowUp<Action>] {
    followUps.waiting(after: last).compactMap { waitingFollowUp($0) }
  }

  private func waitingFollowUp(_ token: EffectToken) -> FollowUp<Action>? {
    guard let entry = entries[token], case .send(let action, isTaken: false) = entry.kind else {
      return nil
    }
    return FollowUp(token, action, entry)
  }

  /// Forgets everything, as a crash would, and asks for nothing; tokens are still never given twice.
  package mutating func reset() {
    var empty = EffectLedger(keyPrefix: keyPrefix, limits: limits)
    empty.lateActions = lateActions
    empty.nextNumber = nextNumber
    self = empty
  }

  /// What is to be done, in order; each is told once.
  package mutating func takeOutputs() -> [EffectOutput<Action>] {
    let pending = outputs
    outputs = []
    return pending.compactMap { announce($0) }
  }

  mutating func countLateAction() { lateActions += 1 }

  /// Begins an event that something was waited for.
  mutating func beginAfterWaiting() {
    isImmediate = false
    cutRoot = nil
  }

  mutating func makeNumber() -> UInt64 {
    defer { nextNumber += 1 }
    return nextNumber
  }

  /// Does what the last changes made due, until nothing is.
  mutating func settle() {
    var done = 0
    while done < agenda.count {
      switch agenda[done] {
      case .group(let token): advance(token)
      case .key(let key): startNext(of: key)
      }
      done += 1
    }
    agenda.removeAll(keepingCapacity: true)
    if partsOfInnerScopes == 0, !departures.isEmpty { departures = [:] }
  }

  private mutating func announce(_ output: PendingOutput) -> EffectOutput<Action>? {
    switch output {
    case .cancel(let token): return .cancel(token)
    case .drop(let key): return .drop(key)
    case .cut(let runaway): return .cut(runaway)
    case .begin(let token), .sleep(let token, _), .start(let token):
      guard let entry = entries[token] else { return nil }
      entries[token]?.isAnnounced = true
      return switch (output, entry.kind) {
      case (.begin, .run(let operation)): .run(token, operation, entry.cause)
      case (.begin, .command(let command)): .enqueue(command)
      case (.start, .command(let command)): .start(command)
      case (.sleep(_, let duration), _): .sleep(token, duration)
      default: nil
      }
    }
  }
}
