import DuxEngine
import DuxJSON

extension RemoteSession {
  /// Tells those who look (`dux who`) which command this is, and where it works.
  func say(_ program: String, at path: JSONPointer? = nil) {
    var state: JSONObject = ["program": .string(program)]
    if let text = path?.description, text.utf8.count <= Self.longestSaidPath {
      state["path"] = .string(text)
    }
    setPresence(.object(state))
  }

  /// A longer path says nothing to people, and one of 4 KiB would be refused.
  private static let longestSaidPath = 500
}
