public import DuxStore

extension DependencyValues {
  /// The client of HTTP servers, for effects: the live one, in previews one that has no answers, in
  /// tests one that fails when it is used.
  public var http: HTTPClient {
    get { self[HTTPKey.self] }
    set { self[HTTPKey.self] = newValue }
  }
}

private enum HTTPKey: DependencyKey {
  static let liveValue = HTTPClient.live
  static let previewValue = HTTPClient.canned([:])
  static let testValue = HTTPClient.unprepared
}
