/// What routes show: an enum of screens, each of a kind that has a name of its own on disk and on the wire.
///
/// ```swift
/// enum Screen: RouteScreen {
///   case list(NumberList.State)
///   case detail(NumberDetail.State)
///   case about
///
///   static let kinds: [ScreenKind<Screen>] = [
///     ScreenKind("list", Screen.list),
///     ScreenKind("detail", Screen.detail, formerly: ["number"]),
///     ScreenKind("about", case: .about),
///   ]
/// }
/// ```
///
/// A screen is `{"kind":"detail","state":{…}}` in JSON, without `state` where its case holds nothing. So a
/// case may be renamed in Swift as one likes, and a kind by keeping its former name. A conforming type gets its
/// `Codable` from here.
public protocol RouteScreen: Codable, Equatable, Sendable {
  /// The kinds, one for each case.
  ///
  /// - Complexity: asked for at each screen that is coded, so best a stored property.
  static var kinds: [ScreenKind<Self>] { get }

  /// What a stack shows at its root where what was kept there is of a kind that is known no more.
  ///
  /// Nothing unless said: such a stack then can't be read.
  static var home: Self? { get }
}

extension RouteScreen {
  /// Nothing.
  public static var home: Self? { nil }

  /// The name of this screen's kind; nothing for a case that ``kinds`` does not list.
  public var kind: String? { Self.kinds.first { $0.holds(self) }?.name }

  /// Whether a kind has this name, or had it.
  static func knows(_ name: String) -> Bool { kinds.contains { $0.isNamed(name) } }

  /// Writes the kind and what the screen holds.
  public func encode(to encoder: any Encoder) throws {
    guard let kind = Self.kinds.first(where: { $0.holds(self) }) else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "is of a case that \(Self.self).kinds does not list"))
    }
    var container = encoder.container(keyedBy: ScreenKey.self)
    try container.encode(kind.name, forKey: .kind)
    try kind.write(self, &container)
  }

  /// Reads a screen of a kind that is known.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: ScreenKey.self)
    let name = try container.decode(String.self, forKey: .kind)
    guard let kind = Self.kinds.first(where: { $0.isNamed(name) }) else {
      let known = Self.kinds.map { quoted($0.name) }.joined(separator: ", ")
      throw DecodingError.dataCorruptedError(
        forKey: .kind, in: container,
        debugDescription: "must be one of \(known), it is \(quoted(name))")
    }
    self = try kind.read(container)
  }
}

/// The members of a screen in JSON.
public enum ScreenKey: String, CodingKey, Sendable {
  /// The name of its kind.
  case kind
  /// What its case holds.
  case state
}

/// A kind of screen: a case of a ``RouteScreen``, and the name that it is kept under.
public struct ScreenKind<Screen: RouteScreen>: Sendable {
  /// The name.
  public let name: String
  /// What it was called before: still read, never written.
  public let formerNames: [String]
  let holds: @Sendable (Screen) -> Bool
  let write: @Sendable (Screen, inout KeyedEncodingContainer<ScreenKey>) throws -> Void
  let read: @Sendable (KeyedDecodingContainer<ScreenKey>) throws -> Screen

  /// Makes the kind of a case that holds a state, given by the case's constructor.
  public init<State: Codable & Sendable>(
    _ name: String, _ constructor: @escaping @Sendable (State) -> Screen,
    formerly formerNames: [String] = []
  ) {
    self.init(name, CasePath(constructor), formerly: formerNames)
  }

  /// Makes the kind of a case that holds a state, given by a case path.
  public init<State: Codable & Sendable>(
    _ name: String, _ path: CasePath<Screen, State>, formerly formerNames: [String] = []
  ) {
    self.name = name
    self.formerNames = formerNames
    holds = { path.extract($0) != nil }
    write = { screen, container in
      try container.encodeIfPresent(path.extract(screen), forKey: .state)
    }
    read = { path.embed(try $0.decode(State.self, forKey: .state)) }
  }

  /// Makes the kind of a case that holds nothing.
  public init(_ name: String, case screen: Screen, formerly formerNames: [String] = []) {
    self.name = name
    self.formerNames = formerNames
    holds = { $0 == screen }
    write = { _, _ in }
    read = { _ in screen }
  }

  func isNamed(_ text: String) -> Bool { name == text || formerNames.contains(text) }
}
