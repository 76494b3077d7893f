import DuxStore

/// How a question to the server stands.
public enum RequestStatus: Codable, Equatable, Sendable {
  /// None is open; the latest, if there was one, was answered.
  case idle
  case loading
  case failed(message: String)

  /// Begins to ask again what has failed, or has no answer yet.
  mutating func retry() throws(Rejection) {
    guard self != .idle else {
      throw Rejection(reason: "nothing_to_retry", message: "no question is open or has failed")
    }
    self = .loading
  }
}
