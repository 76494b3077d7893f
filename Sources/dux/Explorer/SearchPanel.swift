import DuxJSON

/// The places that fit a filter, kept up to date while the state changes.
struct SearchPanel {
  /// The places found, in the order of the state.
  var matches: [JSONPointer] { isFirstPass ? search.matches : shown }
  /// Which of them is selected.
  private(set) var selectedRow = 0

  private var search: StateSearch
  /// The state that is searched, by the count of changes before it.
  private var searchedVersion: Int
  /// What the last pass that came to its end found, while another goes over a newer state.
  private var shown: [JSONPointer] = []
  private var isFirstPass = true
  private var finishedMs: Int64 = 0

  /// Entries that are looked at in one go, a few milliseconds of work.
  static let slice = 25_000
  /// The least time between two passes, so that a state that changes all the time costs little.
  private static let pauseMs: Int64 = 500

  /// Begins a search in a version of the state.
  init(for query: String, in value: JSON?, version: Int) {
    search = StateSearch(for: query, in: value)
    searchedVersion = version
  }

  /// What is looked for.
  var query: String { search.query }

  /// How far the first pass is, from 0 to 1; `nil` when all was seen.
  var progress: Double? { isFirstPass && !search.isDone ? search.progress : nil }

  /// Whether more fits than is kept.
  var isCut: Bool { search.isCut }

  /// When there is something to do, on the clock of `nowMs`; `nil` for never.
  func dueMs(version: Int, nowMs: Int64) -> Int64? {
    if !search.isDone { return nowMs }
    return version == searchedVersion ? nil : max(nowMs, finishedMs + Self.pauseMs)
  }

  /// Does a piece of the search that is due.
  mutating func run(in value: JSON?, version: Int, nowMs: Int64) {
    if search.isDone {
      shown = search.matches
      isFirstPass = false
      search = StateSearch(for: search.query, in: value)
      searchedVersion = version
    }
    search.run(entries: Self.slice)
    guard search.isDone else { return }
    finishedMs = nowMs
    shown = search.matches
    isFirstPass = false
    select(row: selectedRow)
  }

  /// The place that is selected.
  var selected: JSONPointer? {
    matches.indices.contains(selectedRow) ? matches[selectedRow] : nil
  }

  /// Selects a row, the nearest one where there is none of that index.
  mutating func select(row: Int) {
    selectedRow = max(0, min(row, matches.count - 1))
  }
}
