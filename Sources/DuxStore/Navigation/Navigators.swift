/// What a client has to itself on its way through an app, and whom it follows.
public struct ClientNavigator<Content: NavigatorContent>: Codable, Equatable, Sendable, Identifiable
{
  /// The client's name.
  public let id: String
  /// Its own stack, or all of its stacks; it stays as it is while the client follows another.
  public internal(set) var content: Content
  /// What the client looks at in place of its own.
  public internal(set) var following: Followed?
}

/// What clients navigate together.
public struct SharedNavigator<Content: NavigatorContent>: Codable, Equatable, Sendable, Identifiable
{
  /// Its name.
  public let id: String
  /// The stack, or stacks.
  public internal(set) var content: Content
}

/// What a navigator can hold: a ``Routes``, or a state with stacks in it.
public typealias NavigatorContent = Codable & Equatable & Sendable

/// What a client looks at, if not at its own.
///
/// In JSON `{"client":"ann"}` or `{"shared":"tour"}`.
public enum Followed: Hashable, Sendable {
  /// What another client sees; the follower watches, and can't change it.
  case client(String)
  /// What several navigate together.
  case shared(String)
}

extension Followed: Codable {
  private enum CodingKeys: String, CodingKey {
    case client, shared
  }

  /// Writes the one member.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .client(let name): try container.encode(name, forKey: .client)
    case .shared(let name): try container.encode(name, forKey: .shared)
    }
  }

  /// Reads the one member.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let name = try container.decodeIfPresent(String.self, forKey: .client) {
      self = .client(name)
    } else {
      self = .shared(try container.decode(String.self, forKey: .shared))
    }
  }
}

/// The way of each client through an app, those that several go together, and who follows whom.
///
/// A client gets an entry with its first step or when it follows somebody, and keeps it until it says that it
/// leaves, or somebody removes it. A front end leaves when it is quit; what a killed one leaves behind is
/// there for it when it comes back under its name. The number of entries is bounded, and when there is no more
/// room the next client is told so.
public struct Navigators<Content: NavigatorContent>: Codable, Equatable, Sendable {
  /// By the clients' names, in the order in which they came.
  public internal(set) var clients = Table<String, ClientNavigator<Content>>()
  /// What several navigate together, by name.
  public internal(set) var shared = Table<String, SharedNavigator<Content>>()

  /// Makes a slice without clients.
  public init() {}

  /// How many clients may have an entry.
  public static var maximumClients: Int { 256 }
  /// How much may be shared.
  public static var maximumShared: Int { 64 }
}

extension Navigators {
  /// Whose a client's screen is: its own, or what it follows, however long the way there.
  public func place(seenBy client: String) -> Followed {
    var place = Followed.client(client)
    // A cycle is refused when it would be made; one that a state came with ends here.
    for _ in 0...clients.count {
      guard case .client(let name) = place, let next = clients[id: name]?.following else {
        return place
      }
      place = next
    }
    return .client(client)
  }

  /// What a client sees; nothing for one without an entry.
  public func content(seenBy client: String) -> Content? {
    content(at: place(seenBy: client))
  }

  /// What lies at a place; nothing where there is none.
  public func content(at place: Followed) -> Content? {
    switch place {
    case .client(let name): clients[id: name]?.content
    case .shared(let name): shared[id: name]?.content
    }
  }

  /// Those who look at a place directly, in the order in which they came.
  public func followers(of place: Followed) -> [String] {
    clients.filter { $0.following == place }.map(\.id)
  }
}

extension Navigators {
  /// Sees to it that a client has an entry.
  ///
  /// - Throws: ``NavigatorsError/full(limit:)``.
  public mutating func join(
    _ client: String, at content: @autoclosure () -> Content
  ) throws(NavigatorsError) {
    guard !clients.contains(client) else { return }
    guard clients.count < Self.maximumClients else { throw .full(limit: Self.maximumClients) }
    clients.upsert(ClientNavigator(id: client, content: content()))
  }

