/// Names one running or waiting effect of a ledger, and is never given twice.
package struct EffectToken: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Counts up from effect to effect.
  package let number: UInt64

  /// Orders effects by when they began.
  package static func < (a: EffectToken, b: EffectToken) -> Bool { a.number < b.number }

  package var description: String { "effect \(number)" }
}

/// The step that an effect comes from, and how that step came about.
package struct EffectCause: Hashable, Sendable {
  /// How many names of actions a cause remembers.
  static let trailLength = 16

  /// The step's sequence number, or a running number where nothing is logged.
  package let step: Int64
  /// The type of the step's action, for messages.
  package let action: String
  /// Who asked for the action that all this goes back to.
  package let author: String
  /// The step of that action: its receipt's name, and what all its effects have in common.
  package let root: Int64
  /// How many follow-ups in a row, none of which waited for anything, led to the step.
  package let depth: Int
  /// The types of the last actions in that row, the step's own at the end.
  package let trail: [String]

  /// The cause that a step from outside is.
  package init(step: Int64, action: String, author: String) {
    self.init(
      step: step, action: action, author: author, root: step, depth: 0, trail: [action])
  }

  /// The cause of a command as the outbox remembers it.
  package init(step: Int64, action: String, author: String, root: Int64) {
    self.init(
      step: step, action: action, author: author, root: root, depth: 0, trail: [action])
  }

  private init(
    step: Int64, action: String, author: String, root: Int64, depth: Int, trail: [String]
  ) {
    self.step = step
    self.action = action
    self.author = author
    self.root = root
    self.depth = depth
    self.trail = trail
  }

  /// The cause that the step of a follow-up is, sent by an effect of this step.
  package func followUp(step: Int64, action: String) -> EffectCause {
    EffectCause(
      step: step, action: action, author: author, root: root, depth: depth + 1,
      trail: trail.suffix(Self.trailLength - 1) + [action])
  }

  /// The cause that the step of an answer is, given by a running effect or a command of this step.
  package func answer(step: Int64, action: String) -> EffectCause {
    EffectCause(
      step: step, action: action, author: author, root: root, depth: 0, trail: [action])
  }

  /// The same step, as it counts for follow-ups that had to wait: they are no endless loop.
  var afterWaiting: EffectCause { answer(step: step, action: action) }
}

/// How far follow-ups may go before they count as a loop without end.
package struct FollowUpLimits: Hashable, Sendable {
  /// Follow-ups in a row.
  package var depth: Int
  /// Follow-ups that wait at once.
  package var waiting: Int

  /// Makes limits.
  package init(depth: Int = 100_000, waiting: Int = 1_000_000) {
    self.depth = depth
    self.waiting = waiting
  }
}

/// Follow-ups that would go on for ever, and were cut off.
package struct RunawayEffects: Error, Hashable, Sendable, CustomStringConvertible {
  /// The types of the actions that follow each other, the first again at the end; the last ones
  /// known where they do not repeat.
  package let cycle: [String]
  /// How many followed each other.
  package let depth: Int
  /// The step that it began with.
  package let root: Int64
  /// Who asked for that step.
  package let author: String

  /// Reads them off the last step before the cut.
  init(_ cause: EffectCause) {
    let trail = cause.trail
    let periods = trail.indices.dropFirst()
    let period =
      periods.first { trail.repeats(every: $0) }
      ?? periods.first { trail.suffix(2 * $0).repeats(every: $0) }
    cycle = period.map { trail.suffix($0 + 1) } ?? trail
    depth = cause.depth
    root = cause.root
    author = cause.author
  }

  /// The cycle, where it began and how long it went on.
  package var description: String {
    "follow-ups without end, cut after \(depth) in a row that began with step \(root): "
      + cycle.joined(separator: " → ")
  }
}

extension BidirectionalCollection where Element: Equatable {
  fileprivate func repeats(every period: Int) -> Bool {
    count > period && zip(self, dropFirst(period)).allSatisfy(==)
  }
}
