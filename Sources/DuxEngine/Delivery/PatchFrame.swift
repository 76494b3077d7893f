import DuxJSON
import DuxLog
import DuxProtocol
import DuxStore

/// The line that tells the subscribers of one channel of one step.
enum PatchFrame {
  /// The types of a step's actions; most steps have one.
  enum Types {
    case one(String)
    case several([String])

    init(_ actions: [WireAction]) {
      self = actions.count == 1 ? .one(actions[0].type) : .several(actions.map(\.type))
    }

    /// The type of the first action; empty without one.
    var first: String {
      switch self {
      case .one(let type): type
      case .several(let types): types.first ?? ""
      }
    }

    /// The types that an entry of the log has.
    init(logged entry: LogEntry) {
      let actions = try? JSON(parsing: entry.actions, maximumDepth: .max)
      let types = (actions?.arrayValue ?? []).compactMap { $0["type"]?.stringValue }
      self = types.count == 1 ? .one(types[0]) : .several(types)
    }
  }

  /// Writes the line, with the change as the channel sees it, as JSON text.
  static func write(
    _ entry: LogEntry, _ types: Types, for channel: Channel, patch: [UInt8],
    into writer: inout LineWriter
  ) {
    let actions = channel.withActions ? entry.actions : nil
    switch types {
    case .one(let type):
      writer.patch(path: channel.pathText, entry, type: type, actions: actions, patch: patch)
    case .several(let types):
      writer.patch(path: channel.pathText, entry, types: types, actions: actions, patch: patch)
    }
  }
}
