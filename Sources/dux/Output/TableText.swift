import DuxCommandLine
import DuxTerminal

/// Rows under a header, each column as wide as its widest cell.
struct TableText {
  /// A piece of text, in a colour where it should stand out.
  struct Cell {
    let text: String
    var colour: Style.Colour?

    init(_ text: String, _ colour: Style.Colour? = nil) {
      self.text = text
      self.colour = colour
    }
  }

  let style: Style
  /// Columns of the terminal; the last cell of a row is cut to what is left of them.
  let columns: Int

  private static let gap = 2
  /// Room that the last cell has at least.
  private static let narrowestRest = 20

  /// The lines of a table; rows have as many cells as the header.
  func lines(header: [String], rows: [[Cell]]) -> [String] {
    let widths = header.indices.map { column in
      rows.reduce(header[column].count) { max($0, TextWidth.columns(of: $1[column].text)) }
    }
    let head = line(header.map { Cell($0) }, widths)
    return [style.bold(head)] + rows.map { line($0, widths) }
  }

  private func line(_ cells: [Cell], _ widths: [Int]) -> String {
    var line = ""
    var used = 0
    // Blanks come before the next cell, so that no line ends with any.
    var blanks = 0
    for (index, cell) in cells.enumerated() {
      let isLast = index == cells.count - 1
      let text = isLast ? cell.text.cut(to: max(Self.narrowestRest, columns - used)) : cell.text
      if !text.isEmpty {
        line += String(repeating: " ", count: blanks)
        line += cell.colour.map { style.coloured(text, $0) } ?? text
        blanks = 0
      }
      blanks += widths[index] - TextWidth.columns(of: text) + Self.gap
      used += widths[index] + Self.gap
    }
    return line
  }
}
