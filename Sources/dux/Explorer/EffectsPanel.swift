import DuxJSON
import DuxProtocol

/// The effects that have not ended, asked for again while somebody looks at them.
struct EffectsPanel {
  private(set) var effects: [ListedEffect] = []
  /// Whether there are more than were listed.
  private(set) var hasMore = false
  /// Why the list can't be had.
  private(set) var failure: String?
  private(set) var selectedRow = 0
  private var isAsking = false
  private var askedMs: Int64?
  private var isOutdated = false

  /// Effects that are asked for.
  static let limit = 500
  private static let restMs: Int64 = 5_000
  /// The least time between two questions, when steps come one after the other.
  private static let pauseMs: Int64 = 500

  /// A step was taken, which may have begun or ended some.
  mutating func noteStep() {
    isOutdated = true
  }

  /// When to ask, on the clock of `nowMs`; `nil` while an answer is awaited.
  func dueMs(nowMs: Int64) -> Int64? {
    guard !isAsking else { return nil }
    guard let askedMs else { return nowMs }
    if isOutdated { return askedMs + Self.pauseMs }
    return effects.isEmpty ? nil : askedMs + Self.restMs
  }

  /// The list was asked for.
  mutating func asked(atMs nowMs: Int64) {
    isAsking = true
    isOutdated = false
    askedMs = nowMs
  }

  /// The list has come.
  mutating func show(_ json: JSON) {
    isAsking = false
    let selected = self.selected?.key
    do throws(RequestError) {
      let list = try EffectList(json)
      (effects, hasMore, failure) = (list.effects, list.hasMore, nil)
    } catch {
      failure = "the daemon's list cannot be read: " + error.message
    }
    let row = selected.flatMap { key in effects.firstIndex { $0.key == key } }
    select(row: row ?? selectedRow)
  }

  /// The list can't be had.
  mutating func fail(_ reason: String) {
    isAsking = false
    failure = reason
  }

  /// The selected effect.
  var selected: ListedEffect? {
    effects.indices.contains(selectedRow) ? effects[selectedRow] : nil
  }

  /// Selects a row, the nearest one where there is none of that index.
  mutating func select(row: Int) {
    selectedRow = max(0, min(row, effects.count - 1))
  }
}
