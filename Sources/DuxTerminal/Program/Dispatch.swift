/// The way to dispatch an action, for whoever is not to know the store.
///
/// Any two are equal, so that properties which hold one differ only where what is shown differs.
public struct Dispatch<Action>: Sendable, Equatable {
  private let body: @Sendable (Action) -> Void

  /// Makes one that does what `body` does.
  public init(_ body: @escaping @Sendable (Action) -> Void) {
    self.body = body
  }

  /// Dispatches an action.
  public func callAsFunction(_ action: Action) {
    body(action)
  }

  /// The way for a part, whose actions are wrapped in those of the whole.
  public func map<Part>(_ wrap: @escaping @Sendable (Part) -> Action) -> Dispatch<Part> {
    Dispatch<Part> { [body] in body(wrap($0)) }
  }

  /// True: see the type.
  public static func == (left: Dispatch, right: Dispatch) -> Bool { true }
}
