import DuxJSON
import DuxLog
import DuxProtocol
package import DuxStore

/// Effects: what steps ask for beside the state, and what comes back of it.
///
/// The ledger follows the head. What it wants done waits in the group of the step that asked for it
/// until the group is on disk; what it wants kept goes to the disk with that group. When a group
/// can't be made durable, effects end as in a crash: commands begin anew from the outbox, closures
/// are broken off, and the app's start action tells the reducer.
extension Engine {
  /// Begins to run what was left to do when the daemon stopped, and tells the app that it starts.
  package func start() {
    for key in outbox.unreadable {
      effects.append(.report("the outbox's \(key) can't be read by this release; it is left there"))
    }
    resumeOutbox()
    owesStartAction = true
    endTurn()
  }

  /// Lets the ledger begin the effects of a step.
  func plan(_ step: HostedStep, cause: EffectCause) {
    guard !step.effect.isNone || !step.departed.isEmpty else { return }
    ledger.begin(step.effect, of: cause, departed: step.departed)
    collectOutputs()
  }

  /// Takes the follow-ups that wait, as many as a turn has room for: a long chain lets others in
  /// between.
  func takeFollowUps() {
    guard mayTakeFollowUp else { return }
    while followUpRoom > 0, !open.isFull, let followUp = ledger.nextFollowUp() {
      followUpRoom -= 1
      if case .some(let key?) = keptFollowUps.removeValue(forKey: followUp.token) { remove(key) }
      submit(followUp.action, .followUp(followUp.cause))
      ledger.ended(followUp.token)
      collectOutputs()
    }
  }

  /// Whether a follow-up waits that could be a step now; one that can't stays in the outbox.
  var mayTakeFollowUp: Bool {
    hasWaitingFollowUps && admissionRefusal() == nil
  }

  /// Whether follow-ups wait; asked several times a turn, mostly of a ledger that nothing touches.
  private var hasWaitingFollowUps: Bool {
    guard isLedgerTouched else { return false }
    if ledger.waitingFollowUpCount > 0 { return true }
    isLedgerTouched = false
    return false
  }

  /// Writes down the follow-ups that a group's steps sent and that are not in the group themselves,
  /// and takes those out of the outbox that were cancelled.
  func keepFollowUps() {
    guard hasWaitingFollowUps || !keptFollowUps.isEmpty else { return }
    let new = ledger.waitingFollowUps(after: lastKeptFollowUp)
    if keptFollowUps.count > ledger.waitingFollowUpCount - new.count { removeCancelledFollowUps() }
    guard !open.entries.isEmpty else { return }
    for followUp in new {
      lastKeptFollowUp = followUp.token
      guard case .success(let action) = followUp.action else {
        keptFollowUps[followUp.token] = .some(nil)
        continue
      }
      let key = "\(epoch)-\(headSeq)-send-\(followUp.token.number)"
      keptFollowUps[followUp.token] = key
      put(
        KeptFollowUp(
          action: action, cause: followUp.cause, scope: followUp.scope,
          controls: followUp.controls
        ).row(key: key))
    }
  }

  private func removeCancelledFollowUps() {
    for token in keptFollowUps.keys.sorted() where !ledger.isRunning(token) {
      if case .some(let key?) = keptFollowUps.removeValue(forKey: token) { remove(key) }
    }
  }

  // What effects tell.

  /// A running effect sent an action; `taken` is called when it is settled, or dropped.
  package func sent(
    _ action: HostedAction, by token: EffectToken, taken: @escaping @Sendable () -> Void
  ) {
    guard !isShuttingDown else { return taken() }
    whenWritable { [self] in
      guard let cause = ledger.sent(token) else { return taken() }
      submit(action, .answer(cause, command: nil))
      open.senders.append(taken)
      takeFollowUps()
    }
  }

  /// A running effect has ended.
  package func ended(_ token: EffectToken) {
    whenWritable { [self] in
      ledger.ended(token)
      collectOutputs()
      takeFollowUps()
    }
  }

  /// The time that an effect waited for is over.
  package func slept(_ token: EffectToken) {
    whenWritable { [self] in
      ledger.slept(token)
      collectOutputs()
      takeFollowUps()
    }
  }

  /// A command's handler told an action that does not end it: that it was started.
  package func commandSent(_ action: HostedAction, by key: CommandKey) {
    whenWritable { [self] in
      guard let cause = ledger.sent(key) else { return }
      submit(action, .answer(cause, command: key.text))
      takeFollowUps()
    }
  }

  /// A try of a command failed, and there will be another one.
  package func commandFailed(_ key: CommandKey, attempts: Int, error: String, retryMs: Int64) {
    // A wait is the app's to choose, and may be as long as numbers go.
    let (sum, overflow) = nowMs.addingReportingOverflow(retryMs)
    let retryAtMs = overflow ? .max : sum
    whenWritable { [self] in
      guard var command = outbox.commands[key.text],
        let entry = ledger.attempted(key, attempts: max(attempts, command.entry.attempts))
      else { return }
      command.entry = entry
      command.error = error.shortened
      put(command.row)
      outbox.note(key.text, retryAtMs: retryAtMs)
    }
  }

  /// A command is done, well or not; the action tells which, if the app wants to know.
  package func commandEnded(_ key: CommandKey, _ action: HostedAction?) {
    whenWritable { [self] in
      guard let cause = ledger.sent(key) else { return }
      if let action { submit(action, .answer(cause, command: key.text)) }
      ledger.ended(key)
      collectOutputs()
      takeFollowUps()
    }
  }

  /// How long ago a command was asked for, in milliseconds.
  package func ageMs(of key: CommandKey) -> Int64 {
    guard let command = outbox.commands[key.text] else { return 0 }
    let (age, overflow) = wallMs.subtractingReportingOverflow(command.time)
    return overflow ? 0 : max(0, age)
  }

