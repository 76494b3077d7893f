package import DuxProtocol
public import DuxStore

/// The apps that a daemon can serve, by name; each is served with leases (`Leased`).
public struct AppRegistry: Sendable {
  private struct Entry: Sendable {
    let name: String
    let makeStore: @Sendable (StateLimits) throws(AppFault) -> any HostedStore
  }

  private var entries: [Entry]

  /// A registry of apps; the first is served where nothing else is asked for.
  ///
  /// - Parameter apps: the apps, each with the dependencies that it says.
  public init(_ apps: any App...) {
    entries = apps.map { Self.entry($0) }
  }

  private init(entries: [Entry]) {
    self.entries = entries
  }

  private static func entry(_ app: some App) -> Entry {
    Entry(name: app.name) { (limits) throws(AppFault) in
      try HostedApp(Leased(app), limits: limits)
    }
  }

  /// The app that needs no line of Swift: `document`.
  public static let document = AppRegistry(entries: [
    Entry(name: "document") { (limits) throws(AppFault) in
      try HostedApp(Leased(DocumentApp(limits: limits)), limits: limits)
    }
  ])

  /// The apps of both, those of this one first.
  public func adding(_ others: AppRegistry) -> AppRegistry {
    AppRegistry(entries: entries + others.entries)
  }

  /// The names of all apps, in the order they were given.
  package var names: [String] { entries.map(\.name) }

  /// A new store of an app; `nil` when there is no such app.
  ///
  /// - Throws: ``AppFault`` when the app, or its name among the others, can't be hosted.
  package func makeStore(
    of app: String, limits: Limits
  ) throws(AppFault) -> (any HostedStore)? {
    let found = entries.filter { $0.name.utf8.elementsEqual(app.utf8) }
    guard let entry = found.first else { return nil }
    guard found.count == 1 else {
      throw AppFault(app: app, fault: "\(found.count) apps have this name")
    }
    return try entry.makeStore(
      StateLimits(maximumDepth: limits.maximumDepth, maximumBytes: limits.maximumStateBytes))
  }
}
