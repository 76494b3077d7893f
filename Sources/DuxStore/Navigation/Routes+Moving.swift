extension Routes {
  /// Pushes a screen onto the topmost.
  ///
  /// - Parameters:
  ///   - screen: what it shows.
  ///   - id: what the route is known by: minted but where a test says what a step is to lead to.
  /// - Throws: ``NavigationError/cannotPush(in:)`` where the topmost layer has no stack.
  /// - Returns: the new route's id.
  @discardableResult
  public mutating func push(
    _ screen: Screen, id: @autoclosure () -> RouteID = .minted()
  ) throws(NavigationError) -> RouteID {
    try checkPush()
    return try add(screen, .push, id)
  }

  /// Presents a screen over all others, as a layer of its own.
  ///
  /// - Parameters:
  ///   - screen: what it shows.
  ///   - style: how much of what lies below it covers.
  ///   - stack: whether screens can be pushed onto it.
  ///   - id: what the route is known by, as in ``push(_:id:)``.
  /// - Throws: ``NavigationError/tooDeep(limit:)``.
  /// - Returns: the new route's id.
  @discardableResult
  public mutating func present(
    _ screen: Screen, as style: ModalStyle = .sheet, stack: Bool = false,
    id: @autoclosure () -> RouteID = .minted()
  ) throws(NavigationError) -> RouteID {
    try add(screen, style.style(stack: stack), id)
  }

  private func checkPush() throws(NavigationError) {
    let layer = layer
    guard layer.style.stack == true else { throw .cannotPush(in: layer.id) }
  }

  private mutating func add(
    _ screen: Screen, _ style: RouteStyle, _ id: () -> RouteID
  ) throws(NavigationError) -> RouteID {
    guard count < Self.maximumCount else { throw .tooDeep(limit: Self.maximumCount) }
    let id = id()
    guard !contains(id) else { throw .duplicateRoute(id) }
    table.upsert(.known(Route(id: id, style: style, screen: screen)))
    revision &+= 1
    return id
  }
}

extension Routes {
  /// Takes the topmost routes away, however they lie there.
  ///
  /// - Throws: ``NavigationError/atRoot(asked:above:)`` where there are fewer above the root.
  public mutating func goBack(_ count: Int = 1) throws(NavigationError) {
    try check(count)
    remove(last: count)
  }

  /// Takes away what lies above a route.
  ///
  /// - Throws: ``NavigationError/noSuchRoute(_:)`` where there is none with the id; where it is the topmost
  ///   already, nothing changes.
  public mutating func goBack(to id: RouteID) throws(NavigationError) {
    remove(last: try height(of: id))
  }

  /// Takes away what lies above the topmost route that is meant.
  public mutating func goBack(to target: RouteTarget<Screen>) throws(NavigationError) {
    try goBack(to: try find(target))
  }

  /// Takes away what lies above the topmost route that something holds for.
  public mutating func goBack(
    toRouteWhere isMeant: (Route<Screen>) -> Bool
  ) throws(NavigationError) {
    try goBack(to: try find(isMeant))
  }

  /// Takes everything above the root away, presented or pushed; at the root nothing changes.
  public mutating func goBackToRoot() {
    remove(last: count)
  }
}

extension Routes {
  /// Takes the topmost routes away, all of which must have been pushed.
  ///
  /// - Throws: ``NavigationError/notPushed(_:)`` naming the topmost that was not.
  public mutating func pop(_ count: Int = 1) throws(NavigationError) {
    try check(count)
    try checkPushed(last: count)
    remove(last: count)
  }

  /// Takes away what lies above a route, all of which must have been pushed.
  public mutating func pop(to id: RouteID) throws(NavigationError) {
    let height = try height(of: id)
    try checkPushed(last: height)
    remove(last: height)
  }

  /// Takes away what lies above the topmost route that is meant, all of which must have been pushed.
  public mutating func pop(to target: RouteTarget<Screen>) throws(NavigationError) {
    try pop(to: try find(target))
  }

  /// Takes away what lies above the topmost route that something holds for, all of which must have been
  /// pushed.
  public mutating func pop(
    toRouteWhere isMeant: (Route<Screen>) -> Bool
  ) throws(NavigationError) {
    try pop(to: try find(isMeant))
  }

  /// Takes everything above the root away, all of which must have been pushed; at the root nothing changes.
  ///
  /// - Throws: ``NavigationError/notPushed(_:)`` where something is presented.
  public mutating func popToRoot() throws(NavigationError) {
    try checkPushed(last: count)
    remove(last: count)
  }

  /// Takes away what was pushed in the topmost layer, and leaves the route that began it.
  public mutating func popToStackRoot() {
    remove(last: table.rows.reversed().prefix { $0.route?.style == .push }.count)
  }
}

extension Routes {
  /// Takes the topmost layers away, each with what was pushed in it.
  ///
  /// - Throws: ``NavigationError/nothingPresented(asked:there:)`` where there are fewer.
  public mutating func dismiss(_ count: Int = 1) throws(NavigationError) {
    guard count >= 1 else { throw .badCount(count) }
    var height = 0
    var presented = 0
    for row in table.rows.reversed() {
      height += 1
      guard row.route?.style.isPresented == true else { continue }
      presented += 1
      if presented == count { return remove(last: height) }
    }
    throw .nothingPresented(asked: count, there: presented)
  }

  /// Takes all layers away that are presented, and leaves what was pushed below them; where nothing is
  /// presented nothing changes.
  public mutating func dismissAll() {
    let below = table.prefix { $0.route?.style.isPresented != true }.count
    remove(last: count - below)
  }
}

extension Routes {
  private func check(_ count: Int) throws(NavigationError) {
    guard count >= 1 else { throw .badCount(count) }
    guard count <= self.count else { throw .atRoot(asked: count, above: self.count) }
  }

  private func checkPushed(last count: Int) throws(NavigationError) {
    for row in table.rows.suffix(count).reversed() {
      if let route = row.route, route.style != .push { throw .notPushed(route.id) }
    }
  }

  /// How many routes lie above one.
  private func height(of id: RouteID) throws(NavigationError) -> Int {
    if id == root.id { return count }
    guard let position = table.position(of: id) else {
      throw .noSuchRoute("with the id \(quoted(id.rawValue))")
    }
    return count - position - 1
  }

  private func find(_ target: RouteTarget<Screen>) throws(NavigationError) -> RouteID {
    if case .id(let id) = target { return id }
    guard let route = topmost(where: target.isMet(by:)) else { throw .noSuchRoute(target.text) }
    return route.id
  }

  private func find(
    _ isMeant: (Route<Screen>) -> Bool
  ) throws(NavigationError) -> RouteID {
    guard let route = topmost(where: isMeant) else { throw .noSuchRoute("of those looked for") }
    return route.id
  }

  private mutating func remove(last count: Int) {
    guard count > 0 else { return }
    for id in table.ids.suffix(count).reversed() { table.remove(id: id) }
    revision &+= 1
  }
}
