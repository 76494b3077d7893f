import DuxStore

/// What is done on the screen that is seen, whichever it is.
///
/// It names no route, so it can be asked for on a screen that the daemon has not made yet, whose ids nobody
/// knows; a kind of screen that is not seen refuses it.
public enum SeenAction: Codable, Equatable, Sendable {
  case menu(HomeScreen.MenuAction)
  case number(NumberScreen.Action)
  case step(SignUpStep.Action)

  /// The same for the route that is seen.
  ///
  /// - Throws: a `Rejection` with the reason `target_gone` where there is no such screen.
  func addressed(in home: Home.State) throws -> Home.Action {
    guard let seen = home.trail.last else { throw Self.gone }
    switch (self, seen.inner) {
    case (.menu(let action), nil): return .route(id: seen.outer, action: .menu(action))
    case (.number(let action), let inner?):
      return .route(id: seen.outer, action: .numbers(.route(id: inner, action: action)))
    case (.step(let action), let inner?):
      return .route(id: seen.outer, action: .signUp(.route(id: inner, action: action)))
    case (.menu, _?), (.number, nil), (.step, nil): throw Self.gone
    }
  }

  private static var gone: Rejection {
    Rejection(reason: "target_gone", message: "another screen is seen")
  }
}

/// Gives what is done on the screen that is seen to the route that shows it.
struct Addressing<Base: Reducer>: Reducer
where Base.State == Home.State, Base.Action == Home.Action {
  let base: Base

  init(@ReducerBuilder<Home.State, Home.Action> _ base: () -> Base) {
    self.base = base()
  }

  func reduce(into state: inout Home.State, action: Home.Action) throws -> Effect<Home.Action> {
    guard case .seen(let seen) = action else {
      return try base.reduce(into: &state, action: action)
    }
    return try base.reduce(into: &state, action: try seen.addressed(in: state))
  }

  func departures(from old: Home.State, to new: Home.State) -> [EffectScope] {
    base.departures(from: old, to: new)
  }

  func describe(in outline: inout ReducerOutline) {
    base.describe(in: &outline)
  }
}
