/// How a cell's text looks.
public struct TextStyle: Hashable, Sendable {
  /// The text's colour, or `nil` for the terminal's own.
  public var foreground: Color?
  /// The colour behind it, or `nil` for the terminal's own.
  public var background: Color?
  /// What is on beside the colours.
  public var attributes: Attributes

  /// Switches that may be on together.
  public struct Attributes: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes a set of switches.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Stronger.
    public static let bold = Attributes(rawValue: 1)
    /// Fainter.
    public static let dim = Attributes(rawValue: 2)
    /// Slanted; few terminals have it.
    public static let italic = Attributes(rawValue: 4)
    /// With a line below.
    public static let underline = Attributes(rawValue: 8)
    /// With both colours exchanged.
    public static let reverse = Attributes(rawValue: 16)
  }

  /// Makes a style; without arguments it is the terminal's own.
  public init(
    foreground: Color? = nil, background: Color? = nil, attributes: Attributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// The terminal's own.
  public static let plain = TextStyle()

  /// The bold attribute.
  public var bold: Bool { attributes.contains(.bold) }
  /// The dim attribute.
  public var dim: Bool { attributes.contains(.dim) }
  /// The italic attribute.
  public var italic: Bool { attributes.contains(.italic) }
  /// The underline attribute.
  public var underline: Bool { attributes.contains(.underline) }
  /// The reverse attribute.
  public var reverse: Bool { attributes.contains(.reverse) }

  /// Another style on top of this one: its colours where it has some, and the switches of both.
  public func overlaid(with other: TextStyle) -> TextStyle {
    TextStyle(
      foreground: other.foreground ?? foreground, background: other.background ?? background,
      attributes: attributes.union(other.attributes))
  }

  /// As a terminal shows it that has only so many colours.
  public func resolved(for depth: ColorDepth) -> TextStyle {
    TextStyle(
      foreground: foreground?.resolved(for: depth), background: background?.resolved(for: depth),
      attributes: attributes)
  }
}
