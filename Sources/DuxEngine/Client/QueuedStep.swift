package import DuxJSON

/// Names a step that a program asked for; steps are asked for in the order of the indices.
package struct RequestToken: Hashable, Sendable, Comparable {
  /// The place in the order of asking, from 0; with a journal, over all runs of the program.
  package let index: Int

  /// Makes a token.
  package init(index: Int) {
    self.index = index
  }

  /// The order of asking.
  package static func < (left: RequestToken, right: RequestToken) -> Bool {
    left.index < right.index
  }
}

/// A step that waits for its outcome, as a journal keeps it.
package struct QueuedStep: Hashable, Sendable {
  /// Its key in the journal.
  package let token: RequestToken
  /// Its number; `nil` until it was about to be sent.
  package let n: Int64?
  /// When it got its number: wall clock in ms.
  package let numberedMs: Int64?
  package let actions: [JSON]
  package let preconditions: [JSON]

  /// Makes a step.
  package init(
    token: RequestToken, n: Int64?, numberedMs: Int64?, actions: [JSON], preconditions: [JSON]
  ) {
    self.token = token
    self.n = n
    self.numberedMs = numberedMs
    self.actions = actions
    self.preconditions = preconditions
  }
}

/// How much may wait for its outcome.
package struct QueueLimits: Hashable, Sendable {
  /// Steps.
  package var steps: Int
  /// Bytes of their actions and conditions.
  package var bytes: Int

  /// Makes limits.
  package init(steps: Int = 10_000, bytes: Int = 64 << 20) {
    self.steps = steps
    self.bytes = bytes
  }
}
