/// Where parts of a view came to lie when it was drawn.
///
/// A grid carries it so that a program can tell what was clicked, and learns how many rows its lists
/// had room for.
public struct Layout: Hashable, Sendable {
  /// The lists that were drawn, by their names.
  public internal(set) var viewports: [String: Viewport] = [:]
  private(set) var areas: [Area] = []

  struct Area: Hashable, Sendable {
    var rect: Rect
    var target: Target
  }

  /// Nothing was drawn.
  public init() {}

  /// What lies at a place: what was drawn last of all that was named there.
  public func target(at position: Position) -> Target? {
    areas.last { $0.rect.contains(position) }?.target
  }

  /// The row of a list, or the place of a tab, that was clicked with the left button; `nil` for whatever
  /// else came from the terminal.
  public func clickedRow(of name: String, by event: InputEvent) -> Int? {
    guard case .mouse(let mouse) = event, mouse.action == .press(.left),
      let target = target(at: mouse.position), target.name == name
    else { return nil }
    return target.row
  }

  mutating func add(_ target: Target, at rect: Rect) {
    guard rect.size.rows > 0, rect.size.columns > 0 else { return }
    areas.append(Area(rect: rect, target: target))
  }
}

/// What a view or a row of a list is called, for clicks.
public struct Target: Hashable, Sendable {
  /// The name that the view was given.
  public var name: String
  /// The row, in lists and tables.
  public var row: Int?

  /// Names a view, or a row of it.
  public init(_ name: String, row: Int? = nil) {
    self.name = name
    self.row = row
  }
}

/// The part of a list that was drawn.
public struct Viewport: Hashable, Sendable {
  /// The first row that is seen.
  public var top: Int
  /// How many rows there is room for.
  public var height: Int
}
