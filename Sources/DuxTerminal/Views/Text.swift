/// Text in one or several styles.
///
/// It is broken between words, and within one where that is too long; a line feed begins a line.
/// Where there are too few rows or columns, an `…` stands for what is missing. Nothing in it can move
/// the cursor: control characters are shown as pictures, or as `�`.
public struct Text: DrawnView, Hashable, Sendable {
  private struct Span: Hashable, Sendable {
    var text: String
    var role: Role?
    var style: TextStyle
  }

  private var spans: [Span]
  private var limit = Size.longest
  private var truncation = Truncation.tail
  private var alignment = HorizontalAlignment.leading

  /// Makes text in the style around it.
  public init(_ text: some StringProtocol) {
    spans = [Span(text: String(text), role: nil, style: .plain)]
  }

  /// One text right after another, each in its styles.
  public static func + (left: Text, right: Text) -> Text {
    var sum = left
    sum.spans += right.spans
    return sum
  }

  /// What it says.
  public var text: String { spans.map(\.text).joined() }

  /// Stronger.
  public func bold() -> Text { with { $0.style.attributes.insert(.bold) } }
  /// Fainter.
  public func dim() -> Text { with { $0.style.attributes.insert(.dim) } }
  /// Slanted.
  public func italic() -> Text { with { $0.style.attributes.insert(.italic) } }
  /// With a line below.
  public func underline() -> Text { with { $0.style.attributes.insert(.underline) } }
  /// With both colours exchanged.
  public func reversed() -> Text { with { $0.style.attributes.insert(.reverse) } }
  /// In a colour of its own.
  public func foreground(_ color: Color) -> Text { with { $0.style.foreground = color } }
  /// On a colour of its own.
  public func background(_ color: Color) -> Text { with { $0.style.background = color } }
  /// In the look of a role.
  public func role(_ role: Role) -> Text { with { $0.role = role } }

  /// In at most so many lines.
  public func lines(_ limit: Int) -> Text {
    var text = self
    text.limit = max(limit, 1)
    return text
  }

  /// In one line, with an `…` where something is left out.
  public func truncated(_ part: Truncation = .tail) -> Text {
    var text = lines(1)
    text.truncation = part
    return text
  }

  /// With lines shorter than the longest at another border.
  public func aligned(_ alignment: HorizontalAlignment) -> Text {
    var text = self
    text.alignment = alignment
    return text
  }

  private func with(_ change: (inout Span) -> Void) -> Text {
    var text = self
    for index in text.spans.indices { change(&text.spans[index]) }
    return text
  }
}

extension Text {
  /// How many columns it wants.
  public var width: Extent {
    if let columns = plainColumns {
      return Extent(min: min(columns, 1), ideal: columns, max: columns)
    }
    let paragraphs = paragraphs(.standard, .plain)
    let widest =
      limit == 1
      ? (paragraphs.first?.columns ?? 0) + (paragraphs.count > 1 ? 1 : 0)
      : paragraphs.map(\.columns).max() ?? 0
    return Extent(min: min(widest, 1), ideal: widest, max: widest)
  }

  /// How many rows it wants at a width.
  public func height(columns: Int) -> Extent {
    if limit == 1 || plainColumns.map({ $0 <= columns }) == true { return .fixed(1) }
    let count = lines(columns, .standard, .plain).count
    return Extent(min: min(count, 1), ideal: count, max: count)
  }

  /// Draws it.
  public func draw(into canvas: inout Canvas) {
    guard canvas.size.rows > 0 else { return }
    let columns = canvas.size.columns
    var lines = lines(columns, canvas.theme, canvas.style)
    if lines.count > canvas.size.rows {
      lines.removeSubrange(canvas.size.rows...)
      let last = lines.count - 1
      lines[last] = lines[last].ended(at: columns)
    }
    for (row, line) in lines.enumerated() {
      canvas.write(line, row: row, column: alignment.offset(line.columns, in: columns))
    }
  }

  /// The columns of text that is one short line of printable ASCII, as most is: found without looking
  /// at characters.
  private var plainColumns: Int? {
    var columns = 0
    for span in spans {
      let bytes = span.text.utf8
      columns += bytes.count
      guard columns <= Size.longest, bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
        return nil
      }
    }
    return columns
  }

  /// The lines between line feeds.
  private func paragraphs(_ theme: Theme, _ around: TextStyle) -> [StyledLine] {
    var lines = [StyledLine()]
    for span in spans {
      let style = around.overlaid(with: span.role.map { theme[$0] } ?? .plain)
        .overlaid(with: span.style)
      for character in span.text {
        guard character.isNewline, !["\u{B}", "\u{C}", "\r"].contains(character) else {
          let last = lines.count - 1
          if lines[last].columns <= Size.longest { lines[last].append(character, style: style) }
          continue
        }
        if lines.count >= Size.longest { return lines }
        lines.append(StyledLine())
      }
    }
    return lines
  }

  /// The lines as they are drawn at a width.
  private func lines(_ columns: Int, _ theme: Theme, _ around: TextStyle) -> [StyledLine] {
    let paragraphs = paragraphs(theme, around)
    if limit == 1 {
      let line = paragraphs.first.map { $0.truncated(to: columns, truncation) }
      guard paragraphs.count > 1 else { return line.map { [$0] } ?? [] }
      return line.map { [$0.ended(at: columns)] } ?? []
    }
    var lines: [StyledLine] = []
    for paragraph in paragraphs where lines.count <= limit {
      lines += paragraph.wrapped(columns)
    }
    if lines.count > limit {
      lines.removeSubrange(limit...)
      lines[limit - 1] = lines[limit - 1].ended(at: columns)
    }
    return lines
  }
}
