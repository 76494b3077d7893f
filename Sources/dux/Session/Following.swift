import DuxEngine
import DuxJSON
import DuxLog
import DuxProtocol

/// What is at a path, kept in step with the daemon over lost connections: nothing that happens
/// between two looks is missed.
struct Following {
  /// What is told of the value.
  enum News {
    /// It is known from now on.
    case first
    /// It is another one, or was meanwhile.
    case changed
  }

  /// What is at the path; `nil` where nothing is.
  private(set) var value: JSON?
  /// Where the value stands; `nil` until it is known.
  private(set) var seq: SequenceNumber?

  /// Takes an event of the session.
  ///
  /// - Returns: `nil` when the value is what it was.
  mutating func take(_ event: RemoteSession.Event) throws(Failure) -> News? {
    switch event {
    case .snapshot(let replica, _, _):
      let former = seq.map { _ in value }
      keep(replica)
      guard let former else { return .first }
      return former == value ? nil : .changed
    case .patch(let patch, _, let replica, _):
      keep(replica)
      return patch.patch.operations.isEmpty ? nil : .changed
    case .failed(nil, let failure):
      throw Failure(failure)
    default:
      return nil
    }
  }

  private mutating func keep(_ replica: Replica) {
    value = replica.value
    seq = replica.position?.seq
  }
}
