import DuxEngine
import DuxJSON
import DuxProtocol
import DuxTerminal

/// The rows of a part of the screen, those that there is room for.
struct PaneRows: DrawnView {
  let explorer: Explorer
  let pane: ExplorerPane

  var width: Extent { .flexible() }
  func height(columns: Int) -> Extent { .flexible() }

  func draw(into canvas: inout Canvas) {
    let top = explorer.top(of: pane)
    let count = explorer.rowCount(of: pane)
    let selected = explorer.selectedRow(in: pane)
    if count == 0 { Text(emptyText).role(.secondary).draw(into: &canvas) }
    for offset in 0..<max(0, min(canvas.size.rows, count - top)) {
      let row = top + offset
      let line = line(row, columns: canvas.size.columns)
      let role: Role? =
        row == selected ? (explorer.pane == pane ? .selection : .idleSelection) : nil
      line.draw(into: &canvas, row: offset, style: role.map { canvas.theme[$0] } ?? .plain)
    }
  }

  private var emptyText: String {
    switch pane {
    case .state:
      if let search = explorer.search { return search.progress == nil ? "nothing found" : "" }
      if explorer.status == .live { return "there is no state yet" }
      return explorer.epoch.isEmpty ? "waiting for a daemon" : "the state is on its way"
    case .log: return "no steps yet"
    case .people: return "nobody"
    case .effects: return explorer.effects.failure ?? "none"
    }
  }

  private func line(_ row: Int, columns: Int) -> RowText {
    switch pane {
    case .state: explorer.search == nil ? stateLine(row, columns) : matchLine(row, columns)
    case .log: logLine(row, columns)
    case .people: personLine(row, columns)
    case .effects: effectLine(row, columns)
    }
  }

  private func stateLine(_ index: Int, _ columns: Int) -> RowText {
    var line = RowText(columns)
    guard let row = explorer.tree.row(at: index) else { return line }
    let sight =
      explorer.past == nil
      ? explorer.marks.sight(at: row.path, isOpen: row.isOpen, atMs: explorer.nowMs) : nil
    line.add(sight?.sign ?? " ", sight?.role)
    let fold = row.value.entryCount ?? 0 == 0 ? "  " : row.isOpen ? "▾ " : "▸ "
    // Deep down the indentation stops, so that there is room for what it is about.
    let indentation = min(2 * row.depth, columns / 2)
    line.add(String(repeating: " ", count: indentation) + fold, .secondary)
    let name = row.path.last.map { $0.printable } ?? "(root)"
    line.add(name, row.path.isRoot ? .secondary : sight?.nameRole ?? .accent)
    line.add(": ", .secondary)
    addValue(row.value, isOpen: row.isOpen, sight, columns, to: &line)
    return line
  }

  private func addValue(
    _ value: JSON, isOpen: Bool, _ sight: ChangeMarks.Sight?, _ columns: Int,
    to line: inout RowText
  ) {
    let size: String? =
      switch value {
      case .object(let object) where !object.isEmpty: "{\(object.count.counted("member"))}"
      case .array(let array) where !array.isEmpty: "[\(array.count.counted("item"))]"
      default: nil
      }
    guard let size else { return line.add(value.shortText(columns), sight?.role) }
    line.add(size, sight?.kind == .below || isOpen ? .secondary : sight?.role ?? .secondary)
    if !isOpen { line.add("  " + value.shortText(columns), .secondary) }
  }

  private func matchLine(_ row: Int, _ columns: Int) -> RowText {
    var line = RowText(columns)
    guard let search = explorer.search, search.matches.indices.contains(row) else { return line }
    let path = search.matches[row]
    line.add(path.description.printable, .accent)
    line.add(": ", .secondary)
    if let value = explorer.state?.value(at: path) {
      line.add(value.shortText(columns))
    } else {
      line.add("(gone)", .secondary)
    }
    return line
  }

  private func logLine(_ index: Int, _ columns: Int) -> RowText {
    var line = RowText(columns)
    switch explorer.log.row(at: index) {
    case .step(let step)?:
      line.add("\(step.seq)", .title)
      line.add(" " + ClockText.time(step.timeMs), .secondary)
      line.add(" " + step.author)
      line.add(" " + step.types, .accent)
      line.add("  " + step.changesText, step.changes.first?.role ?? .secondary)
      if line.hasRoom { line.add("  " + step.payloadText, .secondary) }
    case .detail(let detail)?:
      line.add("  │ ", .border)
      line.add(detail.text, detail.role)
    case nil: break
    }
    return line
  }

  private func personLine(_ row: Int, _ columns: Int) -> RowText {
    var line = RowText(columns)
    let people = explorer.people.people
    guard people.indices.contains(row) else { return line }
    let person = people[row]
    line.add(person.client.printable, person.client == explorer.client ? .title : nil)
    if person.client == explorer.client { line.add(" (this one)", .secondary) }
    if let ms = person.sinceMs { line.add("  since " + ClockText.time(ms), .secondary) }
    if let state = person.state { line.add("  " + state.shortText(columns)) }
    return line
  }

  private func effectLine(_ row: Int, _ columns: Int) -> RowText {
    var line = RowText(columns)
    let effects = explorer.effects.effects
    guard effects.indices.contains(row) else { return line }
    let effect = effects[row]
    line.add(effect.name.printable, .accent)
    line.add(" " + effect.state.rawValue.printable, effect.state == .retrying ? .warning : nil)
    if let ms = effect.retryMs { line.add(" in " + ClockText.wait(ms), .warning) }
    line.add("  seq \(effect.cause) \(effect.action.printable), \(effect.author.printable)")
    if effect.attempts > 1 { line.add("  \(effect.attempts.counted("try")) ", .secondary) }
    if let error = effect.error { line.add("  " + error.printable, .failure) }
    return line
  }
}

extension ChangeMarks.Sight {
  /// The sign in the first column, also for who sees no colours.
  var sign: String {
    switch kind {
    case .added: "+"
    case .replaced: "~"
    case .thinned: "-"
    case .below: "·"
    }
  }

  /// How it looks by its age.
  var role: Role {
    switch age {
    case .fresh: kind == .added ? .success : kind == .thinned ? .failure : .changed
    case .recent: .warning
    case .old: .secondary
    }
  }

  /// How the name looks: only what is fresh stands out.
  var nameRole: Role? { age == .fresh && kind != .below ? role : nil }
}
