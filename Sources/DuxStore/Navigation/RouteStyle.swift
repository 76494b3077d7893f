/// How a route lies on the one below it.
public enum RouteStyle: Hashable, Sendable {
  /// At the bottom. `stack`: whether screens can be pushed onto it.
  case root(stack: Bool)
  /// Pushed onto a screen of the same layer.
  case push
  /// Presented over part of the screen, as a layer of its own. `stack`: whether screens can be pushed
  /// within that layer.
  case sheet(stack: Bool)
  /// Presented over the whole screen, otherwise as a sheet.
  case cover(stack: Bool)

  /// Whether this begins a layer over others: a sheet or a cover.
  ///
  /// The root does not: it lies over nothing, and is never dismissed.
  public var isPresented: Bool {
    switch self {
    case .sheet, .cover: true
    case .root, .push: false
    }
  }

  /// Whether screens can be pushed in the layer that this begins; nothing for a push, which begins none.
  public var stack: Bool? {
    switch self {
    case .root(let stack), .sheet(let stack), .cover(let stack): stack
    case .push: nil
    }
  }

  /// The word on the wire: `root`, `push`, `sheet` or `cover`.
  public var name: String {
    switch self {
    case .root: "root"
    case .push: "push"
    case .sheet: "sheet"
    case .cover: "cover"
    }
  }
}

/// How a layer is presented.
public enum ModalStyle: String, Codable, Hashable, Sendable {
  /// Over part of the screen.
  case sheet
  /// Over the whole screen.
  case cover

  /// The style of a route that is presented so.
  public func style(stack: Bool) -> RouteStyle {
    switch self {
    case .sheet: .sheet(stack: stack)
    case .cover: .cover(stack: stack)
    }
  }
}

extension RouteStyle {
  enum CodingKeys: String, CodingKey {
    case style, stack
  }

  /// Writes `"style":"sheet","stack":true` among other members.
  func encode<Key: CodingKey>(
    to container: inout KeyedEncodingContainer<Key>, style: Key, stack stackKey: Key
  ) throws {
    try container.encode(name, forKey: style)
    if let stack { try container.encode(stack, forKey: stackKey) }
  }

  /// Reads what was written among other members; without a `stack` there is none, but at the root.
  init<Key: CodingKey>(
    from container: KeyedDecodingContainer<Key>, style: Key, stack stackKey: Key
  ) throws {
    let name = try container.decode(String.self, forKey: style)
    let stack = try container.decodeIfPresent(Bool.self, forKey: stackKey)
    switch name {
    case "root": self = .root(stack: stack ?? true)
    case "push": self = .push
    case "sheet": self = .sheet(stack: stack ?? false)
    case "cover": self = .cover(stack: stack ?? false)
    default:
      throw DecodingError.dataCorruptedError(
        forKey: style, in: container,
        debugDescription: "must be root, push, sheet or cover, it is \(quoted(name))")
    }
  }
}
