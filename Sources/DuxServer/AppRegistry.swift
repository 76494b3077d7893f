package import DuxProtocol
package import DuxStore

/// The apps that a daemon can serve, by name.
package struct AppRegistry: Sendable {
  /// Makes a store in its app's initial state.
  package typealias MakeStore = @Sendable (StateLimits) -> any HostedStore

  private let makers: [String: MakeStore]

  /// Makes a registry.
  package init(_ makers: [String: MakeStore]) {
    self.makers = makers
  }

  /// The apps that come with Dux.
  package static let stock = AppRegistry([
    "document": { Store(DocumentApp(limits: $0), limits: $0) }
  ])

  /// The names of all apps, in order.
  package var names: [String] { makers.keys.sorted() }

  /// A new store of an app; `nil` when there is no such app.
  package func makeStore(of app: String, limits: Limits) -> (any HostedStore)? {
    makers[app]?(
      StateLimits(
        maximumDepth: limits.maximumDepth, maximumBytes: limits.maximumStateBytes))
  }
}
