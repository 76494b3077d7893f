import DuxJSON
import DuxProtocol

/// Who took a step and what it is made of, as lines for people tell it: of an `entry` or a `patch`.
enum StepText {
  private static let shownTypes = 3

  /// The client; for a step of the daemon's own also to whom and to which step it is owed, where
  /// the line tells that: `@duxd for tty1 after 57`.
  static func author(of json: JSON) -> String? {
    guard let client = json["client"]?.stringValue else { return nil }
    var text = client.printable
    guard client == ReservedWords.daemonClient, let origin = origin(of: json) else { return text }
    if let author = origin["author"]?.stringValue, author != client {
      text += " for " + author.printable
    }
    if let cause = origin["cause"]?.integerValue { text += " after \(cause)" }
    return text
  }

  /// The types of a step's actions, the first few of many.
  static func types(of json: JSON) -> String {
    var types: [String] = []
    if let type = json["type"]?.stringValue { types = [type] }
    if let list = json["types"]?.arrayValue { types = list.compactMap(\.stringValue) }
    if let actions = json["actions"]?.arrayValue, types.isEmpty {
      types = actions.compactMap { $0["type"]?.stringValue }
    }
    let shown = types.prefix(shownTypes).map(\.printable).joined(separator: ", ")
    let left = types.count - shownTypes
    return left > 0 ? "\(shown) and \(left.grouped) more" : shown + versions(of: json)
  }

  /// An action without what the daemon wrote into it.
  static func withoutOrigin(_ action: JSON) -> JSON {
    guard var object = action.objectValue,
      var meta = object[ReservedWords.metaMember]?.objectValue,
      meta[ReservedWords.ownMember] != nil
    else { return action }
    meta[ReservedWords.ownMember] = nil
    object[ReservedWords.metaMember] = meta.isEmpty ? nil : .object(meta)
    return .object(object)
  }

  private static func origin(of json: JSON) -> JSON? {
    firstAction(of: json)?[ReservedWords.metaMember]?[ReservedWords.ownMember]
  }

  private static func firstAction(of json: JSON) -> JSON? {
    guard let actions = json["actions"]?.arrayValue, actions.count > 0 else { return nil }
    return actions[0]
  }

  /// From which version of the app to which the state was brought.
  private static func versions(of json: JSON) -> String {
    guard let action = firstAction(of: json),
      action["type"] == .string(ReservedWords.migrateAction),
      let old = action["payload"]?["from"]?.integerValue,
      let new = action["payload"]?["to"]?.integerValue
    else { return "" }
    return " \(old) → \(new)"
  }
}
