/// A line in which text is typed.
///
/// What is typed is a ``Draft`` that the program holds. The part around the cursor is shown where the
/// field is too narrow for all.
public struct TextField: DrawnView {
  /// What is shown of the text.
  public enum Entry: Hashable, Sendable {
    /// The text.
    case plain
    /// A dot for each character.
    case secure
  }

  private let draft: Draft
  private let placeholder: String
  private let entry: Entry
  private let isFocused: Bool

  /// Shows a draft; the terminal's cursor is in it if it is the one that keys go to.
  public init(
    _ draft: Draft, placeholder: String = "", entry: Entry = .plain, isFocused: Bool = true
  ) {
    self.draft = draft
    self.placeholder = placeholder
    self.entry = entry
    self.isFocused = isFocused
  }

  /// Shows a draft that is read through a binding.
  public init(
    _ draft: Binding<Draft>, placeholder: String = "", entry: Entry = .plain,
    isFocused: Bool = true
  ) {
    self.init(draft.value, placeholder: placeholder, entry: entry, isFocused: isFocused)
  }

  /// How many columns it wants.
  public var width: Extent { .flexible(min: 2, ideal: 20) }
  /// How many rows it wants at a width.
  public func height(columns: Int) -> Extent { .fixed(1) }

  /// Draws it.
  public func draw(into canvas: inout Canvas) {
    let columns = canvas.size.columns
    let isEmpty = draft.isEmpty
    canvas.within(
      Rect(row: 0, column: 0, size: Size(columns: columns, rows: 1)),
      style: canvas.theme[isEmpty ? .placeholder : .field]
    ) { canvas in
      canvas.fill()
      if isEmpty { canvas.write(placeholder, row: 0, column: 0) }
      let head = shown(draft.head)
      let before = TextWidth.length(head)
      let start = Self.start(before, columns)
      if !isEmpty { write(from: start, into: &canvas) }
      if isFocused { canvas.showCursor(row: 0, column: before - start) }
    }
  }

  private func write(from start: Int, into canvas: inout Canvas) {
    var column = -start
    for character in draft.text {
      let shown = entry == .secure ? "•" : character
      if column >= canvas.size.columns { return }
      if column > -Size.longest || column + TextWidth.columns(of: shown) > 0 {
        column = canvas.write(String(shown), row: 0, column: column)
      } else {
        column += TextWidth.columns(of: shown)
      }
    }
  }

  private func shown(_ text: Substring) -> String {
    entry == .secure ? String(repeating: "•", count: text.count) : String(text)
  }

  /// The first column that is shown, when the cursor is at another: it changes by half a field at a
  /// time, so that the text stands still while one types.
  private static func start(_ cursor: Int, _ columns: Int) -> Int {
    guard cursor >= columns, columns > 0 else { return 0 }
    let step = max(columns / 2, 1)
    return (cursor - columns + step) / step * step
  }
}

extension TextWidth {
  /// The cells of a line of text, all of them counted.
  static func length(_ text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + columns(of: $1) }
  }
}
