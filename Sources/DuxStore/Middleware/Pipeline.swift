/// The stages of a store in order; the first is outermost: it sees an action first and its end last.
package struct Pipeline<State: Sendable, Action: Sendable>: Sendable {
  /// What became of an action in the stages, before it is reduced.
  package struct Entry: Sendable {
    /// The action to reduce, or as it stood when a stage refused it.
    package var action: Action
    /// What the stages want done if it is accepted, outermost first.
    package var effects: [Effect<Action>] = []
    /// Why a stage refused it.
    package var refusal: (any Error)?
    /// Whether a stage put another action in the place of the one that came.
    package private(set) var isReplaced = false
    /// How many stages let it pass.
    fileprivate var passed = 0
  }

  /// The stages' names in order.
  ///
  /// A name that comes again is numbered, as `validator 2`.
  package let names: [String]
  private let stages: [any Middleware<State, Action>]

  /// Whether there is no stage.
  var isEmpty: Bool { stages.isEmpty }

  /// Makes a pipeline of its stages, outermost first.
  package init(_ stages: [any Middleware<State, Action>]) {
    self.stages = stages
    names = Self.numbered(stages.map(\.name))
  }

  /// Leads an action through the stages up to the first that refuses it.
  package func enter(_ action: Action, in state: State, _ context: DispatchContext) -> Entry {
    var entry = Entry(action: action)
    for stage in stages {
      do {
        entry.follow(try stage.process(entry.action, in: state, context))
      } catch {
        entry.refusal = error
        return entry
      }
    }
    return entry
  }

  /// Tells the stages that let an action pass what became of it, innermost first.
  ///
  /// Every entry is left once, accepted or not.
  package func leave(
    _ entry: Entry, before: State, after: State, _ context: DispatchContext,
    _ result: Result<Void, Rejection>
  ) {
    for stage in stages[..<entry.passed].reversed() {
      stage.finished(entry.action, before: before, after: after, context, result)
    }
  }

  private static func numbered(_ names: [String]) -> [String] {
    var used: Set<String> = []
    return names.map { name in
      var candidate = name
      var number = 2
      while !used.insert(candidate).inserted {
        candidate = "\(name) \(number)"
        number += 1
      }
      return candidate
    }
  }
}

extension Pipeline.Entry {
  fileprivate mutating func follow(_ passage: Passage<Action>) {
    passed += 1
    let effect: Effect<Action>
    switch passage {
    case .pass(let wanted): effect = wanted
    case .replace(let other, let wanted):
      action = other
      isReplaced = true
      effect = wanted
    }
    if !effect.isNone { effects.append(effect) }
  }
}
