/// Why a step of navigation is refused; the stack is then as it was, in every build.
public enum NavigationError: RejectionConvertible, Hashable {
  /// Nothing can be pushed in the layer that this route began.
  case cannotPush(in: RouteID)
  /// There are fewer routes above the root than were to go.
  case atRoot(asked: Int, above: Int)
  /// No route is what was looked for.
  case noSuchRoute(String)
  /// A route that was to be popped was not pushed.
  case notPushed(RouteID)
  /// Fewer layers are presented than were to be dismissed.
  case nothingPresented(asked: Int, there: Int)
  /// The stack was changed after the state that the operation was made on.
  case conflict(base: Int64, revision: Int64)
  /// A count below 1.
  case badCount(Int)
  /// Two routes would have one id.
  case duplicateRoute(RouteID)
  /// The stack would have more routes than it may.
  case tooDeep(limit: Int)
  /// A route to be made has no screen, or one to be kept has no such style.
  case badRoute(String)
}

extension NavigationError: CustomStringConvertible {
  /// What is refused and why, for people.
  public var description: String { rejection.message }

  /// The reason: `nav_cannot_push`, `nav_at_root`, `nav_no_such_route`, `nav_not_pushed`,
  /// `nav_nothing_presented`, `nav_conflict`, `nav_bad_count`, `nav_duplicate_route`, `nav_too_deep` or
  /// `nav_bad_route`.
  public var rejection: Rejection {
    switch self {
    case .cannotPush(let id):
      Rejection(
        reason: "nav_cannot_push",
        message: "nothing can be pushed there: the route \(quoted(id.rawValue)) has no stack")
    case .atRoot(let asked, let above):
      Rejection(
        reason: "nav_at_root",
        message: "the root stays: \(asked) to go back, \(above) above the root")
    case .noSuchRoute(let what):
      Rejection(reason: "nav_no_such_route", message: "there is no route \(what)")
    case .notPushed(let id):
      Rejection(
        reason: "nav_not_pushed",
        message: "the route \(quoted(id.rawValue)) was not pushed, so it is not popped")
    case .nothingPresented(let asked, let there):
      Rejection(
        reason: "nav_nothing_presented",
        message: "\(asked) to be dismissed, \(there) presented")
    case .conflict(let base, let revision):
      Rejection(
        reason: "nav_conflict",
        message: "made on revision \(base) of the stack, which is at \(revision)")
    case .badCount(let count):
      Rejection(reason: "nav_bad_count", message: "a count is 1 or more, not \(count)")
    case .duplicateRoute(let id):
      Rejection(
        reason: "nav_duplicate_route", message: "there would be two routes \(quoted(id.rawValue))")
    case .tooDeep(let limit):
      Rejection(reason: "nav_too_deep", message: "a stack has at most \(limit) routes")
    case .badRoute(let problem):
      Rejection(reason: "nav_bad_route", message: problem)
    }
  }
}
