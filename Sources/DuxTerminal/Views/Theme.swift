/// What a part of the screen means, from which follows how it looks.
public enum Role: Hashable, Sendable, CaseIterable {
  /// Text, as most is.
  case normal
  /// What matters less.
  case secondary
  /// What a thing is called.
  case title
  /// What can be acted on, or is on.
  case accent
  /// What went well.
  case success
  /// What may need attention.
  case warning
  /// What went wrong.
  case failure
  /// What has just changed.
  case changed
  /// The row or the part that keys act on.
  case selection
  /// The row that is selected where keys go elsewhere.
  case idleSelection
  /// Lines around and between.
  case border
  /// Where text can be typed.
  case field
  /// What stands in an empty field.
  case placeholder
  /// The line of the program's own at the border of the screen.
  case status
}

/// How each role looks.
///
/// Roles that must be told apart differ in more than colours, or the views that use them write a sign
/// beside: without colours nothing is lost.
public struct Theme: Hashable, Sendable {
  private var styles: [Role: TextStyle]

  /// Makes a theme; a role that is missing looks like the text around it.
  public init(_ styles: [Role: TextStyle]) { self.styles = styles }

  /// The look of a role.
  public subscript(role: Role) -> TextStyle {
    get { styles[role] ?? .plain }
    set { styles[role] = newValue }
  }

  /// The colours of the terminal's owner: the basic sixteen, backgrounds left alone.
  public static let standard = Theme([
    .secondary: TextStyle(attributes: .dim),
    .title: TextStyle(attributes: .bold),
    .accent: TextStyle(foreground: .basic(.cyan), attributes: .bold),
    .success: TextStyle(foreground: .basic(.green)),
    .warning: TextStyle(foreground: .basic(.yellow), attributes: .bold),
    .failure: TextStyle(foreground: .basic(.red), attributes: .bold),
    .changed: TextStyle(foreground: .basic(.yellow), attributes: .bold),
    .selection: TextStyle(attributes: .reverse),
    .idleSelection: TextStyle(attributes: [.bold, .underline]),
    .border: TextStyle(attributes: .dim),
    .field: TextStyle(attributes: .underline),
    .placeholder: TextStyle(attributes: [.dim, .underline]),
    .status: TextStyle(attributes: .reverse),
  ])
}
