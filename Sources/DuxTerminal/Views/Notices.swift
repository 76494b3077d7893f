/// What somebody should know, in a box or a line.
public struct Banner: View {
  /// How much it matters; each kind has a sign of its own.
  public enum Kind: Hashable, Sendable {
    case notice, success, warning, failure
  }

  private let text: String
  private let kind: Kind

  /// Says something.
  public init(_ text: String, _ kind: Kind = .notice) {
    self.text = text
    self.kind = kind
  }

  /// The sign and the text.
  public var body: some View {
    HStack {
      Text(sign).role(role)
      Text(text).role(role).priority(-1)
    }
    .padding(horizontal: 1)
  }

  private var sign: String {
    switch kind {
    case .notice: "i"
    case .success: "✓"
    case .warning: "!"
    case .failure: "✗"
    }
  }

  private var role: Role {
    switch kind {
    case .notice: .accent
    case .success: .success
    case .warning: .warning
    case .failure: .failure
    }
  }
}

/// The names of screens, the one that is seen marked.
public struct Tabs: View {
  private let titles: [String]
  private let selected: Int
  private let name: String

  /// Shows tabs; a click on one is told by the name and its place.
  public init(_ titles: [String], selected: Int, name: String = "tabs") {
    self.titles = titles
    self.selected = selected
    self.name = name
  }

  /// The titles.
  public var body: some View {
    HStack(spacing: 1) {
      for (index, title) in titles.enumerated() {
        if index == selected {
          Text("[\(title)]").role(.accent).truncated().target(Target(name, row: index)).priority(1)
        } else {
          Text(" \(title) ").truncated().target(Target(name, row: index))
        }
      }
    }
  }
}

/// A line of a tree: indented by its depth, with a sign that says whether something is below.
public struct TreeRow: View {
  /// Whether something is below a line, and seen.
  public enum Disclosure: Hashable, Sendable {
    case leaf, closed, open
  }

  private let depth: Int
  private let disclosure: Disclosure
  private let content: ViewGroup

  /// Makes a line.
  public init(
    depth: Int, _ disclosure: Disclosure = .leaf, @ViewBuilder _ content: () -> ViewGroup
  ) {
    self.depth = min(max(depth, 0), Size.longest / 2)
    self.disclosure = disclosure
    self.content = content()
  }

  /// The indent, the sign and the content.
  public var body: some View {
    HStack(spacing: 0) {
      Text(String(repeating: " ", count: depth * 2))
      Text(sign).role(.secondary)
      HStack { content }.priority(1)
    }
  }

  private var sign: String {
    switch disclosure {
    case .leaf: "  "
    case .closed: "▸ "
    case .open: "▾ "
    }
  }
}

/// Keys and what they do: all of them in columns of lines, for a ``View/sheet(_:_:)``.
public struct KeyHelp: View {
  private let lines: [(keys: String, help: String)]

  /// Shows the help lines of a ``KeyMap``.
  public init(_ lines: [(keys: String, help: String)]) { self.lines = lines }

  /// The lines.
  public var body: some View {
    let widest = lines.map { TextWidth.columns(of: $0.keys) }.max() ?? 0
    VStack {
      for line in lines {
        HStack(spacing: 2) {
          Text(line.keys).role(.accent).truncated().frame(width: widest)
          Text(line.help).priority(1)
        }
      }
    }
  }
}

/// Keys and what they do in one line: as many as there is room for.
///
/// The last two, by custom those for help and for quitting, are kept for as long as there is room for
/// anything.
public struct KeyHints: DrawnView {
  private let lines: [(keys: String, help: String)]

  private static let gap = 2
  private static let keptCount = 2

  /// Shows the help lines of a ``KeyMap``, the first ones first.
  public init(_ lines: [(keys: String, help: String)]) { self.lines = lines }

  /// How many columns it wants.
  public var width: Extent {
    Extent(ideal: max(0, Self.length(of: lines[...]) - Self.gap), max: Extent.unlimited)
  }

  /// How many rows it wants at a width.
  public func height(columns: Int) -> Extent { .fixed(1) }

  /// Draws it.
  public func draw(into canvas: inout Canvas) {
    let kept = lines.suffix(Self.keptCount)
    let room = canvas.size.columns - (Self.length(of: kept) - Self.gap)
    let column = draw(lines.dropLast(kept.count), from: 0, before: room, into: &canvas)
    _ = draw(kept, from: column, before: canvas.size.columns + Self.gap, into: &canvas)
  }

  /// Draws lines up to the first that has no room.
  ///
  /// - Returns: the column behind them and a gap.
  private func draw(
    _ lines: ArraySlice<(keys: String, help: String)>, from start: Int, before end: Int,
    into canvas: inout Canvas
  ) -> Int {
    var column = start
    for line in lines {
      guard column + Self.length(of: [line]) <= end else { break }
      column = canvas.write(line.keys, row: 0, column: column, style: canvas.theme[.accent])
      column = canvas.write(line.help, row: 0, column: column + 1, style: canvas.theme[.secondary])
      column += Self.gap
    }
    return column
  }

  /// The columns of lines, with a gap behind each.
  private static func length(of lines: ArraySlice<(keys: String, help: String)>) -> Int {
    lines.reduce(0) {
      $0 + TextWidth.columns(of: $1.keys) + 1 + TextWidth.columns(of: $1.help) + gap
    }
  }
}
