import DuxJSON

/// What one operation of a benchmark costs.
struct Figures {
  var allocations: Double
  var bytes: Double
  /// Of the processor, as Callgrind counts them; `nil` where they were not counted.
  var instructions: Double?
  /// Processor time, the median of several batches; `nil` where it was not taken.
  var nanoseconds: Double?

  /// What another costs less than this, for each of so many operations.
  func difference(from other: Figures, operations: Int) -> Figures {
    let count = Double(operations)
    func each(_ more: Double?, _ less: Double?) -> Double? {
      guard let more, let less else { return nil }
      return (more - less) / count
    }
    return Figures(
      allocations: (allocations - other.allocations) / count,
      bytes: (bytes - other.bytes) / count, instructions: each(instructions, other.instructions),
      nanoseconds: each(nanoseconds, other.nanoseconds))
  }
}

extension Figures {
  /// The figures as they are stored: rounded, and without times, which are each machine's own.
  var stored: JSON {
    var members: JSONObject = [
      "allocations": .rounded(allocations, places: 2), "bytes": .rounded(bytes, places: 0),
    ]
    members["instructions"] = instructions.map { .rounded($0, places: 0) }
    return .object(members)
  }

  /// The figures as a program reads them.
  var json: JSON {
    guard var members = stored.objectValue else { return stored }
    members["nanoseconds"] = nanoseconds.map { .rounded($0, places: 0) }
    return .object(members)
  }

  /// Reads stored figures; `nil` when they are none.
  init?(stored: JSON) {
    guard let allocations = stored["allocations"]?.number, let bytes = stored["bytes"]?.number
    else { return nil }
    self.init(
      allocations: allocations, bytes: bytes, instructions: stored["instructions"]?.number,
      nanoseconds: nil)
  }
}

extension JSON {
  /// A number without more digits than it has meaning.
  static func rounded(_ value: Double, places: Int) -> JSON {
    let scale: Double = places == 0 ? 1 : 100
    let rounded = (value * scale).rounded() / scale
    return Int64(exactly: rounded).map { .integer($0) } ?? .double(rounded)
  }

  fileprivate var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }
}
