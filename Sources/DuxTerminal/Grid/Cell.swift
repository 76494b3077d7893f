/// One place of a grid: what is written there, and how.
///
/// Only a ``Grid`` makes cells, so that the halves of wide characters are always together.
public struct Cell: Hashable, Sendable {
  /// What part of what is written the cell holds.
  public enum Part: UInt8, Sendable {
    /// All of it.
    case whole
    /// The left half of something two cells wide; the right half is in the next cell.
    case left
    /// The right half; its text is empty, since who writes the left half has written both.
    case right
  }

  /// What to write: something visible that moves the cursor by one cell, or by two for ``Part/left``.
  ///
  /// How text becomes cells is told in <doc:ViewsAndTests>.
  public let text: String
  /// How it looks.
  public var style: TextStyle
  /// What part of the text is here.
  public let part: Part

  init(text: String, style: TextStyle, part: Part) {
    self.text = text
    self.style = style
    self.part = part
  }

  /// A space in the terminal's own colours.
  public static let blank = Cell(text: " ", style: .plain, part: .whole)

  /// A space in a style.
  static func blank(_ style: TextStyle) -> Cell { Cell(text: " ", style: style, part: .whole) }
}