  /// Cancels an effect for somebody outside.
  ///
  /// - Returns: whether there is one of this key.
  func cancelEffect(_ key: String) -> Bool {
    if let command = outbox.commands[key] {
      let action = commandHandlers[command.entry.name]?.failure(.cancelled, of: command.entry)
      if let action { submit(action, .answer(command.entry.cause, command: key)) }
      ledger.cancel(command.entry.key)
    } else if let effect = ledger.running.first(where: { $0.listedKey == key }) {
      ledger.cancel(effect.token)
    } else {
      return false
    }
    collectOutputs()
    takeFollowUps()
    return true
  }

  /// How many effects run or wait.
  var effectCount: Int { ledger.running.count }

  // The head's groups.

  /// The group's effects may begin, but for those that have been cancelled meanwhile: if that does
  /// not become durable, all effects begin anew.
  func settleEffects(of group: Group) {
    guard group.hasEffects else { return }
    group.outbox.forEach { durableOutbox.apply($0) }
    let outputs = group.effectOutputs.filter { isWanted($0) }
    if !outputs.isEmpty { effects.append(.effects(outputs)) }
    if !group.senders.isEmpty { effects.append(.resume(group.senders)) }
  }

  private func isWanted(_ output: EffectOutput<HostedAction>) -> Bool {
    switch output {
    case .run(let token, _, _), .sleep(let token, _): ledger.isRunning(token)
    case .start(let command): outbox.commands[command.key.text] != nil
    case .cancel, .enqueue, .drop, .cut: true
    }
  }

  /// The groups' steps never were: effects end as in a crash.
  func dropEffects(of groups: [Group]) {
    let senders = groups.flatMap(\.senders)
    if !senders.isEmpty { effects.append(.resume(senders)) }
    if groups.contains(where: \.tellsStart) { owesStartAction = true }
    let isTouched = groups.contains { !$0.outbox.isEmpty || !$0.effectOutputs.isEmpty }
    guard isTouched || !ledger.isIdle else { return }
    effects.append(.stopEffects)
    ledger.reset()
    outbox = durableOutbox
    resumeOutbox()
    owesStartAction = true
  }

  /// Does what had to wait for the disk.
  func goOnAfterFault() {
    guard owesStartAction || !heldBeginnings.isEmpty || !heldReports.isEmpty,
      admissionRefusal() == nil
    else { return }
    beginHeld()
    if owesStartAction {
      owesStartAction = false
      if let action = head.startAction {
        open.tellsStart = true
        submit(action, .outside)
      }
    }
    let reports = heldReports
    heldReports = []
    reports.forEach { $0() }
    takeFollowUps()
  }

  /// Lets what a fault broke off begin again, but only with a commit that succeeds: work whose
  /// outcome can't be kept would be done over and over.
  private func beginHeld() {
    let begun = heldBeginnings
    heldBeginnings = []
    open.effectOutputs += begun
    guard storageFault != nil else { return }
    for case .start(let command) in begun {
      if let row = outbox.commands[command.key.text]?.row { return put(row) }
    }
  }

  private func whenWritable(_ body: @escaping () -> Void) {
    guard !isShuttingDown else { return }
    guard admissionRefusal() == nil else { return heldReports.append(body) }
    goOnAfterFault()
    body()
  }

  private func resumeOutbox() {
    keptFollowUps = [:]
    heldBeginnings = []
    ledger.restore(outbox.commandsInOrder.map(\.entry))
    for output in ledger.takeOutputs() {
      guard case .start(let command) = output else { continue }
      if isHandled(command) { heldBeginnings.append(output) }
    }
    for (key, followUp) in outbox.followUpsInOrder {
      let token = ledger.restore(followUp.asHosted)
      keptFollowUps[token] = key
      lastKeptFollowUp = token
    }
  }

  /// Whether the app does commands of this name; one that it does not stays in the outbox until the
  /// app does again, or somebody cancels it.
  private func isHandled(_ command: CommandEntry) -> Bool {
    if commandHandlers[command.name] != nil { return true }
    effects.append(
      .report("the app has no handler of the command \(command.name); \(command.key) waits for one")
    )
    return false
  }

  /// Takes an action of the daemon's own; a refusal is a mistake of the app's, and nobody but those
  /// who run the daemon can be told.
  private func submit(_ action: HostedAction, _ origin: Submission.Origin) {
    do throws(Refusal) {
      _ = try take(Submission(own: try action.get(), origin))
    } catch {
      effects.append(.report("an effect's action was refused: \(error.message)"))
    }
  }

  private func collectOutputs() {
    for output in ledger.takeOutputs() {
      switch output {
      case .enqueue(let entry):
        put(Outbox.PendingCommand(entry: entry, time: max(wallMs, headTime)).row)
      case .drop(let key):
        remove(key.text)
        open.effectOutputs.append(output)
      case .cut(let runaway):
        effects.append(.report(runaway.description))
      case .start(let command):
        if isHandled(command) { open.effectOutputs.append(output) }
      case .run, .sleep, .cancel:
        open.effectOutputs.append(output)
      }
    }
  }

  private func put(_ row: OutboxRow) {
    open.append(.put(row))
    outbox.apply(.put(row))
  }

  private func remove(_ key: String) {
    open.append(.remove(key: key))
    outbox.apply(.remove(key: key))
  }
}

extension KeptFollowUp<WireAction> {
  fileprivate var asHosted: KeptFollowUp<HostedAction> {
    KeptFollowUp<HostedAction>(
      action: .success(action), cause: cause, scope: scope, controls: controls)
  }
}
