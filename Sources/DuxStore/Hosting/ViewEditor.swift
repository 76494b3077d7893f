import DuxJSON

/// What carries out actions on the view of an app, without making the next state first.
///
/// The result is what reducing, seeing and comparing would come to: the same view and the same patch.
/// A replay, which reduces, relies on that. Where it can't be promised the editor declines.
struct ViewEditor<State: Sendable>: Sendable {
  /// Carries out one action where the view lies, and tells what changed, and what undoes it.
  ///
  /// It returns nothing, and leaves the view what it was, where the action has to be reduced: be it to
  /// refuse it, or since it may touch a member of the view whose name begins with `@`.
  typealias Edit = @Sendable (WireAction, inout JSON) -> PlaceChange?

  /// How an action is carried out.
  let edit: Edit
  /// Whether the view of a state may be edited, now and until a state is reduced again.
  let isOpen: @Sendable (State) -> Bool
  /// The state that an edited view is the view of.
  let state: @Sendable (JSON) -> State
}

/// An app whose state is its view, more or less, so that actions can be carried out on that.
protocol ViewEditable: App {
  /// Makes what carries out actions on the view; nothing where all must be reduced.
  ///
  /// - Parameter limits: how large the view may become.
  /// - Returns: the editor.
  func viewEditor(within limits: StateLimits) -> ViewEditor<State>?
}

extension App {
  /// The app's editor, if it has one.
  func editorOfView(within limits: StateLimits) -> ViewEditor<State>? {
    func editor(of app: some ViewEditable) -> ViewEditor<State>? {
      app.viewEditor(within: limits) as? ViewEditor<State>
    }
    return (self as? any ViewEditable).flatMap { editor(of: $0) }
  }
}
