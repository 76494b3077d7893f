package import DuxJSON
import DuxProtocol
import DuxStore

/// Steps of the client's own.
extension OptimisticState {
  /// Asks for a step and shows at once what it will probably do.
  ///
  /// One that the reducer refuses now is asked for all the same, since the daemon decides, and shows
  /// nothing.
  package mutating func ask(_ actions: [Action], if preconditions: [JSON]) -> Asked {
    let token = RequestToken(index: nextIndex)
    nextIndex += 1
    var wires: [JSON] = []
    do {
      wires = try actions.map { try model.write($0) }
      if let ending { throw StepRefusal(code: ending.code, reason: nil, message: ending.message) }
      let byteCount = Self.byteCount(wires, preconditions)
      try checkRoom(byteCount)
      append(
        Entry(
          token: token, actions: actions, preconditions: preconditions, byteCount: byteCount))
      return Asked(token: token, actions: wires, result: .success(wires))
    } catch let refusal as StepRefusal {
      return Asked(token: token, actions: wires, result: .failure(refusal))
    } catch {
      let message = (error as? Refusal)?.message ?? "\(error)"
      return Asked(
        token: token, actions: [],
        result: .failure(
          .init(code: ErrorCode.badAction.rawValue, reason: nil, message: message)))
    }
  }

  /// Shows steps of an earlier run, before anything else is asked.
  package mutating func restore(_ steps: [QueuedStep]) {
    for step in RemoteSession.inSendingOrder(steps) {
      nextIndex = max(nextIndex, step.token.index + 1)
      let actions = try? step.actions.map { try model.parse(try WireAction($0)) }
      append(
        Entry(
          token: step.token, actions: actions ?? [], preconditions: step.preconditions,
          byteCount: Self.byteCount(step.actions, step.preconditions)))
    }
  }

  /// Whether the preconditions of a step hold, as far as can be seen from here.
  private static func hold(
    _ preconditions: [JSON], in state: State, _ model: ClientModel<State, Action>
  ) -> Bool {
    guard !preconditions.isEmpty else { return true }
    guard let view = try? model.view(state) else { return false }
    return preconditions.allSatisfy { condition in
      guard let text = condition["path"]?.stringValue, let path = try? JSONPointer(text) else {
        return false
      }
      let value = view.value(at: path)
      return condition["value"].map { value?.matches($0) ?? false } ?? (value == nil)
    }
  }

  private func checkRoom(_ byteCount: Int) throws(StepRefusal) {
    guard entries.count < limits.steps else {
      throw .init(
        code: StepRefusal.queueFull, reason: nil,
        message: "\(limits.steps) steps wait for their outcome already")
    }
    guard queuedBytes + byteCount <= limits.bytes else {
      throw .init(
        code: StepRefusal.queueFull, reason: nil,
        message: "the steps that wait for their outcome take \(limits.bytes) bytes already")
    }
  }

  private static func byteCount(_ actions: [JSON], _ preconditions: [JSON]) -> Int {
    actions.reduce(0) { $0 + $1.encodedByteCount }
      + preconditions.reduce(0) { $0 + $1.encodedByteCount }
  }

  private mutating func append(_ entry: Entry) {
    queuedBytes += entry.byteCount
    entries.append(entry)
    show(entries.index(before: entries.endIndex))
  }

  /// Puts a step on top of what is shown.
  mutating func show(_ index: Chunks<Entry>.Index) {
    guard Self.hold(entries[index].preconditions, in: state, model) else { return }
    let record = InputRecord(continuing: entries[index].inputs)
    model.predict(
      &state, entries[index].actions,
      .init(servedApp: servedApp, author: client, record: record))
    entries[index].inputs = record.values
  }
}
