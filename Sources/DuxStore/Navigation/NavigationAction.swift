/// What may be asked of a stack of routes: a case of the app's action, carried out by
/// ``Reducer/forEachRoute(_:routes:nav:named:screen:)``.
///
/// On the wire, as a case `nav`: `{"type":"nav/push","payload":{"screen":{"kind":"detail","state":{…}}}}`.
/// A count is 1 unless said. `base` is the ``Routes/revision`` of the stack that whoever asks had before
/// them: if it was changed since, the operation is refused as `nav_conflict`. Without a base it is made
/// on the stack as it is.
public enum NavigationAction<Screen: RouteScreen>: Codable, Equatable, Sendable {
  /// Pushes a screen onto the topmost.
  case push(screen: Screen, base: Int64? = nil)
  /// Presents a screen over all others; a sheet, and without a stack, unless said.
  case present(screen: Screen, style: ModalStyle? = nil, stack: Bool? = nil, base: Int64? = nil)
  /// Takes the topmost routes away.
  case goBack(count: Int? = nil, base: Int64? = nil)
  /// Takes away what lies above a route.
  case goBackTo(to: RouteTarget<Screen>, base: Int64? = nil)
  /// Takes all but the root away; see ``RootScope``.
  case goBackToRoot(scope: RootScope? = nil, base: Int64? = nil)
  /// Takes the topmost routes away, which were pushed.
  case pop(count: Int? = nil, base: Int64? = nil)
  /// Takes away what lies above a route, and was pushed.
  case popTo(to: RouteTarget<Screen>, base: Int64? = nil)
  /// Takes all but the root away, which was pushed.
  case popToRoot(base: Int64? = nil)
  /// Takes away what was pushed in the topmost layer.
  case popToStackRoot(base: Int64? = nil)
  /// Takes the topmost layers away.
  case dismiss(count: Int? = nil, base: Int64? = nil)
  /// Takes all layers away.
  case dismissAll(base: Int64? = nil)
  /// Sets the whole stack; without a root that stays.
  case set(routes: [RoutePlan<Screen>], root: Screen? = nil, base: Int64? = nil)
  /// Puts another screen in the place of a route's.
  case replace(id: RouteID, screen: Screen, base: Int64? = nil)
  /// Forgets what could not be taken over.
  case forgetDropped
}

/// Whose root an operation goes back to, where a stack lies within a screen of another.
public enum RootScope: String, Codable, Hashable, Sendable {
  /// The root of the stack that is asked.
  case `self`
  /// The root of the outermost stack around it, and of all on the way.
  case app
}

extension NavigationAction {
  /// The revision that this was made on, if it says so.
  public var base: Int64? {
    switch self {
    case .push(_, let base), .present(_, _, _, let base), .goBack(_, let base),
      .goBackTo(_, let base), .goBackToRoot(_, let base), .pop(_, let base), .popTo(_, let base),
      .popToRoot(let base), .popToStackRoot(let base), .dismiss(_, let base),
      .dismissAll(let base), .set(_, _, let base), .replace(_, _, let base):
      base
    case .forgetDropped: nil
    }
  }

  /// Whether this goes on to the stacks around the one that is asked.
  var goesToRootOfApp: Bool {
    if case .goBackToRoot(.app, _) = self { true } else { false }
  }
}

extension Routes {
  /// Carries out what is asked.
  ///
  /// - Throws: ``NavigationError`` where that can't be; the stack is then as it was.
  public mutating func apply(_ action: NavigationAction<Screen>) throws(NavigationError) {
    if let base = action.base, base != revision {
      throw .conflict(base: base, revision: revision)
    }
    switch action {
    case .push(let screen, _): try push(screen)
    case .present(let screen, let style, let stack, _):
      try present(screen, as: style ?? .sheet, stack: stack ?? false)
    case .goBack(let count, _): try goBack(count ?? 1)
    case .goBackTo(let target, _): try goBack(to: target)
    case .goBackToRoot: goBackToRoot()
    case .pop(let count, _): try pop(count ?? 1)
    case .popTo(let target, _): try pop(to: target)
    case .popToRoot: try popToRoot()
    case .popToStackRoot: popToStackRoot()
    case .dismiss(let count, _): try dismiss(count ?? 1)
    case .dismissAll: dismissAll()
    case .set(let plans, let root, _): try set(root: root, plans)
    case .replace(let id, let screen, _): try replace(id, with: screen)
    case .forgetDropped: forgetDropped()
    }
  }
}
