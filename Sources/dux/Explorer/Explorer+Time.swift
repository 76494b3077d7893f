import DuxEngine
import DuxJSON
import DuxProtocol

/// What happens as time goes by, and before anything is drawn.
extension Explorer {
  /// When there is something to do or to draw anew, in ms on the clock of `nowMs`; `nil` while
  /// nothing happens by itself.
  var dueMs: Int64? {
    var due: [Int64] = []
    if marks.isShowing(atMs: nowMs) { due.append(nowMs + Self.fadeStepMs) }
    if let ms = search?.dueMs(version: stateVersion, nowMs: nowMs) { due.append(ms) }
    if status == .live, visiblePanes.contains(.effects), let ms = effects.dueMs(nowMs: nowMs) {
      due.append(ms)
    }
    switch status {
    case .stale, .offline: due.append(nowMs + 1_000)
    case .connecting, .live, .ended: break
    }
    return due.min()
  }

  private static let fadeStepMs: Int64 = 500

  /// Does what is due.
  mutating func advance(to nowMs: Int64, _ session: RemoteSession) {
    self.nowMs = nowMs
    if let ms = search?.dueMs(version: stateVersion, nowMs: nowMs), ms <= nowMs {
      search?.run(in: state, version: stateVersion, nowMs: nowMs)
    }
    if status == .live, visiblePanes.contains(.effects), let ms = effects.dueMs(nowMs: nowMs),
      ms <= nowMs
    {
      effects.asked(atMs: nowMs)
      reads[session.effects(limit: EffectsPanel.limit)] = .effects
    }
    if !marks.isShowing(atMs: nowMs) { marks.clear() }
  }

  /// Brings what is drawn up to date: once before each drawing, however much came since the last.
  mutating func settle(_ plan: ScreenPlan) {
    showState()
    scroll(plan)
  }

  /// Shows the newest state, or the earlier one that is looked at.
  mutating func showState() {
    guard shownVersion != stateVersion else { return }
    shownVersion = stateVersion
    let row = tree.selectedRow
    tree.show(past == nil ? state : past?.value)
    // What comes and goes above does not move what is looked at.
    if search == nil { tops[.state, default: 0] += tree.selectedRow - row }
  }
}
