/// Why a store takes an action not, in the wire's classes.
public enum Refusal: Error, Hashable, Sendable {
  /// No reducer knows the type.
  case unknownAction(String)
  /// The action's shape is not what its type asks for.
  case badAction(String)
  /// The reducer said no.
  case rejected(Rejection)
  /// The state would be nested deeper than allowed.
  case tooDeep(String)
  /// The state would be larger than allowed.
  case tooLarge(String)
  /// Too many actions; the same one may be taken after so many milliseconds.
  case rateLimited(String, retryMs: Int64)

  /// The sentence for people.
  public var message: String {
    switch self {
    case .unknownAction(let message), .badAction(let message), .tooDeep(let message),
      .tooLarge(let message), .rateLimited(let message, _):
      message
    case .rejected(let rejection): rejection.message
    }
  }

  /// The same refusal, its message begun with where it arose.
  package func prefixed(_ place: String) -> Refusal {
    switch self {
    case .unknownAction(let message): .unknownAction(place + message)
    case .badAction(let message): .badAction(place + message)
    case .rejected(let rejection):
      .rejected(Rejection(reason: rejection.reason, message: place + rejection.message))
    case .tooDeep(let message): .tooDeep(place + message)
    case .tooLarge(let message): .tooLarge(place + message)
    case .rateLimited(let message, let retryMs): .rateLimited(place + message, retryMs: retryMs)
    }
  }
}

extension Refusal {
  /// What an error thrown by a reducer or a stage stands for, with the limits of the state and the
  /// rate told apart from the app's own reasons.
  init(thrown error: any Error) {
    if let limit = error as? RateLimited {
      // One more, so that who comes back then is not early by a rounding.
      self = .rateLimited(limit.description, retryMs: limit.retryMilliseconds + 1)
      return
    }
    let rejection = Rejection(error)
    switch rejection.reason {
    case Rejection.tooDeepReason: self = .tooDeep(rejection.message)
    case Rejection.tooLargeReason: self = .tooLarge(rejection.message)
    default: self = .rejected(rejection)
    }
  }

  /// What an action or a state that can't be read or written stands for.
  init(_ failure: CodingFailure) {
    switch failure.kind {
    case .unknownType: self = .unknownAction(failure.description)
    default: self = .badAction(failure.description)
    }
  }

  /// The refusal as stages are told of it.
  package var asRejection: Rejection {
    if case .rejected(let rejection) = self { return rejection }
    return Rejection(reason: "refused", message: message)
  }
}

extension Rejection {
  static let tooDeepReason = "too_deep"
  static let tooLargeReason = "too_large"
}
