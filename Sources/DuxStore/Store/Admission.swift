/// When a store reduces the actions that effects send.
enum Admission: Sendable {
  /// As soon as it is their turn.
  case atOnce
  /// When somebody lets them in; until then they wait, follow-ups too. Effects run on the executor,
  /// and `changed` is called when an action has come to wait or the effects have changed.
  case held(any TaskExecutor, changed: @Sendable () -> Void)

  var isHolding: Bool {
    if case .held = self { true } else { false }
  }

  var executor: (any TaskExecutor)? {
    if case .held(let executor, _) = self { executor } else { nil }
  }

  func tellChange() {
    if case .held(_, let changed) = self { changed() }
  }
}
