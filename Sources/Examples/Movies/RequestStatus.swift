/// How a request stands: one word in the state, `idle`, `loading` or why it failed.
public enum RequestStatus: Codable, Equatable, Sendable {
  case idle
  case loading
  case failed(CatalogueFailure)
}

extension RequestStatus: RawRepresentable {
  /// The word.
  public var rawValue: String {
    switch self {
    case .idle: "idle"
    case .loading: "loading"
    case .failed(let failure): failure.rawValue
    }
  }

  /// Reads the word.
  public init?(rawValue: String) {
    switch rawValue {
    case "idle": self = .idle
    case "loading": self = .loading
    default:
      guard let failure = CatalogueFailure(rawValue: rawValue) else { return nil }
      self = .failed(failure)
    }
  }
}
