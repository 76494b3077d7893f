import DuxEngine
import DuxJSON
import DuxTerminal

/// The whole screen of `dux tui`.
struct ExplorerScreen: DrawnView {
  let explorer: Explorer
  let plan: ScreenPlan

  var width: Extent { .flexible() }
  func height(columns: Int) -> Extent { .flexible() }

  func draw(into canvas: inout Canvas) {
    canvas.draw(StatusBar(explorer: explorer), in: plan.status)
    if let tabs = plan.tabs { canvas.draw(TabBar(pane: explorer.pane), in: tabs) }
    for part in plan.parts {
      if let title = part.title {
        canvas.draw(PaneTitle(explorer: explorer, pane: part.pane), in: title)
      }
      canvas.draw(PaneRows(explorer: explorer, pane: part.pane), in: part.rows)
    }
    if let divider = plan.divider {
      canvas.within(divider) { $0.fill("│", style: $0.theme[.border]) }
    }
    if let bottom = plan.bottom { canvas.draw(BottomLine(explorer: explorer), in: bottom) }
    drawOffers(into: &canvas)
    if let sheet = explorer.sheet { SheetView(sheet: sheet).draw(into: &canvas) }
  }

  /// What is wrong with the line that is typed, or what Tab offers, above it.
  private func drawOffers(into canvas: inout Canvas) {
    guard let prompt = explorer.prompt, let bottom = plan.bottom else { return }
    let room = max(0, min(Self.offeredRows, bottom.origin.row - 1))
    var lines: [(text: String, role: Role)] = []
    if let problem = prompt.problem {
      lines = [(problem.printable, .failure)]
    } else if let completion = prompt.completion, room > 0 {
      let chosen = prompt.chosen ?? 0
      let start = chosen / room * room
      lines = completion.candidates.enumerated().dropFirst(start).prefix(room).map {
        ($0.element.printable, $0.offset == prompt.chosen ? .selection : .normal)
      }
    }
    for (index, line) in lines.prefix(room).enumerated() {
      let row = bottom.origin.row - min(lines.count, room) + index
      let rect = Rect(row: row, column: 0, size: Size(columns: canvas.size.columns, rows: 1))
      canvas.within(rect) { canvas in
        canvas.fill()
        Text("  " + line.text).role(line.role).truncated().draw(into: &canvas)
      }
    }
  }

  private static let offeredRows = 8
}

/// The line of the connection.
private struct StatusBar: DrawnView {
  let explorer: Explorer

  var width: Extent { .flexible() }
  func height(columns: Int) -> Extent { .fixed(1) }

  func draw(into canvas: inout Canvas) {
    var line = RowText(canvas.size.columns)
    line.add(" " + StatusText.text(of: explorer.status, nowMs: explorer.nowMs), role)
    if !explorer.pending.isEmpty { line.add("  \(explorer.pending.count) on the way", .warning) }
    if let past = explorer.past {
      let wait = past.isFetching ? ", being fetched" : ""
      line.add("  as of seq \(past.seq)\(wait), read only: n goes to now", .warning)
    }
    line.add("  " + explorer.place.printable)
    if !explorer.app.isEmpty { line.add("  \(explorer.app.printable)  seq \(explorer.head)") }
    // Last, for it may be long.
    if case .offline(_, let reason, _) = explorer.status { line.add("  " + reason.printable, role) }
    line.draw(into: &canvas, row: 0, style: canvas.theme[.status])
  }

  private var role: Role? {
    switch explorer.status {
    case .live: nil
    case .connecting, .stale, .offline: .warning
    case .ended: .failure
    }
  }
}

/// How the connection is, in words.
enum StatusText {
  static func text(of status: ConnectionStatus, nowMs: Int64) -> String {
    switch status {
    case .connecting: return "○ connecting"
    case .live: return "● live"
    case .stale(let sinceMs): return "○ lost \(ClockText.span(nowMs - sinceMs)) ago"
    case .offline(let sinceMs, _, let retryAtMs):
      let since = sinceMs.map { " for " + ClockText.span(nowMs - $0) } ?? ""
      let wait = (max(0, retryAtMs - nowMs) + 999) / 1_000
      return "○ offline\(since), next try in \(wait) s"
    case .ended(let reason): return "✕ ended: \(reason.description.printable)"
    }
  }
}

