import Synchronization

/// What a slice is called, by its place in the state.
enum PlaceName {
  private struct Place: Hashable, Sendable {
    let path: any AnyKeyPath & Sendable

    static func == (left: Place, right: Place) -> Bool {
      left.path as AnyKeyPath == right.path as AnyKeyPath
    }

    func hash(into hasher: inout Hasher) { (path as AnyKeyPath).hash(into: &hasher) }
  }

  private static let names = Mutex<[Place: String]>([:])

  /// The names of the stored properties on the way, joined by dots; empty where a part of the way
  /// is no stored property, and has no name.
  ///
  /// - Complexity: O(1) but for the first time.
  static func of(_ path: any AnyKeyPath & Sendable) -> String {
    let place = Place(path: path)
    if let name = names.withLock({ $0[place] }) { return name }
    let name = spelled(path)
    names.withLock { $0[place] = name }
    return name
  }

  /// A path reads `\State.detail?.rows`; a part of it that is computed, `<computed 0x55… (Int)>`.
  private static func spelled(_ path: AnyKeyPath) -> String {
    let root = "\\" + String(describing: type(of: path).rootType) + "."
    let text = path.debugDescription
    guard text.hasPrefix(root) else { return "" }
    let name = text.dropFirst(root.count).filter { $0 != "?" && $0 != "!" }
    return name.contains("<") ? "" : String(name)
  }
}
