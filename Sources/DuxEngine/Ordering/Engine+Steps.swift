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

    let actions: [WireAction]
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
    let actions = submission.noted
    let step = try head.dispatch(actions, submission.context)
    headSeq = headSeq.next
    headTime = max(headTime, wallMs)
    let logged = step.loggedActions ?? actions
    let entry = LogEntry(
      seq: headSeq, time: headTime, client: submission.client, n: submission.n,
      actions: step.loggedActions == nil ? submission.text ?? logged.text : logged.text,
      patch: text(of: step.patch))
    open.append(entry, .init(types: .init(logged), patch: step.patch, undo: step.undo))
    // A cause is made for effects alone, which most steps don't have.
    if !step.effect.isNone || !step.departed.isEmpty {
      plan(step, cause: submission.cause(of: entry.seq, type: logged.first?.type ?? ""))
    }
    return TakenStep(seq: entry.seq, changed: !step.patch.operations.isEmpty)
  }

  /// A patch as text in memory of just its length: it is written where there is room already.
  private func text(of patch: JSONPatch) -> [UInt8] {
    writer.bytes.removeAll(keepingCapacity: true)
    patch.write(into: &writer.bytes)
    return writer.bytes.withUnsafeBufferPointer { Array($0) }
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

  /// The actions, those of the daemon's own with what they come from.
  fileprivate var noted: [WireAction] {
    switch origin {
    case .outside: actions
    case .followUp(let cause):
      actions.map { $0.caused(by: cause.step, author: cause.author, effect: nil) }
    case .answer(let cause, let command):
      actions.map { $0.caused(by: cause.step, author: cause.author, effect: command) }
    }
  }

  /// What the step is to the effects that it asks for.
  fileprivate func cause(of seq: SequenceNumber, type: String) -> EffectCause {
    switch origin {
    case .outside: EffectCause(step: seq.value, action: type, author: client)
    case .followUp(let cause): cause.followUp(step: seq.value, action: type)
    case .answer(let cause, _): cause.answer(step: seq.value, action: type)
    }
  }
}

extension [WireAction] {
  /// The actions as the text of a JSON array.
  fileprivate var text: [UInt8] {
    JSON.array(JSONArray(map(\.json))).bytes
  }
}