  /// Lets a client look at what another one sees, or at what is shared, which is made if there is no such.
  ///
  /// - Throws: ``NavigatorsError`` where there is no such client, the two would follow each other, or there
  ///   is no more room; nothing is changed then.
  public mutating func follow(
    _ followed: Followed, by client: String, at content: @autoclosure () -> Content
  ) throws(NavigatorsError) {
    switch followed {
    case .client(let name):
      guard clients.contains(name) else { throw .noSuchClient(name) }
      guard place(seenBy: name) != .client(client), name != client, !isFollowed(client, by: name)
      else { throw .cycle(client, name) }
      try join(client, at: content())
    case .shared(let name):
      guard shared.contains(name) || shared.count < Self.maximumShared else {
        throw .full(limit: Self.maximumShared)
      }
      try join(client, at: content())
      if !shared.contains(name) { shared.upsert(SharedNavigator(id: name, content: content())) }
    }
    clients.update(client) { $0.following = followed }
  }

  /// Lets a client look at its own again.
  public mutating func unfollow(by client: String) {
    if clients[id: client]?.following != nil { clients.update(client) { $0.following = nil } }
  }

  /// Takes a client's entry out; who followed it looks at their own again.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  public mutating func remove(client: String) -> Bool {
    guard clients.remove(id: client) != nil else { return false }
    release(followersOf: .client(client))
    return true
  }

  /// Takes out what was shared; who followed it looks at their own again.
  ///
  /// - Returns: whether there was any.
  @discardableResult
  public mutating func close(shared name: String) -> Bool {
    guard shared.remove(id: name) != nil else { return false }
    release(followersOf: .shared(name))
    return true
  }

  private mutating func release(followersOf place: Followed) {
    for name in followers(of: place) { clients.update(name) { $0.following = nil } }
  }

  /// Whether the way from one client's view leads through another.
  private func isFollowed(_ client: String, by follower: String) -> Bool {
    var name = follower
    for _ in 0...clients.count {
      guard case .client(let next) = clients[id: name]?.following else { return false }
      if next == client { return true }
      name = next
    }
    return true
  }
}

/// Why a client can't follow, or go where it wants to.
public enum NavigatorsError: RejectionConvertible, Hashable, CustomStringConvertible {
  /// No client of that name has an entry.
  case noSuchClient(String)
  /// Nothing of that name is shared.
  case noSuchShared(String)
  /// Following would lead back to whoever asks.
  case cycle(String, String)
  /// Who asks only watches what this client does.
  case following(String)
  /// The stack is another client's.
  case notYours(String)
  /// There is no room for another entry.
  case full(limit: Int)

  /// What is refused and why, for people.
  public var description: String { rejection.message }

  /// The reason: `nav_no_such_client`, `nav_no_such_shared`, `nav_follow_cycle`, `nav_following`,
  /// `nav_not_yours` or `nav_full`.
  public var rejection: Rejection {
    switch self {
    case .noSuchClient(let name):
      Rejection(reason: "nav_no_such_client", message: "no client \(quoted(name)) is here")
    case .noSuchShared(let name):
      Rejection(reason: "nav_no_such_shared", message: "nothing shared is called \(quoted(name))")
    case .cycle(let client, let name):
      Rejection(
        reason: "nav_follow_cycle",
        message:
          "\(quoted(client)) can't follow \(quoted(name)), who sees what \(quoted(client)) does")
    case .following(let name):
      Rejection(
        reason: "nav_following", message: "you only watch what \(quoted(name)) does; unfollow first"
      )
    case .notYours(let name):
      Rejection(reason: "nav_not_yours", message: "the screens of \(quoted(name)) are not yours")
    case .full(let limit):
      Rejection(
        reason: "nav_full",
        message: "there are \(limit) already: one that is gone has to be removed")
    }
  }
}
