extension Routes: Codable {
  private enum CodingKeys: String, CodingKey {
    case root, above, revision, dropped
  }

  /// Writes the root, the table of routes and the revision; what was dropped only where there is any.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(root, forKey: .root)
    try container.encode(table, forKey: .above)
    try container.encode(revision, forKey: .revision)
    if !dropped.isEmpty { try container.encode(dropped, forKey: .dropped) }
  }

  /// Reads a stack, and leaves out what can't be on it.
  ///
  /// A route whose screen is of a kind that is known no more goes to ``dropped``, and so do those pushed on
  /// it that then have nothing to lie on; the others stay. A root of such a kind becomes a new one that
  /// shows ``RouteScreen/home``.
  ///
  /// - Throws: `DecodingError` where there is no such screen, and for a screen of a known kind whose state
  ///   has another shape, as for any state: that is for a migration.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    revision = try container.decode(Int64.self, forKey: .revision)
    dropped = try container.decodeIfPresent([DroppedRoute].self, forKey: .dropped) ?? []
    table = try container.decode(Table<RouteID, RouteRow<Screen>>.self, forKey: .above)
    let former: DroppedRoute?
    (root, former) = try Self.readRoot(container)
    let gone = (former.map { [$0] } ?? []) + settle()
    guard !gone.isEmpty else { return }
    revision &+= 1
    dropped = (dropped + gone).suffix(Self.maximumDropped)
  }

  private static func readRoot(
    _ container: KeyedDecodingContainer<CodingKeys>
  ) throws -> (root: Route<Screen>, former: DroppedRoute?) {
    let row = try container.decode(RouteRow<Screen>.self, forKey: .root)
    switch row {
    case .known(let route):
      guard case .root = route.style else {
        throw DecodingError.dataCorruptedError(
          forKey: .root, in: container,
          debugDescription: "must have the style \"root\", it has \(quoted(route.style.name))")
      }
      return (route, nil)
    case .unknown(let dropped):
      guard let home = Screen.home else {
        throw DecodingError.dataCorruptedError(
          forKey: .root, in: container,
          debugDescription: "can't be shown, \(dropped.problem), and \(Screen.self) has no home")
      }
      // The reader has no source of ids, and must find the same one wherever it reads this.
      let id = RouteID(rawValue: dropped.id.rawValue + "/home")
      return (Route(id: id, style: .root(stack: true), screen: home), dropped)
    }
  }

  /// Takes out what is unknown or can't lie where it does, and says what that was.
  private mutating func settle() -> [DroppedRoute] {
    var gone: [DroppedRoute] = []
    var stack = root.style.stack ?? false
    for row in table {
      switch row {
      case .unknown(let dropped): gone.append(dropped)
      case .known(let route):
        if let problem = problem(of: route, stack: stack) {
          let kind = route.screen.kind ?? ""
          gone.append(DroppedRoute(id: route.id, kind: kind, problem: problem))
        } else if let own = route.style.stack {
          stack = own
        }
      }
    }
    for route in gone { table.remove(id: route.id) }
    return gone
  }

  private func problem(of route: Route<Screen>, stack: Bool) -> String? {
    switch route.style {
    case .root: "it is no root, and lies above one"
    case .push where !stack: "it was pushed, and what it lies on has no stack"
    case _ where route.id == root.id: "it has the root's id"
    case .push, .sheet, .cover: nil
    }
  }
}
