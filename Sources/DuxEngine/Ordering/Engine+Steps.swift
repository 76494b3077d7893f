import DuxJSON
import DuxLog
import DuxProtocol
import DuxStore

/// Taking one step: reducing it, numbering it, and what it asks for beside.
extension Engine {
  /// The client of the steps that nobody outside asked for.
  package static let ownName = ReservedWords.daemonClient

  /// What is to be reduced as one step, and for whom.
  struct Submission {
    /// What led to it.
    enum Origin {
      case outside
      /// An effect of this step sent it, before anything else could happen.
      indirect case followUp(EffectCause)
      /// An effect of this step sent it; the key is the command's that it ends.
      indirect case answer(EffectCause, command: String?)
    }

    let action: WireAction
    /// The actions behind the first; most steps have none.
    var others: [WireAction] = []
    /// The actions as the JSON array they came in; `nil` to write them anew.
    var text: [UInt8]?
    let client: String
    var n: Int64?
    let origin: Origin
  }

  /// Where a step stands.
  struct TakenStep {
    let seq: SequenceNumber
    let changed: Bool
  }

  /// Takes a step into the open group.
  ///
  /// - Throws: ``Refusal``; nothing was changed then.
  func take(_ submission: Submission) throws(Refusal) -> TakenStep {
    var step = try head.dispatch(submission)
    headSeq = headSeq.next
    headTime = max(headTime, wallMs)
    let (types, text) = submission.logged(as: step.loggedActions)
    open.append(
      LogEntry(
        seq: headSeq, time: headTime, client: submission.client, n: submission.n, actions: text,
        patch: self.text(of: step.patch)),
      .init(types: types, patch: step.patch),
      // Moved, not copied: it is large.
      undo: exchange(&step.undo, with: .nothing))
    // A cause is made for effects alone, which most steps don't have.
    if !step.effect.isNone || !step.departed.isEmpty {
      plan(step, cause: submission.cause(of: headSeq, type: types.first))
    }
    return TakenStep(seq: headSeq, changed: !step.patch.operations.isEmpty)
  }

  /// A patch as text.
  private func text(of patch: JSONPatch) -> [UInt8] {
    var text = spareTexts.take()
    patch.write(into: &text)
    return text
  }
}

extension Engine.Submission {
  /// Who asked for the step in the end.
  private var author: String {
    switch origin {
    case .outside: client
    case .followUp(let cause), .answer(let cause, _): cause.author
    }
  }

  /// What the app's stages and reducer are told of the step.
  fileprivate var context: DispatchContext {
    let origin: DispatchContext.Origin =
      switch origin {
      case .outside: .outside
      case .followUp(let cause): .followUp(.init(seq: cause.step, type: cause.action))
      case .answer(let cause, _): .effect(.init(seq: cause.step, type: cause.action))
      }
    return DispatchContext(author: author, origin: origin)
  }

  /// Submits an action of the daemon's own, with what it comes from.
  init(own action: WireAction, _ origin: Origin) {
    let noted =
      switch origin {
      case .outside: action
      case .followUp(let cause):
        action.caused(by: cause.step, author: cause.author, effect: nil)
      case .answer(let cause, let command):
        action.caused(by: cause.step, author: cause.author, effect: command)
      }
    self.init(action: noted, client: Engine.ownName, origin: origin)
  }

  /// The types and the text that the log gets: of the actions given, or of those in their place.
  fileprivate func logged(as replaced: [WireAction]?) -> (PatchFrame.Types, [UInt8]) {
    if let replaced { return (PatchFrame.Types(replaced), replaced.text) }
    guard others.isEmpty else { return (PatchFrame.Types(actions), text ?? actions.text) }
    return (.one(action.type), text ?? [action].text)
  }

  fileprivate var actions: [WireAction] { [action] + others }

  /// What the step is to the effects that it asks for.
  fileprivate func cause(of seq: SequenceNumber, type: String) -> EffectCause {
    switch origin {
    case .outside: EffectCause(step: seq.value, action: type, author: client)
    case .followUp(let cause): cause.followUp(step: seq.value, action: type)
    case .answer(let cause, _): cause.answer(step: seq.value, action: type)
    }
  }
}

extension HostedStore {
  fileprivate mutating func dispatch(
    _ submission: Engine.Submission
  ) throws(Refusal) -> HostedStep {
    try submission.others.isEmpty
      ? dispatch(submission.action, submission.context)
      : dispatch(submission.actions, submission.context)
  }
}

extension [WireAction] {
  /// The actions as the text of a JSON array.
  fileprivate var text: [UInt8] {
    JSON.array(JSONArray(map(\.json))).bytes
  }
}
