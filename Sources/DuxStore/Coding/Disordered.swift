import DuxJSON

/// A collection whose order differs from run to run and is written as an array.
protocol Disordered {
  /// The elements written, or pairs of them, in an order that only their values decide.
  static func sorted(_ elements: ContiguousArray<JSON>) -> ContiguousArray<JSON>
}

extension Set: Disordered {
  static func sorted(_ elements: ContiguousArray<JSON>) -> ContiguousArray<JSON> {
    let keyed = elements.map { (key: SortKey($0), value: $0) }
    return ContiguousArray(keyed.sorted { $0.key < $1.key }.lazy.map(\.value))
  }
}

extension Dictionary: Disordered {
  static func sorted(_ elements: ContiguousArray<JSON>) -> ContiguousArray<JSON> {
    guard elements.count.isMultiple(of: 2) else { return elements }
    let pairs = stride(from: 0, to: elements.count, by: 2).map { index in
      (key: SortKey(elements[index]), index: index)
    }
    var sorted: ContiguousArray<JSON> = []
    sorted.reserveCapacity(elements.count)
    for pair in pairs.sorted(by: { $0.key < $1.key }) {
      sorted.append(elements[pair.index])
      sorted.append(elements[pair.index + 1])
    }
    return sorted
  }
}

/// What JSON values are sorted by: numbers by value, all others by their canonical text.
private enum SortKey: Comparable {
  case integer(Int64)
  case double(Double)
  case text([UInt8])

  init(_ json: JSON) {
    self =
      switch json {
      case .integer(let value): .integer(value)
      case .double(let value): .double(value)
      case .string(let value): .text(Array(value.utf8))
      default: .text(Array(json.description.utf8))
      }
  }

  static func < (left: SortKey, right: SortKey) -> Bool {
    switch (left, right) {
    case (.integer(let a), .integer(let b)): a < b
    case (.double(let a), .double(let b)): a < b
    case (.text(let a), .text(let b)): a.lexicographicallyPrecedes(b)
    case (.integer, _), (.double, .text): true
    default: false
    }
  }
}
