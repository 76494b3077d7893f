/// Views side by side.
public struct HStack: DrawnView {
  private let layout: StackLayout
  private let alignment: VerticalAlignment

  /// Puts views in a row, with so many blank columns between two.
  public init(
    alignment: VerticalAlignment = .top, spacing: Int = 1, @ViewBuilder _ content: () -> ViewGroup
  ) {
    layout = StackLayout(axis: .horizontal, children: content().children, spacing: spacing)
    self.alignment = alignment
  }

  /// How many columns it wants.
  public var width: Extent { layout.width }
  /// How many rows it wants at a width.
  public func height(columns: Int) -> Extent { layout.height(columns: columns) }
  /// Draws it.
  public func draw(into canvas: inout Canvas) {
    layout.draw(into: &canvas, Alignment(.leading, alignment))
  }
}

/// Views one below the other.
public struct VStack: DrawnView {
  private let layout: StackLayout
  private let alignment: HorizontalAlignment

  /// Puts views in a column, with so many blank rows between two.
  ///
  /// All of them are made and measured; for rows without number there is ``List``.
  public init(
    alignment: HorizontalAlignment = .leading, spacing: Int = 0,
    @ViewBuilder _ content: () -> ViewGroup
  ) {
    layout = StackLayout(axis: .vertical, children: content().children, spacing: spacing)
    self.alignment = alignment
  }

  /// How many columns it wants.
  public var width: Extent { layout.width }
  /// How many rows it wants at a width.
  public func height(columns: Int) -> Extent { layout.height(columns: columns) }
  /// Draws it.
  public func draw(into canvas: inout Canvas) {
    layout.draw(into: &canvas, Alignment(alignment, .top))
  }
}

/// Views one upon the other, the last on top.
public struct ZStack: DrawnView {
  private let children: [any DrawnView]
  private let alignment: Alignment

  /// Lays views upon each other.
  public init(alignment: Alignment = .topLeading, @ViewBuilder _ content: () -> ViewGroup) {
    children = content().children
    self.alignment = alignment
  }

  /// How many columns it wants.
  public var width: Extent { children.reduce(.fixed(0)) { $0.covering($1.width) } }

  /// How many rows it wants at a width.
  public func height(columns: Int) -> Extent {
    children.reduce(.fixed(0)) {
      $0.covering($1.height(columns: min(columns, $1.width.max)))
    }
  }

  /// Draws it.
  public func draw(into canvas: inout Canvas) {
    for child in children {
      let place = alignment.place(child.size(in: canvas.size), in: canvas.size)
      canvas.within(place) { child.draw(into: &$0) }
    }
  }
}

/// Room that nothing else wants, along the stack it stands in.
public struct Spacer: DrawnView {
  private let least: Int

  /// Makes room of at least so many cells.
  public init(min: Int = 0) { least = min }

  /// How many columns it wants.
  public var width: Extent { .flexible(min: least) }
  /// How many rows it wants at a width.
  public func height(columns: Int) -> Extent { .flexible(min: least) }
  /// Lower than others': they grow first.
  public var priority: Int { -1 }
  /// Draws it.
  public func draw(into canvas: inout Canvas) {}
}

/// A line between views.
public struct Divider: DrawnView {
  /// Where a line runs.
  public enum Direction: Hashable, Sendable {
    case horizontal, vertical
  }

  private let direction: Direction

  /// Makes a line: horizontal between the rows of a ``VStack``, vertical between columns.
  public init(_ direction: Direction = .horizontal) { self.direction = direction }

  /// How many columns it wants.
  public var width: Extent { direction == .vertical ? .fixed(1) : .flexible(min: 1) }
  /// How many rows it wants at a width.
  public func height(columns: Int) -> Extent {
    direction == .horizontal ? .fixed(1) : .flexible(min: 1)
  }
  /// Draws it.
  public func draw(into canvas: inout Canvas) {
    canvas.fill(direction == .horizontal ? "─" : "│", style: canvas.theme[.border])
  }
}
