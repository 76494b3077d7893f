import DuxJSON
import DuxLog
import DuxProtocol

/// The line that tells the subscribers of one channel of one step.
struct PatchFrame {
  let entry: LogEntry
  let types: [String]

  init(entry: LogEntry, types: [String]) {
    self.entry = entry
    self.types = types
  }

  /// A frame of an entry read back from the log.
  init(_ entry: LogEntry) {
    let actions = try? JSON(parsing: entry.actions, maximumDepth: .max)
    let types = (actions?.arrayValue ?? []).compactMap { $0["type"]?.stringValue }
    self.init(entry: entry, types: types)
  }

  /// Writes the line, with the change as the channel sees it, as JSON text.
  func write(for channel: Channel, patch: [UInt8], into writer: inout LineWriter) {
    writer.begin("patch")
    writer.member("path", channel.pathText)
    writer.member("seq", entry.seq.value)
    writer.member("time", entry.time)
    writer.member("client", entry.client)
    if let n = entry.n { writer.member("n", n) }
    if types.count == 1 {
      writer.member("type", types[0])
    } else {
      writer.member("types", JSON.array(JSONArray(types.map { JSON.string($0) })))
    }
    if channel.withActions { writer.member("actions", text: entry.actions) }
    writer.member("patch", text: patch)
    writer.end()
  }
}
