import DuxEngine
import DuxJSON
import DuxLog
import DuxProtocol
import DuxStore

/// What a program shows, held against what the daemon has made durable.
struct LibraryView {
  private let client: String
  private unowned let world: World
  private let app = DocumentApp(limits: .init(maximumDepth: 512, maximumBytes: .max))
  private var view: OptimisticState<JSON, WireAction>
  /// Steps that may show: asked for, and not refused.
  private var steps: [RequestToken: (actions: [JSON], conditions: [JSON])] = [:]
  /// Where the log has steps of this client's, by their tags.
  private var places: [String: Int] = [:]
  private var scanned = 0
  private var hasEnded = false
  private var knowsApp = false

  init(client: String, world: World, restoring queued: [QueuedStep]) {
    self.client = client
    self.world = world
    view = OptimisticState(
      ClientModel.untyped(at: .root), path: .root, client: client, limits: QueueLimits())
    view.restore(queued)
    for step in queued { steps[step.token] = (step.actions, step.preconditions) }
  }

  /// Asks for a step, whose actions get a tag of their own.
  ///
  /// - Returns: the step, and its actions as they are to be sent; `nil` if it is none.
  mutating func ask(_ actions: [JSON], _ conditions: [JSON]) -> (RequestToken, [JSON])? {
    world.tagCount += 1
    let tag = JSON.string("tag \(world.tagCount)")
    let tagged = actions.map { action -> JSON in
      var members = action.objectValue ?? [:]
      members["tag"] = tag
      return .object(members)
    }
    guard let wires = try? tagged.map({ try WireAction($0) }) else { return nil }
    let asked = view.ask(wires, if: conditions)
    steps[asked.token] = (tagged, conditions)
    check()
    return (asked.token, tagged)
  }

  mutating func take(_ events: [RemoteSession.Event]) {
    if events.isEmpty { return }
    for case .live in events { knowsApp = true }
    for settled in view.take(events) {
      switch settled.outcome {
      case .confirmed: break
      case .rejected, .cancelled, .unknown: steps[settled.token] = nil
      }
    }
    for case .ended in events { hasEnded = true }
    if let fault = view.fault { report("\(fault)") }
    check()
  }

  private mutating func check() {
    guard !hasEnded else { return }
    scan()
    let reached = Int(view.position?.seq.value ?? 0)
    if view.position != nil, view.confirmed != world.history.value(at: .root, reached) {
      report("confirmed at \(reached) is \(view.confirmed)")
    }
    var expected = view.confirmed
    for (_, step) in steps.sorted(by: { $0.key < $1.key }) where knowsApp {
      if let place = places[Self.tag(of: step.actions)], place <= reached { continue }
      guard step.conditions.allSatisfy({ Self.holds($0, in: expected) }) else { continue }
      carryOut(step.actions, in: &expected)
    }
    if expected != view.state { report("shown at \(reached) is \(view.state), not \(expected)") }
  }

  private func carryOut(_ actions: [JSON], in state: inout JSON) {
    var next = state
    for action in actions {
      guard let wire = try? WireAction(action), let action = try? app.action(from: wire),
        (try? app.reduce(into: &next, action: action)) != nil
      else { return }
    }
    state = next
  }

  /// The conditions here are all that nothing is at a path.
  private static func holds(_ condition: JSON, in state: JSON) -> Bool {
    guard let text = condition["path"]?.stringValue, let path = try? JSONPointer(text) else {
      return false
    }
    return state.value(at: path) == nil
  }

  private static func tag(of actions: [JSON]) -> String {
    actions.first?["tag"]?.stringValue ?? ""
  }

  private mutating func scan() {
    let entries = world.disk.allEntries
    while scanned < entries.count {
      let entry = entries[scanned]
      scanned += 1
      guard entry.client == client, let actions = try? JSON(parsing: entry.sentActions),
        let tag = actions.arrayValue.map({ Self.tag(of: Array($0)) })
      else { continue }
      if places.updateValue(scanned, forKey: tag) != nil {
        world.report(.exactlyOnce, "client \(client): \(tag) is done twice")
      }
    }
  }

  private func report(_ text: String) {
    world.report(.convergence, "client \(client): \(text)")
  }

  /// What is still missing once all faults are over.
  var unfinished: String? {
    if hasEnded { return nil }
    if view.pendingCount > 0 { return "\(view.pendingCount) steps are pending" }
    return view.state == view.confirmed ? nil : "what is shown is not what is confirmed"
  }
}
