public import DuxJSON
public import DuxStore

/// What a store answered to a ``Scenario``, in the words of the wire: equal where stores behave alike.
public struct ScenarioLog: Hashable, Sendable {
  /// One step that was taken.
  public struct Entry: Hashable, Sendable {
    /// The step's sequence number.
    public var seq: Int64
    /// The action that was reduced, `type` and `payload`.
    public var action: JSON
    /// Who asked for it, or for what it comes from.
    public var author: String
    /// The step that it comes from; `nil` for an action from outside.
    public var cause: Int64?
    /// What sources gave while it was reduced.
    public var inputs: [String: [JSON]]
    /// Whether it changed the state.
    public var isChanged: Bool
  }

  /// The steps.
  public var entries: [Entry]
  /// Why an action of the scenario was refused, by its place in the scenario.
  public var rejections: [Int: String]
  /// The state at the end, as clients see it.
  public var state: JSON

  /// Makes a log of its parts.
  public init(entries: [Entry], rejections: [Int: String], state: JSON) {
    (self.entries, self.rejections, self.state) = (entries, rejections, state)
  }

  /// The entries of a daemon's log, as its answers to `log` tell them: one for each action.
  ///
  /// - Parameter lines: the messages with `"op":"entry"`, in order.
  /// - Returns: the entries, in the form of ``entries-swift.property``.
  /// - Throws: ``/DuxStore/Refusal`` when a line holds no action.
  public static func entries(ofDaemon lines: [JSON]) throws(Refusal) -> [Entry] {
    var entries: [Entry] = []
    for line in lines {
      for action in line["actions"]?.arrayValue ?? [] {
        entries.append(Entry(try WireAction(action), in: line))
      }
    }
    return entries
  }
}

extension ScenarioLog.Entry {
  /// Reads an action that stands in a message of the daemon's log.
  fileprivate init(_ wire: WireAction, in line: JSON) {
    let notes = wire.json["meta"]?["dux"]
    self.init(
      seq: line["seq"]?.integerValue ?? 0, wire: wire,
      author: notes?["author"]?.stringValue ?? line["client"]?.stringValue ?? "",
      cause: notes?["cause"]?.integerValue,
      isChanged: line["patch"]?.arrayValue?.isEmpty == false)
  }

  init(seq: Int64, wire: WireAction, author: String, cause: Int64?, isChanged: Bool) {
    self.init(
      seq: seq, action: WireAction(type: wire.type, payload: wire.payload).json, author: author,
      cause: cause, inputs: wire.inputs, isChanged: isChanged)
  }
}

extension ScenarioLog {
  /// What a store in this process recorded.
  init<Hosted: App>(
    _ log: [StoreLogEntry<Hosted.Action>], of app: Hosted, rejections: ArraySlice<Rejection?>,
    state: Hosted.State
  ) throws(Refusal) {
    var entries: [Entry] = []
    for step in log {
      entries.append(
        Entry(
          seq: step.seq, action: try app.wireAction(of: step.action).json,
          author: step.context.author, cause: step.context.origin.seq, inputs: step.inputs,
          isChanged: step.isChanged))
    }
    self.init(
      entries: entries, rejections: Self.reasons(rejections), state: try app.view(of: state))
  }

  static func reasons(_ rejections: ArraySlice<Rejection?>) -> [Int: String] {
    var reasons: [Int: String] = [:]
    for (place, rejection) in rejections.enumerated() { reasons[place] = rejection?.reason }
    return reasons
  }
}

extension DispatchContext.Origin {
  /// The step that an action comes from.
  var seq: Int64? {
    switch self {
    case .outside: nil
    case .followUp(let cause), .effect(let cause): cause.seq
    }
  }
}
