import DuxJSON
import DuxLog

/// The newest steps, followed as they come; it can be held still and scrolled back.
///
/// Rows count from the newest step, which is row 0.
struct ActionLog {
  /// The steps in view, oldest first, without a hole.
  var entries: [LoggedStep] { isPaused ? held : live }
  /// Whether new steps stay out of view.
  private(set) var isPaused = false
  /// Steps that came while paused.
  private(set) var unseenCount = 0
  /// The selected step; `nil` follows the newest.
  private(set) var selection: SequenceNumber?
  /// The step whose details are shown.
  private(set) var opened: SequenceNumber?
  private var openedLines: [LoggedStep.DetailLine] = []
  /// The selected line of the step that is opened, from 0.
  private var selectedLine = 0
  /// Whether older steps than those in view can be had.
  private(set) var hasOlder = true
  /// Types of actions seen, for completion.
  private(set) var types: Set<String> = []

  private var live: [LoggedStep] = []
  /// The steps in view while paused.
  private var held: [LoggedStep] = []
  private var heldBytes = 0
  private var liveBytes = 0
  private var isFetching = false

  /// Steps kept while following.
  static let liveLimit = 2_000
  private static let liveByteLimit = 32 << 20
  /// Steps kept while scrolling back.
  static let heldLimit = 6_000
  private static let heldByteLimit = 128 << 20
  /// Steps asked for at a time.
  static let pageSize = 200
  private static let typeLimit = 1_000

  /// A step that happened just now.
  mutating func take(_ entry: LoggedStep) {
    note(entry)
    if let last = live.last, entry.seq <= last.seq { return }
    live.append(entry)
    liveBytes += entry.byteCount
    if live.count > Self.liveLimit * 5 / 4 || liveBytes > Self.liveByteLimit { trim() }
    if isPaused { unseenCount += 1 }
  }

  /// Drops the oldest quarter, or as many as it takes to hold the bytes; the newest stays.
  private mutating func trim() {
    var drop = max(0, live.count - Self.liveLimit)
    var bytes = live.prefix(drop).reduce(liveBytes) { $0 - $1.byteCount }
    while bytes > Self.liveByteLimit, drop < live.count - 1 {
      bytes -= live[drop].byteCount
      drop += 1
    }
    live.removeFirst(drop)
    liveBytes = bytes
    hasOlder = hasOlder || drop > 0
  }

  private mutating func note(_ entry: LoggedStep) {
    for action in entry.actions.prefix(Self.notedActions) where types.count < Self.typeLimit {
      if let type = action["type"]?.stringValue { types.insert(type) }
    }
  }

  private static let notedActions = 8

  /// The copy was made anew: what comes now does not follow what is in view.
  mutating func restart() {
    self = ActionLog(types: types)
  }

  private init(types: Set<String>) {
    self.types = types
  }

  init() {}

  /// What to ask for so that older steps come: behind which step, and how many.
  ///
  /// Nothing while that is under way, and where there are none. `newest` is the daemon's newest step.
  mutating func older(newest: SequenceNumber) -> (after: SequenceNumber, limit: Int)? {
    let first = entries.first?.seq.value ?? newest.value + 1
    guard hasOlder, !isFetching, first > 1 else {
      hasOlder = hasOlder && first > 1
      return nil
    }
    isFetching = true
    let after = max(0, first - 1 - Int64(Self.pageSize))
    return (SequenceNumber(after), Int(first - 1 - after))
  }

  /// The older steps asked for have come, oldest first; none means that there are none.
  mutating func take(older page: [LoggedStep]) {
    isFetching = false
    page.forEach { note($0) }
    let first = entries.first?.seq
    let fitting = page.filter { $0.seq < first ?? SequenceNumber(.max) }
    guard let last = fitting.last, first.map({ last.seq.value == $0.value - 1 }) ?? true else {
      hasOlder = false
      return
    }
    if fitting.first?.seq.value ?? 1 <= 1 { hasOlder = false }
    guard isPaused else {
      live = fitting + live
      liveBytes = live.reduce(0) { $0 + $1.byteCount }
      return
    }
    held = fitting + held
    heldBytes += fitting.reduce(0) { $0 + $1.byteCount }
    while held.count > max(1, fitting.count),
      held.count > Self.heldLimit || heldBytes > Self.heldByteLimit
    {
      heldBytes -= held.removeLast().byteCount
    }
  }

  /// The older steps asked for can't be had.
  mutating func failOlder() {
    isFetching = false
    hasOlder = false
  }

  /// Asking did not get through; it may be asked again.
  mutating func forgetFetch() {
    isFetching = false
  }

  /// Holds the steps in view still.
  mutating func pause() {
    guard !isPaused else { return }
    held = live
    heldBytes = liveBytes
    isPaused = true
  }

  /// Shows the newest steps again.
  mutating func follow() {
    isPaused = false
    held = []
    unseenCount = 0
    selection = nil
    selectedLine = 0
    opened = nil
    openedLines = []
    hasOlder = (entries.first?.seq.value ?? 2) > 1
  }

  /// A row: a step, or a line of the details of the one that is opened.
  enum Row {
    case step(LoggedStep)
    case detail(LoggedStep.DetailLine)
  }

  /// The number of rows.
  var rowCount: Int { entries.count + openedLines.count }

  /// The row of an index from 0 and below ``rowCount``.
  func row(at index: Int) -> Row? {
    guard let place = place(ofRow: index) else { return nil }
    if place.line == 0 { return .step(place.step) }
    return openedLines.indices.contains(place.line - 1) ? .detail(openedLines[place.line - 1]) : nil
  }

  /// Which step a row belongs to, and which of its lines it is, from 0.
  private func place(ofRow row: Int) -> (step: LoggedStep, line: Int)? {
    guard row >= 0 else { return nil }
    var row = row
    var line = 0
    if let openedRow, row > openedRow {
      line = min(row - openedRow, openedLines.count)
      row -= line
      if row > openedRow { line = 0 }
    }
    let entries = entries
    return row < entries.count ? (entries[entries.count - 1 - row], line) : nil
  }

  /// The row of the step that is opened.
  private var openedRow: Int? {
    guard let opened, let index = index(of: opened) else { return nil }
    return entries.count - 1 - index
  }

  /// The selected row.
  var selectedRow: Int {
    guard let selection, let index = index(of: selection) else { return 0 }
    let row = entries.count - 1 - index
    guard let openedRow else { return row }
    return row == openedRow ? row + selectedLine : row + (row > openedRow ? openedLines.count : 0)
  }

  /// The selected step.
  var selected: LoggedStep? { place(ofRow: selectedRow)?.step }

  /// Selects a row; one that is not the newest holds the view still.
  mutating func select(row: Int) {
    let row = max(0, min(row, rowCount - 1))
    guard let place = place(ofRow: row) else { return }
    selection = place.step.seq
    selectedLine = place.line
    if row > 0 { pause() }
  }

  /// Shows or hides the details of the selected step.
  mutating func toggleDetails() {
    guard let selected else { return }
    let isOpened = opened == selected.seq
    opened = isOpened ? nil : selected.seq
    openedLines = isOpened ? [] : selected.detailLines
    selection = selected.seq
    selectedLine = 0
    pause()
  }

  /// Where a step is among those in view.
  private func index(of seq: SequenceNumber) -> Int? {
    let entries = entries
    guard let first = entries.first else { return nil }
    // Without a hole, so its distance from the first tells the place.
    let index = Int(seq.value - first.seq.value)
    guard entries.indices.contains(index), entries[index].seq == seq else { return nil }
    return index
  }
}
