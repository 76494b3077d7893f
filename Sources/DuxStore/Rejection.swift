/// Why a reducer refuses an action: the app's own reason, and a sentence for people.
public struct Rejection: Error, Hashable, Sendable {
  /// A stable word that programs can compare, as `missing` or `overflow`.
  public var reason: String
  /// What was refused and by which rule, naming the input.
  public var message: String

  /// Makes a rejection.
  public init(reason: String, message: String) {
    self.reason = reason
    self.message = message
  }
}

/// An error that says itself how it reads as a rejection.
///
/// Conform an app's own errors to it, and reducers can throw them.
public protocol RejectionConvertible: Error {
  /// The reason and the sentence that clients get.
  var rejection: Rejection { get }
}

extension Rejection {
  /// The rejection that any error thrown by a reducer or a middleware stage stands for.
  ///
  /// An error that is neither a ``Rejection`` nor ``RejectionConvertible`` has the reason `failed`.
  public init(_ error: any Error) {
    switch error {
    case let rejection as Rejection: self = rejection
    case let convertible as any RejectionConvertible: self = convertible.rejection
    default: self.init(reason: "failed", message: String(describing: error))
    }
  }
}

extension Rejection: CustomStringConvertible {
  /// The sentence, then the reason in brackets.
  public var description: String { "\(message) (\(reason))" }
}