/// The names of the parts, where only one is seen.
private struct TabBar: DrawnView {
  let pane: ExplorerPane

  var width: Extent { .flexible() }
  func height(columns: Int) -> Extent { .fixed(1) }

  func draw(into canvas: inout Canvas) {
    for pane in ExplorerPane.allCases {
      let style = pane == self.pane ? canvas.theme[.title] : canvas.theme[.secondary]
      let text = ScreenPlan.tabText(of: pane)
      let marked = pane == self.pane ? "[" + text.dropFirst().dropLast() + "]" : text
      canvas.write(
        marked, row: 0, column: ScreenPlan.tabColumns(of: pane).lowerBound, style: style)
    }
  }
}

/// The line over a part.
private struct PaneTitle: DrawnView {
  let explorer: Explorer
  let pane: ExplorerPane

  var width: Extent { .flexible() }
  func height(columns: Int) -> Extent { .fixed(1) }

  func draw(into canvas: inout Canvas) {
    var line = RowText(canvas.size.columns)
    let isFocused = explorer.pane == pane
    line.add("\(isFocused ? "▶" : " ")\(pane.rawValue + 1) \(pane.title)", isFocused ? .title : nil)
    line.add("  " + PaneNote.text(of: pane, explorer), .secondary)
    line.draw(into: &canvas, row: 0)
  }
}

/// What is said of a part beside its name.
enum PaneNote {
  static func text(of pane: ExplorerPane, _ explorer: Explorer) -> String {
    switch pane {
    case .state:
      guard let search = explorer.search else {
        return explorer.tree.selection.isRoot ? "" : explorer.tree.selection.description.printable
      }
      let count = search.matches.count
      let found = search.isCut ? "the first \(count.grouped)" : "\(count.grouped) found"
      let progress = search.progress.map { ", \(Int($0 * 100)) % searched" } ?? ""
      return "\"\(search.query.printable)\": \(found)\(progress)"
    case .log:
      guard explorer.log.isPaused else { return "follows" }
      let missed = explorer.log.unseenCount
      return "held (s follows)" + (missed > 0 ? ", \(missed.grouped) new" : "")
    case .people: return "\(explorer.people.people.count)"
    case .effects:
      if let failure = explorer.effects.failure { return failure }
      return "\(explorer.effects.effects.count)\(explorer.effects.hasMore ? "+" : "")"
    }
  }
}

/// The last line: what is typed, or what is to be told.
private struct BottomLine: DrawnView {
  let explorer: Explorer

  var width: Extent { .flexible() }
  func height(columns: Int) -> Extent { .fixed(1) }

  func draw(into canvas: inout Canvas) {
    guard let prompt = explorer.prompt else { return drawMessage(into: &canvas) }
    let label = prompt.purpose.label + " "
    let column = canvas.write(label, row: 0, column: 0, style: canvas.theme[.title])
    let field = TextField(prompt.draft, placeholder: prompt.purpose.placeholder)
    let columns = max(0, canvas.size.columns - column)
    canvas.draw(field, in: Rect(row: 0, column: column, size: Size(columns: columns, rows: 1)))
  }

  private func drawMessage(into canvas: inout Canvas) {
    var line = RowText(canvas.size.columns)
    if let message = explorer.message {
      line.add(message.text, message.isFailure ? .failure : nil)
    } else {
      let note = PaneNote.text(of: explorer.pane, explorer)
      let isNarrow = canvas.size.columns < 100
      line.add(isNarrow && !note.isEmpty ? note + "  " : "")
      line.add("? keys  : dispatch  / find  Tab next part  q quit", .secondary)
    }
    line.draw(into: &canvas, row: 0)
  }
}
