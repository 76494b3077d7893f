import DuxJSON

/// What a client was told about one of its dispatches.
struct Told: Equatable {
  let client: String
  let n: Int64
  /// The `ack` or `reject` without `id` and `duplicate`.
  let outcome: JSON

  init(client: String, n: Int64, answer: JSON) {
    self.client = client
    self.n = n
    outcome = answer.without("id").without("duplicate").without("message")
  }

  var seq: Int64? { outcome["seq"]?.integerValue }
}

/// The promises, each as a function that says where a recorded history breaks it.
enum Laws {
  /// L1: the numbers of the log are `first`, `first` + 1, … and time does not fall along them.
  static func totalOrder(_ log: [LoggedStep], first: Int64 = 1) -> [String] {
    var broken: [String] = []
    var time = Int64.min
    for (offset, step) in log.enumerated() {
      let wanted = first + Int64(offset)
      if step.seq != wanted { broken.append("L1: seq \(step.seq) where \(wanted) belongs") }
      if step.time < time { broken.append("L1: time falls at seq \(step.seq)") }
      time = step.time
    }
    return broken
  }

  /// L2: what was told before a crash is in the log after it.
  static func durableBeforeVisible(told: Int64, head: Int64) -> [String] {
    told > head ? ["L2: seq \(told) was told, and the log ends at \(head)"] : []
  }

  /// L3: each (client, n) is in the log at most once, all that was told of it is the same, and an
  /// acknowledged one is where the acknowledgement said.
  static func exactlyOnce(_ log: [LoggedStep], told: [Told]) -> [String] {
    var broken: [String] = []
    var places: [Name: Int64] = [:]
    for step in log {
      guard let n = step.n else { continue }
      let name = Name(client: step.client, n: n)
      if let first = places[name] {
        broken.append("L3: \(name) took effect at \(first) and at \(step.seq)")
      }
      places[name] = step.seq
    }
    var outcomes: [Name: Told] = [:]
    for one in told {
      let name = Name(client: one.client, n: one.n)
      if let first = outcomes[name] {
        if first != one { broken.append("L3: \(name): \(first.outcome), later \(one.outcome)") }
        continue
      }
      outcomes[name] = one
      if one.seq != places[name] {
        broken.append("L3: \(name): told \(one.outcome), logged at \(places[name] ?? 0)")
      }
    }
    return broken
  }

  private struct Name: Hashable, CustomStringConvertible {
    let client: String
    let n: Int64
    var description: String { "(\(client), \(n))" }
  }

  /// L4: two ways to the same value have the same canonical bytes.
  static func convergence(_ left: JSON?, _ right: JSON?, _ what: String) -> [String] {
    if left?.bytes == right?.bytes { return [] }
    return ["L4: \(what): \(excerpt(left)) and \(excerpt(right))"]
  }

  /// L5: from each snapshot or resume on, a watcher got each seq that touches its path once and in
  /// order, and no other.
  static func noGapNoRepeat(_ replica: Replica, log: [LoggedStep]) throws -> [String] {
    let touching = try seqsTouching(replica.path, log)
    var broken: [String] = []
    var position: Position?
    func advance(to seq: Int64, _ what: String) {
      guard let from = position?.seq else { return broken.append("L5: \(what) without a start") }
      let missed = touching.filter { from < $0 && $0 < seq }
      if !missed.isEmpty { broken.append("L5: \(what) jumps from \(from) over \(missed)") }
      position?.seq = seq
    }
    for frame in replica.frames {
      switch frame {
      case .snapshot(let start, let reason):
        if position != nil && reason == nil { broken.append("L5: a snapshot without a reason") }
        position = start
      case .resumed(let from, _):
        if from != position?.seq { broken.append("L5: resumed from \(from), not the position") }
      case .patch(let seq, _):
        if seq <= position?.seq ?? .max { broken.append("L5: seq \(seq) again") }
        if !touching.contains(seq) { broken.append("L5: seq \(seq) does not touch the path") }
        advance(to: seq, "patch \(seq)")
      case .mark(let seq):
        if seq < position?.seq ?? .max { broken.append("L5: mark \(seq) goes back") }
        advance(to: seq + 1, "mark \(seq)")
        position?.seq = seq
      }
    }
    return broken
  }

  /// L8: the state is the fold of the log.
  static func exactRecovery(_ log: [LoggedStep], state: JSON?) throws -> [String] {
    try convergence(fold(log), state, "the fold of the log and the state").map { "L8, \($0)" }
  }

  /// What a log makes of the empty state.
  static func fold(_ log: [LoggedStep]) throws -> JSON {
    var state: JSON = [:]
    for step in log { try step.patch.apply(to: &state) }
    return state
  }

  private static func seqsTouching(_ path: String, _ log: [LoggedStep]) throws -> [Int64] {
    if path.isEmpty { return log.map(\.seq) }
    let pointer = try JSONPointer(path)
    var state: JSON = [:]
    return try log.compactMap { step in
      let before = state.value(at: pointer)
      try step.patch.apply(to: &state)
      return before?.bytes == state.value(at: pointer)?.bytes ? nil : step.seq
    }
  }

  private static func excerpt(_ value: JSON?) -> String {
    value.map { String($0.description.prefix(300)) } ?? "nothing"
  }
}
