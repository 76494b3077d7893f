import DuxJSON

/// A copy of one path, made of nothing but the frames that came, with the record of them.
struct Replica {
  /// What came, in order.
  enum Frame: Equatable {
    case snapshot(Position, reason: String?)
    case resumed(from: Int64, Position)
    case patch(seq: Int64, time: Int64)
    case mark(seq: Int64)
  }

  let path: String
  /// The value at the path; `nil` where there is none.
  private(set) var state: JSON?
  /// What a resume may start from; `nil` until a whole snapshot has come.
  private(set) var position: Position?
  private(set) var frames: [Frame] = []
  private var unfinished: (state: JSON?, position: Position)?

  init(path: String) {
    self.path = path
  }

  /// The request that starts or resumes this subscription.
  var request: JSON { .subscribe(path, from: position) }

  /// Forgets the parts of a snapshot that the end of a connection has cut off.
  mutating func connectionEnded() {
    unfinished = nil
  }

  /// Takes in a message; one that is no frame of this path changes nothing.
  mutating func take(_ message: JSON) throws {
    guard message["path"]?.stringValue == path, let operation = message["op"]?.stringValue,
      let seq = message["seq"]?.integerValue
    else { return }
    switch operation {
    case "snapshot": try takeSnapshot(message, seq)
    case "part": try takePart(message)
    case "resumed":
      guard let position, message["from"] == .integer(position.seq) else {
        throw Unexpected("resumed from elsewhere: \(message), not \(String(describing: position))")
      }
      frames.append(.resumed(from: position.seq, Position(epoch: position.epoch, seq: seq)))
    case "patch":
      guard unfinished == nil, position != nil else { throw Unexpected("out of place: \(message)") }
      try JSONPatch(message["patch"] ?? []).apply(toPresence: &state)
      position?.seq = seq
      frames.append(.patch(seq: seq, time: message["time"]?.integerValue ?? -1))
    case "mark":
      guard unfinished == nil else { throw Unexpected("a mark between parts") }
      position?.seq = seq
      frames.append(.mark(seq: seq))
    default: break
    }
  }

  private mutating func takeSnapshot(_ message: JSON, _ seq: Int64) throws {
    guard let epoch = message["epoch"]?.stringValue else {
      throw Unexpected("no epoch: \(message)")
    }
    let start = Position(epoch: epoch, seq: seq)
    frames.append(.snapshot(start, reason: message["reason"]?.stringValue))
    unfinished = (message["state"], start)
    if message["more"] != true { finish() }
  }

  private mutating func takePart(_ message: JSON) throws {
    guard var state = unfinished?.state else { throw Unexpected("a part without a snapshot") }
    try JSONPatch(message["patch"] ?? []).apply(to: &state)
    unfinished?.state = state
    if message["more"] == false { finish() }
  }

  private mutating func finish() {
    guard let unfinished else { return }
    (state, position) = unfinished
    self.unfinished = nil
  }
}

extension JSONPatch {
  /// Applies to a value that may be absent: adding at the root makes it appear, removing the root
  /// makes it vanish.
  func apply(toPresence state: inout JSON?) throws {
    for operation in operations {
      switch operation {
      case .add(let path, let value) where path.isRoot: state = value
      case .replace(let path, let value) where path.isRoot && state != nil: state = value
      case .remove(let path) where path.isRoot && state != nil: state = nil
      default:
        guard var present = state else {
          throw Unexpected("a patch of an absent value: \(operation)")
        }
        try JSONPatch(operations: [operation]).apply(to: &present)
        state = present
      }
    }
  }
}
