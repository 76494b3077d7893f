/// Which route an operation goes back to; of several the topmost.
///
/// In JSON it is an object with one member: `{"id":"…"}`, `{"kind":"detail"}` or `{"screen":{…}}`.
public enum RouteTarget<Screen: RouteScreen>: Equatable, Sendable {
  /// The route with an id.
  case id(RouteID)
  /// A route whose screen is of a kind, by its name or a former one.
  case kind(String)
  /// A route whose screen is equal to this.
  case screen(Screen)

  /// Whether a route is meant.
  func isMet(by route: Route<Screen>) -> Bool {
    switch self {
    case .id(let id): route.id == id
    case .kind(let name):
      Screen.kinds.contains { $0.isNamed(name) && $0.holds(route.screen) }
    case .screen(let screen): route.screen == screen
    }
  }

  /// What is looked for, behind "there is no route".
  var text: String {
    switch self {
    case .id(let id): "with the id \(quoted(id.rawValue))"
    case .kind(let name): "whose screen is of the kind \(quoted(name))"
    case .screen: "with this screen"
    }
  }
}

extension RouteTarget: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, kind, screen
  }

  /// Writes the one member.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .id(let id): try container.encode(id, forKey: .id)
    case .kind(let name): try container.encode(name, forKey: .kind)
    case .screen(let screen): try container.encode(screen, forKey: .screen)
    }
  }

  /// Reads the one member; with several, an id counts before a kind, and that before a screen.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let id = try container.decodeIfPresent(RouteID.self, forKey: .id) {
      self = .id(id)
    } else if let name = try container.decodeIfPresent(String.self, forKey: .kind) {
      self = .kind(name)
    } else {
      self = .screen(try container.decode(Screen.self, forKey: .screen))
    }
  }
}
