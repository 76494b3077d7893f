import DuxEngine
import DuxJSON
import DuxLog
import DuxTerminal

/// What is done with the line that is typed on.
extension Explorer {
  mutating func take(inPrompt key: Key, _ plan: ScreenPlan, _ session: RemoteSession) {
    guard let purpose = prompt?.purpose else { return }
    switch key.code {
    case .escape:
      prompt = nil
      if purpose == .filter { search = nil }
    case .enter: submit(session)
    case .tab: complete(step: 1)
    case .backTab: complete(step: -1)
    case .up where purpose == .dispatch: showHistory { $0.previous(showing: $1) }
    case .down where purpose == .dispatch: showHistory { history, _ in history.next() }
    case .up, .down, .pageUp, .pageDown:
      guard purpose == .filter else { return }
      pane = .state
      let page = max(1, (plan.height(of: pane)) - 1)
      let distances: [Key.Code: Int] = [.up: -1, .down: 1, .pageUp: -page, .pageDown: page]
      move(by: distances[key.code] ?? 0, session)
    default:
      if prompt?.take(key) == true { searchAsTyped() }
    }
  }

  private mutating func complete(step: Int) {
    let types = knownTypes
    let shown = past?.value ?? state
    prompt?.complete(types: types, state: shown, step: step)
  }

  /// Types of actions that may be completed.
  private var knownTypes: [String] {
    guard app == "document" else { return Array(log.types) }
    return Array(log.types.union(CommandText.documentVerbs.flatMap { [$0 + " ", "doc/" + $0] }))
  }

  private mutating func showHistory(_ body: (inout History, String) -> String?) {
    guard let text = prompt?.draft.text, let line = body(&history, text) else { return }
    prompt?.show(line)
  }

  /// Searches for what the line of the filter says now.
  mutating func searchAsTyped() {
    guard let prompt, prompt.purpose == .filter else { return }
    pane = .state
    let query = prompt.draft.text
    guard query != search?.query else { return }
    search = query.isEmpty ? nil : SearchPanel(for: query, in: state, version: stateVersion)
  }

  private mutating func submit(_ session: RemoteSession) {
    guard let prompt else { return }
    let text = prompt.draft.text
    switch prompt.purpose {
    case .dispatch: dispatch(text, session)
    case .filter: self.prompt = nil
    case .jump: jump(to: text)
    case .past:
      guard let seq = Int64(text), seq >= 0 else {
        self.prompt?.refuse("this is no number of a step", at: nil)
        return
      }
      guard SequenceNumber(seq) <= head else {
        self.prompt?.refuse("the newest step is \(head)", at: nil)
        return
      }
      self.prompt = nil
      pane = .state
      lookAt(SequenceNumber(seq), session)
    }
  }

  private mutating func dispatch(_ line: String, _ session: RemoteSession) {
    if line.isEmpty { return prompt = nil }
    guard past == nil else {
      prompt?.refuse("this is the state of an earlier step, which is over: n goes to now", at: nil)
      return
    }
    do throws(CommandText.Problem) {
      let actions = try CommandText.read(line, app: app)
      if history.append(line) { wishes.append(.keep(line)) }
      prompt = nil
      if case .ended = status {
        tell("the session is over; quit, and start again", isFailure: true)
        return
      }
      pending[session.dispatch(actions, preconditions: [])] = line
    } catch {
      prompt?.refuse(error.message, at: error.offset)
    }
  }

  private mutating func jump(to text: String) {
    let path: JSONPointer
    do throws(Failure) {
      path = try PathText.read(text.hasSuffix("/") ? String(text.dropLast()) : text)
    } catch {
      prompt?.refuse(error.message, at: 0)
      return
    }
    showState()
    guard tree.jump(to: path) else {
      prompt?.refuse("there is nothing at \(PathText.name(path))", at: nil)
      return
    }
    search = nil
    pane = .state
    prompt = nil
  }
}
