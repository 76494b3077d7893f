package import DuxJSON
package import DuxLog
package import DuxProtocol

/// A copy of the value at one path, kept in step by what the daemon sends.
///
/// Value and position change together, after a whole line only, so that a resume from the position
/// misses nothing and repeats nothing.
package struct Replica: Sendable {
  /// The path as text.
  package let path: String
  /// What is at the path; `nil` when nothing is, or when nothing is known yet.
  package private(set) var value: JSON?
  /// Where the value stands; `nil` until the first snapshot is whole.
  package private(set) var position: Request.Position?
  /// Why the last snapshot came where patches were asked for, as the protocol's `reason`.
  package private(set) var reason: String?
  private var incoming: (state: JSON, position: Request.Position)?

  /// Bytes of what is held, as text.
  var byteCount: Int {
    max(value?.encodedByteCount ?? 0, incoming?.state.encodedByteCount ?? 0)
  }

  /// Makes a copy of nothing yet.
  package init(path: String) {
    self.path = path
  }

  /// Makes a copy of what was at a path at a position.
  package init(path: String, value: JSON?, position: Request.Position) {
    self.path = path
    self.value = value
    self.position = position
  }

  /// Why a line can't be what the daemon means: the copy must be made anew.
  package struct Mismatch: Error, Sendable {
    package let reason: String
  }

  /// Takes a snapshot.
  ///
  /// - Returns: whether it is whole; parts follow where it is not.
  package mutating func take(_ snapshot: ServerMessage.Snapshot) -> Bool {
    reason = snapshot.reason
    if snapshot.hasMore, let state = snapshot.state {
      incoming = (state, snapshot.position)
      return false
    }
    incoming = nil
    value = snapshot.state
    position = snapshot.position
    return true
  }

  /// Takes a part of a big snapshot.
  ///
  /// - Returns: whether the snapshot is whole now.
  package mutating func take(_ part: ServerMessage.Part) throws(Mismatch) -> Bool {
    guard let (skeleton, position) = incoming else {
      throw Mismatch(reason: "a part came without a snapshot")
    }
    incoming = nil
    var state = skeleton
    do throws(JSONPatchError) {
      try part.patch.apply(to: &state)
    } catch {
      throw Mismatch(reason: error.description)
    }
    guard !part.hasMore else {
      incoming = (state, position)
      return false
    }
    value = state
    self.position = position
    return true
  }

  /// Takes a step.
  package mutating func take(_ patch: ServerMessage.Patch) throws(Mismatch) {
    guard let position else { throw Mismatch(reason: "a patch came before the snapshot") }
    guard patch.seq > position.seq else {
      throw Mismatch(reason: "seq \(patch.seq) came after \(position.seq)")
    }
    value = try Self.applying(patch.patch, to: value)
    self.position = .init(epoch: position.epoch, seq: patch.seq)
  }

  /// Takes word that nothing more comes up to a seq.
  package mutating func take(markAt seq: SequenceNumber) {
    guard let position, seq > position.seq else { return }
    self.position = .init(epoch: position.epoch, seq: seq)
  }

  /// Applies a patch to a value that may be absent: an empty path added or removed says that the
  /// value appeared or vanished.
  private static func applying(_ patch: JSONPatch, to value: JSON?) throws(Mismatch) -> JSON? {
    if patch.operations.count == 1 {
      switch patch.operations[0] {
      case .add(let path, let value) where path.isRoot: return value
      case .remove(let path) where path.isRoot: return nil
      default: break
      }
    }
    guard var next = value else {
      if patch.operations.isEmpty { return nil }
      throw Mismatch(reason: "a patch came for a value that is absent")
    }
    do throws(JSONPatchError) {
      try patch.apply(to: &next)
    } catch {
      throw Mismatch(reason: error.description)
    }
    return next
  }
}
