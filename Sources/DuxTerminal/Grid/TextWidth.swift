/// How many cells text takes.
public enum TextWidth {
  /// The cells of a line of text; counting ends beyond ``Size/longest``, however long the text is.
  ///
  /// See ``Text`` for how text becomes cells.
  public static func columns(of text: some StringProtocol) -> Int {
    var columns = 0
    for character in text {
      columns += Self.columns(of: character)
      if columns > Size.longest { break }
    }
    return columns
  }

  /// The cells of one character: none where it is invisible, more than two for some of the scripts
  /// of India.
  public static func columns(of character: Character) -> Int {
    var columns = 0
    TextUnit.forEach(in: character) { columns += $0.width }
    return columns
  }

  /// The text, cut to a number of cells at a border of characters, with `…` where something was cut.
  ///
  /// What comes out is for people: control characters are shown as ``Text`` shows them.
  public static func truncated(_ text: some StringProtocol, to columns: Int) -> String {
    StyledLine(String(text)).truncated(to: columns).text
  }
}
