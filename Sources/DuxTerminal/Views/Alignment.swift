/// Where something narrower stands in a column.
public enum HorizontalAlignment: Hashable, Sendable {
  case leading, center, trailing
}

/// Where something lower stands in a row.
public enum VerticalAlignment: Hashable, Sendable {
  case top, center, bottom
}

/// Where something smaller stands in a rectangle.
public struct Alignment: Hashable, Sendable {
  /// From left to right.
  public var horizontal: HorizontalAlignment
  /// From top to bottom.
  public var vertical: VerticalAlignment

  /// Makes an alignment.
  public init(_ horizontal: HorizontalAlignment, _ vertical: VerticalAlignment) {
    self.horizontal = horizontal
    self.vertical = vertical
  }

  /// At the upper left.
  public static let topLeading = Alignment(.leading, .top)
  /// In the middle of the upper border.
  public static let top = Alignment(.center, .top)
  /// At the upper right.
  public static let topTrailing = Alignment(.trailing, .top)
  /// In the middle of the left border.
  public static let leading = Alignment(.leading, .center)
  /// In the middle.
  public static let center = Alignment(.center, .center)
  /// In the middle of the right border.
  public static let trailing = Alignment(.trailing, .center)
  /// At the lower left.
  public static let bottomLeading = Alignment(.leading, .bottom)
  /// In the middle of the lower border.
  public static let bottom = Alignment(.center, .bottom)
  /// At the lower right.
  public static let bottomTrailing = Alignment(.trailing, .bottom)

  /// Where something of a size lies in something of another.
  func place(_ size: Size, in room: Size) -> Rect {
    Rect(
      row: vertical.offset(size.rows, in: room.rows),
      column: horizontal.offset(size.columns, in: room.columns), size: size)
  }
}

extension HorizontalAlignment {
  func offset(_ length: Int, in room: Int) -> Int {
    switch self {
    case .leading: 0
    case .center: max(room - length, 0) / 2
    case .trailing: max(room - length, 0)
    }
  }
}

extension VerticalAlignment {
  func offset(_ length: Int, in room: Int) -> Int {
    switch self {
    case .top: 0
    case .center: max(room - length, 0) / 2
    case .bottom: max(room - length, 0)
    }
  }
}
