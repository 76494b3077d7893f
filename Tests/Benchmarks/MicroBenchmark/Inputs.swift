import DuxJSON
import DuxProtocol
import DuxStore

/// What the daemon is typically given: a value of 100 bytes for one of 10,000 items, by one of 16
/// clients whose numbers rise.
enum Inputs {
  static let itemCount = 10_000
  static let clientCount = 16
  static let limits = Limits(
    maximumLineBytes: 1 << 20, maximumDepth: 128, maximumStateBytes: 1 << 30)
  static let stateLimits = StateLimits(
    maximumDepth: limits.maximumDepth, maximumBytes: limits.maximumStateBytes)

  /// A document of all items.
  static let document: JSON = {
    var items = JSONObject()
    for index in 0..<itemCount { items[key(index)] = ["v": .string(value(0))] }
    return ["items": .object(items)]
  }()

  /// The stock app with that document, as the daemon serves it.
  static func documentStore() throws -> any HostedStore {
    var store: any HostedStore = try HostedApp(
      Leased(DocumentApp(limits: stateLimits)), limits: stateLimits)
    let action = try WireAction([
      "type": "doc/set", "payload": ["path": "", "value": document],
    ])
    _ = try store.dispatch([action], DispatchContext(author: "benchmark"))
    return store
  }

  /// The path of the value that the `step`th action sets: another item each time.
  static func path(_ step: Int) -> String { "/items/\(key(step * 7_919 % itemCount))/v" }

  /// The value that it sets: 100 bytes, another each time.
  static func value(_ step: Int) -> String {
    let start = "value \(step) "
    return start + String(repeating: "x", count: 100 - start.utf8.count)
  }

  /// The action.
  static func action(_ step: Int) -> JSON {
    [
      "type": "doc/set",
      "payload": ["path": .string(path(step)), "value": .string(value(step))],
    ]
  }

  /// The line that asks for it.
  static func line(_ step: Int, n: Int) -> [UInt8] {
    let action =
      #"{"type":"doc/set","payload":{"path":"\#(path(step))","value":"\#(value(step))"}}"#
    return Array(#"{"op":"dispatch","n":\#(n),"action":\#(action)}\#n"#.utf8)
  }

  static func client(_ index: Int) -> String { "client\(index)" }

  private static func key(_ index: Int) -> String {
    let digits = String(index)
    return "item" + String(repeating: "0", count: 7 - digits.utf8.count) + digits
  }
}
