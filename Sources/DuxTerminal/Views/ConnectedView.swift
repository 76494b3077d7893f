/// A view of a store's state: `map` picks what it shows, `body` draws it.
///
/// ```swift
/// struct OpenCount: ConnectedView {
///   struct Props: Equatable { var open: Int }
///
///   func map(_ state: Todos.State, dispatch: Dispatch<Todos.Action>) -> Props {
///     Props(open: state.open)
///   }
///
///   func body(_ props: Props) -> some View { Text("\(props.open) open") }
/// }
/// ```
///
/// `map` runs for each state, so it should do no more than pick. Where it gives what it gave before,
/// `body` is not asked and nothing is drawn: see ``Connected``.
public protocol ConnectedView<State, Action> {
  /// The store's state.
  associatedtype State
  /// The store's actions.
  associatedtype Action
  /// What the view shows.
  associatedtype Props: Equatable
  /// What it is made of.
  associatedtype Content: View

  /// Picks what is shown, and how to act on it.
  func map(_ state: State, dispatch: Dispatch<Action>) -> Props
  /// Makes the view of what was picked.
  @ViewBuilder func body(_ props: Props) -> Content
}

extension ConnectedView {
  /// The view of a state, made anew.
  public func view(of state: State, dispatch: Dispatch<Action>) -> Content {
    body(map(state, dispatch: dispatch))
  }
}

/// A connected view with what it showed last, so that equal props cost no body and no drawing.
///
/// A program keeps one for each part of its screen that is worth it.
public final class Connected<Source: ConnectedView> {
  private let source: Source
  private var made: (props: Source.Props, view: any DrawnView)?
  private var drawn: (size: Size, theme: Theme, grid: Grid)?
  /// How often the body was asked for.
  public private(set) var bodyCount = 0
  /// How often a grid was drawn.
  public private(set) var drawCount = 0

  /// Connects a view.
  public init(_ source: Source) { self.source = source }

  /// The view of a state: the last one, where its props are equal.
  public func view(of state: Source.State, dispatch: Dispatch<Source.Action>) -> some View {
    current(state, dispatch)
    return ViewGroup([made?.view].compactMap(\.self))
  }

  /// The cells of a state: the last ones, where props, size and theme are equal.
  public func grid(
    of state: Source.State, dispatch: Dispatch<Source.Action>, size: Size, theme: Theme = .standard
  ) -> Grid {
    let view = current(state, dispatch)
    if let drawn, drawn.size == size, drawn.theme == theme { return drawn.grid }
    drawCount += 1
    let grid = render(ViewGroup([view]), size: size, theme: theme)
    drawn = (size, theme, grid)
    return grid
  }

  @discardableResult
  private func current(
    _ state: Source.State, _ dispatch: Dispatch<Source.Action>
  ) -> any DrawnView {
    let props = source.map(state, dispatch: dispatch)
    if let made, made.props == props { return made.view }
    bodyCount += 1
    let view = source.body(props).drawn
    made = (props, view)
    drawn = nil
    return view
  }
}
