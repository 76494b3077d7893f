/// What a dispatch gives back at once: the way to the step's outcome.
public final class RemoteReceipt: Sendable {
  private let outcome = Eventual<RemoteOutcome>()
  private let withdraw: @Sendable (RemoteReceipt) -> Void

  init(withdraw: @escaping @Sendable (RemoteReceipt) -> Void) {
    self.withdraw = withdraw
  }

  /// The outcome; `nil` while it is not known.
  ///
  /// It is there before listeners are told of the state that it made.
  public var result: RemoteOutcome? { outcome.value }

  /// The confirmation, once the daemon has taken the step and the state holds it; that can take as
  /// long as the daemon is away.
  ///
  /// - Throws: ``RemoteRefusal`` when there will be none, `CancellationError` when the waiting task
  ///   is cancelled, which changes nothing for the step.
  public var confirmed: Confirmation {
    get async throws { try await outcome.wait().get() }
  }

  /// Asks for the step to be taken back.
  ///
  /// One that was never sent is then settled as ``RemoteOutcome/cancelled``, and its change is gone
  /// from the state. One that was sent goes its way.
  public func cancel() {
    guard outcome.value == nil else { return }
    withdraw(self)
  }

  func settle(_ outcome: RemoteOutcome) {
    self.outcome.fulfil(outcome)
  }
}
