import DuxCommandLine
import DuxEngine
import DuxJSON
import DuxProtocol

/// What `dux who` prints: who is there, and what becomes of that.
struct WhoView {
  let style: Style
  let columns: Int

  /// Columns that a name may fill.
  private static let longestName = 40

  /// Those who are there, as a table.
  func table(_ clients: [PresentClient], nowMs: Int64) -> [String] {
    TableText(style: style, columns: columns).lines(
      header: ["NAME", "SINCE", "FOR", "STATE"],
      rows: clients.map { client in
        [
          TableText.Cell(name(client), .blue), TableText.Cell(since(client.sinceMs, nowMs)),
          TableText.Cell(ClockText.span(nowMs &- client.sinceMs)),
          TableText.Cell(state(client)),
        ]
      })
  }

  /// What is new, a line for each client.
  func changes(
    from before: [PresentClient], to after: [PresentClient], nowMs: Int64
  ) -> [String] {
    let (old, new) = (byName(before), byName(after))
    let time = style.faint(ClockText.time(nowMs)) + "  "
    var lines: [String] = []
    for client in after {
      let former = old[ByteText(client.client)]
      guard former != client else { continue }
      let isNew = former == nil
      let note = former.map { $0.serial == client.serial ? "" : "  (a new connection)" } ?? ""
      let state = state(client).isEmpty ? "" : "  " + self.state(client)
      let text = "\(isNew ? "+" : "~") \(name(client))\(state)\(note)"
      lines.append(time + style.coloured(text, isNew ? .green : .yellow))
    }
    for client in before where new[ByteText(client.client)] == nil {
      let span = ClockText.span(nowMs &- client.sinceMs)
      lines.append(time + style.coloured("- \(name(client))  (was here for \(span))", .red))
    }
    return lines
  }

  private func byName(_ clients: [PresentClient]) -> [ByteText: PresentClient] {
    Dictionary(clients.map { (ByteText($0.client), $0) }) { $1 }
  }

  private func name(_ client: PresentClient) -> String {
    client.client.printable.cut(to: Self.longestName)
  }

  private func state(_ client: PresentClient) -> String {
    client.state.map { $0.shortText(max(20, columns - 30)) } ?? ""
  }

  private func since(_ sinceMs: Int64, _ nowMs: Int64) -> String {
    let isRecent = (0..<86_400_000).contains(nowMs &- sinceMs)
    return isRecent ? ClockText.time(sinceMs) : String(ClockText.dayAndTime(sinceMs).dropLast(4))
  }
}
