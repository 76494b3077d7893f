import DuxTerminal

/// What lies over the screen, in a frame in its middle.
struct SheetView: DrawnView {
  let sheet: Explorer.Sheet

  var width: Extent { .flexible() }
  func height(columns: Int) -> Extent { .flexible() }

  func draw(into canvas: inout Canvas) {
    let size = canvas.size
    let content = content
    let wanted = content.lines.reduce(content.title.count + 2) { widest, line in
      // Measured as far as any terminal is wide.
      max(widest, TextWidth.columns(of: line))
    }
    let columns = min(size.columns, wanted + 4)
    let rows = min(size.rows, content.lines.count + 2)
    let frame = Rect(
      row: (size.rows - rows) / 2, column: (size.columns - columns) / 2,
      size: Size(columns: columns, rows: rows))
    canvas.within(frame) { canvas in
      canvas.fill()
      Border(content.title) { SheetLines(lines: content.lines, top: content.top) }
        .draw(into: &canvas)
    }
  }

  private var content: (title: String, lines: [String], top: Int) {
    switch sheet {
    case .help(let top): return ("Keys", Self.helpLines, top)
    case .text(let title, let lines, let top): return (title, lines, top)
    case .cancel(let key, let name):
      return (
        "Cancel an effect",
        ["Cancel \(name.printable)?", key.printable, "", "y cancels it, any other key does not"], 0
      )
    }
  }

  private static let helpLines: [String] = {
    let help = ExplorerKeys.map.help
    let widest = help.map { $0.keys.count }.max() ?? 0
    return help.map { keys, text in
      keys + String(repeating: " ", count: widest - keys.count + 2) + text
    }
  }()
}

/// Lines from some line on.
private struct SheetLines: DrawnView {
  let lines: [String]
  let top: Int

  var width: Extent { .flexible() }
  func height(columns: Int) -> Extent { .flexible(ideal: lines.count) }

  func draw(into canvas: inout Canvas) {
    let room = canvas.size.rows
    let start = max(0, min(top, lines.count - room))
    for (row, line) in lines.dropFirst(start).prefix(room).enumerated() {
      let isCut = row == room - 1 && start + room < lines.count
      canvas.draw(
        Text(" " + (isCut ? "… (more below)" : line)).truncated(),
        in: Rect(row: row, column: 0, size: Size(columns: canvas.size.columns, rows: 1)))
    }
  }
}
