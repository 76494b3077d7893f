/// A key that was pressed, with what was held down meanwhile.
///
/// Terminals tell fewer keys apart than keyboards have: Ctrl-I is Tab, Ctrl-M is Enter, and Shift with a
/// letter is the capital, with no ``shift``.
public struct Key: Hashable, Sendable {
  /// Which key.
  public enum Code: Hashable, Sendable {
    /// What the key types; for Ctrl with a letter, the small letter.
    case character(Character)
    /// Enter or Return.
    case enter
    /// Escape, by itself.
    case escape
    /// Tab.
    case tab
    /// Shift-Tab.
    case backTab
    /// The key that deletes to the left.
    case backspace
    /// The key that deletes to the right.
    case delete
    /// Insert.
    case insert
    /// An arrow.
    case up
    /// An arrow.
    case down
    /// An arrow.
    case left
    /// An arrow.
    case right
    /// Home.
    case home
    /// End.
    case end
    /// Page up.
    case pageUp
    /// Page down.
    case pageDown
    /// F1 and so on.
    case function(Int)
  }

  /// Which key.
  public var code: Code
  /// Whether Ctrl was held down.
  public var control: Bool
  /// Whether Alt was held down, or Escape came right before.
  public var alt: Bool
  /// Whether Shift was held down, where that does not show in ``code``.
  public var shift: Bool

  /// Makes a key.
  public init(_ code: Code, control: Bool = false, alt: Bool = false, shift: Bool = false) {
    self.code = code
    self.control = control
    self.alt = alt
    self.shift = shift
  }

  /// A key with Ctrl, such as `.control("c")`.
  public static func control(_ character: Character) -> Key {
    Key(.character(character), control: true)
  }

  /// A key with Alt, such as `.alt("x")`.
  public static func alt(_ character: Character) -> Key {
    Key(.character(character), alt: true)
  }

  /// A key that types a character.
  public static func character(_ character: Character) -> Key {
    Key(.character(character))
  }

  /// The character that a text would take up; `nil` for a key that is held with Ctrl or Alt, or that
  /// types nothing.
  public var typed: Character? {
    guard case .character(let character) = code, !control, !alt else { return nil }
    return character
  }
}

extension Key: ExpressibleByExtendedGraphemeClusterLiteral {
  /// A key that types a character.
  public init(extendedGraphemeClusterLiteral character: Character) {
    self.init(.character(character))
  }
}

extension Key: CustomStringConvertible {
  /// The key as people write it, such as `q`, `Ctrl-C` or `Shift-Up`.
  public var description: String {
    var held = ""
    if control { held += "Ctrl-" }
    if alt { held += "Alt-" }
    if shift { held += "Shift-" }
    return held + name
  }

  private var name: String {
    switch code {
    case .character(" "): "Space"
    case .character(let character): control ? character.uppercased() : String(character)
    case .enter: "Enter"
    case .escape: "Esc"
    case .tab: "Tab"
    case .backTab: "Shift-Tab"
    case .backspace: "Backspace"
    case .delete: "Del"
    case .insert: "Ins"
    case .up: "Up"
    case .down: "Down"
    case .left: "Left"
    case .right: "Right"
    case .home: "Home"
    case .end: "End"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .function(let number): "F\(number)"
    }
  }
}
