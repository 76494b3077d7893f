/// Reads a list of views, with `if`, `switch` and `for` among them.
@resultBuilder
public enum ViewBuilder {
  /// One view, or the several that it consists of.
  public static func buildExpression(_ view: some View) -> [any DrawnView] {
    let drawn = view.drawn
    return (drawn as? ViewGroup)?.children ?? [drawn]
  }

  /// One view of a type that is not known.
  public static func buildExpression(_ view: any View) -> [any DrawnView] {
    let drawn = view.drawn
    return (drawn as? ViewGroup)?.children ?? [drawn]
  }

  /// Those of all lines.
  public static func buildBlock(_ parts: [any DrawnView]...) -> [any DrawnView] {
    parts.count == 1 ? parts.first ?? [] : Array(parts.joined())
  }

  /// Those of an `if` without `else`.
  public static func buildOptional(_ part: [any DrawnView]?) -> [any DrawnView] { part ?? [] }

  /// Those of the first branch.
  public static func buildEither(first part: [any DrawnView]) -> [any DrawnView] { part }

  /// Those of the second branch.
  public static func buildEither(second part: [any DrawnView]) -> [any DrawnView] { part }

  /// Those of all turns of a loop.
  public static func buildArray(_ parts: [[any DrawnView]]) -> [any DrawnView] {
    Array(parts.joined())
  }

  /// All of them.
  public static func buildFinalResult(_ views: [any DrawnView]) -> ViewGroup { ViewGroup(views) }
}

/// Views that stand where one is expected.
///
/// A stack takes them as its own; anywhere else they stand one below the other.
public struct ViewGroup: DrawnView {
  let children: [any DrawnView]

  init(_ children: [any DrawnView]) { self.children = children }

  /// Makes a group.
  public init(@ViewBuilder _ content: () -> ViewGroup) { self = content() }

  /// The only view, or the group.
  public var drawn: any DrawnView {
    children.count == 1 ? children.first ?? self : self
  }

  private var stack: StackLayout {
    StackLayout(axis: .vertical, children: children, spacing: 0)
  }

  /// How many columns it wants.
  public var width: Extent { stack.width }
  /// How many rows it wants at a width.
  public func height(columns: Int) -> Extent { stack.height(columns: columns) }
  /// Draws it.
  public func draw(into canvas: inout Canvas) { stack.draw(into: &canvas, .topLeading) }
}

/// Nothing.
public struct EmptyView: View {
  /// Makes nothing.
  public init() {}

  /// Nothing.
  public var body: ViewGroup { ViewGroup([]) }
}

/// A view whose type nobody needs to know.
public struct AnyView: View {
  private let view: any DrawnView

  /// Hides the type of a view.
  public init(_ view: some View) { self.view = view.drawn }

  /// The view within.
  public var body: ViewGroup { ViewGroup([view]) }
}
