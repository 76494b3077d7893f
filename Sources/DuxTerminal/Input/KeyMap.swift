/// Which keys do what, with a line of help for each.
///
/// ```swift
/// let keys = KeyMap<Command> {
///   KeyMap.Entry(.add, "Add a todo", "a", .control("n"))
///   KeyMap.Entry(.quit, "Quit", "q")
/// }
/// ```
public struct KeyMap<Command: Sendable>: Sendable {
  /// Keys that do the same.
  public struct Entry: Sendable {
    /// What they do.
    public let command: Command
    /// What they do, in a few words.
    public let help: String
    /// The keys; the first is the one that is shown where there is room for one.
    public let keys: [Key]
    /// The text shown in place of the keys, such as `1…9`.
    public let label: String

    /// Gives keys a command.
    public init(_ command: Command, _ help: String, _ keys: Key..., label: String? = nil) {
      self.command = command
      self.help = help
      self.keys = keys
      self.label = label ?? keys.map(\.description).joined(separator: " ")
    }
  }

  /// What builds a map.
  @resultBuilder public enum Builder {
    /// One entry.
    public static func buildExpression(_ entry: Entry) -> [Entry] { [entry] }
    /// All entries of another map.
    public static func buildExpression(_ map: KeyMap) -> [Entry] { map.entries }
    /// Entries one after the other.
    public static func buildBlock(_ parts: [Entry]...) -> [Entry] { parts.flatMap(\.self) }
    /// Entries that may be missing.
    public static func buildOptional(_ part: [Entry]?) -> [Entry] { part ?? [] }
    /// One of two.
    public static func buildEither(first part: [Entry]) -> [Entry] { part }
    /// One of two.
    public static func buildEither(second part: [Entry]) -> [Entry] { part }
    /// Entries of a loop.
    public static func buildArray(_ parts: [[Entry]]) -> [Entry] { parts.flatMap(\.self) }
  }

  /// The entries, in the order in which help shows them.
  public let entries: [Entry]
  private let places: [Key: Int]

  /// Makes a map; of two entries with the same key the first has it.
  public init(_ entries: [Entry]) {
    self.entries = entries
    var places: [Key: Int] = [:]
    for (place, entry) in entries.enumerated() {
      for key in entry.keys where places[key] == nil { places[key] = place }
    }
    self.places = places
  }

  /// Makes a map of the entries in a block.
  public init(@Builder _ entries: () -> [Entry]) {
    self.init(entries())
  }

  /// What a key does; `nil` for a key that does nothing.
  ///
  /// - Complexity: O(1).
  public subscript(key: Key) -> Command? {
    places[key].map { entries[$0].command }
  }

  /// What an event does; `nil` for one that is no key, or does nothing.
  public subscript(event: InputEvent) -> Command? {
    if case .key(let key) = event { self[key] } else { nil }
  }

  /// A line for each entry: its keys, and what they do.
  public var help: [(keys: String, help: String)] {
    entries.map { ($0.label, $0.help) }
  }
}
