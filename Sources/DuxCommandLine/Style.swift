/// Emphasis for terminals; where it is off, texts stay as they are.
package struct Style: Equatable, Sendable {
  /// The colours a text can have: the eight that every terminal knows, as its user set them.
  package enum Colour: Int, CaseIterable, Sendable {
    /// For refusals and what is removed.
    case red = 31
    /// For success and what is added.
    case green = 32
    /// For warnings and what is replaced.
    case yellow = 33
    /// For names.
    case blue = 34
    /// For what stands out among names.
    case magenta = 35
    /// For places, such as paths.
    case cyan = 36
  }

  private let isOn: Bool

  /// Emphasis by escape sequences.
  package static let terminal = Style(isOn: true)
  /// No emphasis.
  package static let plain = Style(isOn: false)

  /// The text in bold letters.
  package func bold(_ text: String) -> String {
    wrapped(text, "1")
  }

  /// The text in faint letters.
  package func faint(_ text: String) -> String {
    wrapped(text, "2")
  }

  /// The text in a colour.
  package func coloured(_ text: String, _ colour: Colour) -> String {
    wrapped(text, String(colour.rawValue))
  }

  /// The title of a section.
  func heading(_ text: String) -> String {
    bold(text)
  }

  private func wrapped(_ text: String, _ code: String) -> String {
    isOn && !text.isEmpty ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }
}
