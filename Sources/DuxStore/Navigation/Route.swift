/// A screen on a stack, and how it lies there.
///
/// In JSON it is `{"id":"…","style":"sheet","stack":true,"screen":{"kind":"…","state":{…}}}`.
public struct Route<Screen: RouteScreen>: Identifiable, Equatable, Sendable {
  /// What it is known by.
  public let id: RouteID
  /// How it lies on the one below.
  public internal(set) var style: RouteStyle
  /// What it shows.
  public var screen: Screen
  /// How often its screen was replaced by another: what an effect began for one screen is not answered to
  /// the next.
  public internal(set) var edition: Int

  init(id: RouteID, style: RouteStyle, screen: Screen, edition: Int = 0) {
    self.id = id
    self.style = style
    self.screen = screen
    self.edition = edition
  }
}

extension Route: Codable {
  enum CodingKeys: String, CodingKey {
    case id, style, stack, screen, edition
  }

  /// Writes the members above; `edition` only once it is more than 0.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try style.encode(to: &container, style: .style, stack: .stack)
    if edition != 0 { try container.encode(edition, forKey: .edition) }
    try container.encode(screen, forKey: .screen)
  }

  /// Reads the members above.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try container.decode(RouteID.self, forKey: .id),
      style: try RouteStyle(from: container, style: .style, stack: .stack),
      screen: try container.decode(Screen.self, forKey: .screen),
      edition: try container.decodeIfPresent(Int.self, forKey: .edition) ?? 0)
  }
}

/// A route that was kept and could not be taken over, since its kind of screen is known no more or it would
/// lie where it may not.
public struct DroppedRoute: Codable, Hashable, Sendable, Identifiable {
  /// What it was known by.
  public let id: RouteID
  /// The kind of its screen.
  public let kind: String
  /// Why it is gone, as a sentence.
  public let problem: String
}

/// A route as a table keeps it: while a state is read it may be one that is not known.
enum RouteRow<Screen: RouteScreen>: Identifiable, Equatable, Sendable {
  case known(Route<Screen>)
  case unknown(DroppedRoute)

  var id: RouteID {
    switch self {
    case .known(let route): route.id
    case .unknown(let dropped): dropped.id
    }
  }

  var route: Route<Screen>? {
    if case .known(let route) = self { route } else { nil }
  }
}

extension RouteRow: Codable {
  func encode(to encoder: any Encoder) throws {
    switch self {
    case .known(let route): try route.encode(to: encoder)
    case .unknown(let dropped): try dropped.encode(to: encoder)
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Route<Screen>.CodingKeys.self)
    let kind = try container.nestedContainer(keyedBy: ScreenKey.self, forKey: .screen)
      .decode(String.self, forKey: .kind)
    guard Screen.knows(kind) else {
      let id = try container.decode(RouteID.self, forKey: .id)
      let problem = "the app knows no screen of the kind \(quoted(kind))"
      self = .unknown(DroppedRoute(id: id, kind: kind, problem: problem))
      return
    }
    self = .known(try Route(from: decoder))
  }
}
