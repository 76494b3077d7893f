/// Ranks: short strings whose byte order is the order of rows, with room between any two.
///
/// A rank is a number in base 62 with the digits `0…9A…Za…z`: a head that says how many digits the
/// integer has (`a` one, `b` two… above zero; `Z` one, `Y` two… below), that many digits, and then
/// digits of a fraction, the last of which is not `0`. So `a0` is 0, `Zz` is -1, `b00` is 62, and
/// `a0V` lies halfway between `a0` and `a1`. Adding at an end counts up or down and stays short:
/// a million rows in a row take 5 characters each.
enum Rank {
  /// No rank is longer.
  static let maximumLength = 32

  /// The rank of a single row.
  static let first = "a0"

  /// Whether a text has the form of a rank.
  static func isValid(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count <= maximumLength, let head = bytes.first, let digits = integerDigits(head),
      bytes.count > digits, bytes.dropFirst().allSatisfy({ digitValue($0) != nil })
    else { return false }
    return bytes.count == digits + 1 || bytes.last != zero
  }

  /// A rank between two, as short as one can be near the middle; nothing stands for no bound.
  ///
  /// - Returns: nothing where every such rank would be longer than ``maximumLength``, or where the
  ///   integers end.
  static func between(_ left: String?, _ right: String?) -> String? {
    switch (left.map(Parts.init), right.map(Parts.init)) {
    case (nil, nil): first
    case (let left?, nil): text(successor(of: left.integer) ?? between(left, nil))
    case (nil, let right?):
      text(right.fraction.isEmpty ? predecessor(of: right.integer) : Array(right.integer))
    case (let left?, let right?): text(between(left, right))
    }
  }

  /// Ranks between two, ascending and about evenly spread.
  ///
  /// - Returns: nothing where one would be longer than `limit` bytes.
  static func evenly(
    _ count: Int, between left: String?, _ right: String?, limit: Int
  ) -> [String]? {
    var ranks: [String] = []
    ranks.reserveCapacity(count)
    let isDone = spread(count, left, right, limit: min(limit, maximumLength), into: &ranks)
    return isDone ? ranks : nil
  }

  private static func spread(
    _ count: Int, _ left: String?, _ right: String?, limit: Int, into ranks: inout [String]
  ) -> Bool {
    guard count > 0 else { return true }
    if right == nil { return countUp(count, from: left, limit: limit, into: &ranks) }
    if left == nil {
      var down: [String] = []
      for _ in 0..<count {
        guard let next = between(nil, down.last ?? right), next.utf8.count <= limit else {
          return false
        }
        down.append(next)
      }
      ranks += down.reversed()
      return true
    }
    guard let middle = between(left, right), middle.utf8.count <= limit else { return false }
    let before = count / 2
    guard spread(before, left, middle, limit: limit, into: &ranks) else { return false }
    ranks.append(middle)
    return spread(count - before - 1, middle, right, limit: limit, into: &ranks)
  }

  private static func countUp(
    _ count: Int, from left: String?, limit: Int, into ranks: inout [String]
  ) -> Bool {
    var last = left
    for _ in 0..<count {
      guard let next = between(last, nil), next.utf8.count <= limit else { return false }
      ranks.append(next)
      last = next
    }
    return true
  }
}

extension Rank {
  /// A rank cut into head with integer digits, and fraction.
  fileprivate struct Parts {
    var integer: ArraySlice<UInt8>
    var fraction: ArraySlice<UInt8>

    init(_ rank: String) {
      let bytes = Array(rank.utf8)
      let end = bytes.first.flatMap(integerDigits).map { min($0 + 1, bytes.count) } ?? 0
      integer = bytes[..<end]
      fraction = bytes[end...]
    }

    /// Whether the whole rank is not greater than an integer.
    func isAtMost(_ other: [UInt8]) -> Bool {
      if integer.elementsEqual(other) { return fraction.isEmpty }
      return integer.lexicographicallyPrecedes(other)
    }
  }

  private static let zero = UInt8(ascii: "0")
  private static let alphabet = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

  private static func digitValue(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte - UInt8(ascii: "A")) + 10
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a")) + 36
    default: nil
    }
  }

  /// How many digits of the integer follow a head.
  private static func integerDigits(_ head: UInt8) -> Int? {
    switch head {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(head - UInt8(ascii: "a")) + 1
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(UInt8(ascii: "Z") - head) + 1
    default: nil
    }
  }

  private static func text(_ bytes: [UInt8]?) -> String? {
    guard let bytes, bytes.count <= maximumLength else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The integer after one; nothing after the last.
  private static func successor(of integer: ArraySlice<UInt8>) -> [UInt8]? {
    step(integer, from: 61, to: 0, fill: 0, edge: UInt8(ascii: "z")) { $0 + 1 }
  }

  /// The integer before one; nothing before the first.
  private static func predecessor(of integer: ArraySlice<UInt8>) -> [UInt8]? {
    step(integer, from: 0, to: 61, fill: 61, edge: UInt8(ascii: "A")) { $0 - 1 }
  }

  /// Counts by one: digits at `from` wrap to `to`; past the last the head moves on.
  private static func step(
    _ integer: ArraySlice<UInt8>, from: Int, to: Int, fill: Int, edge: UInt8,
    by next: (Int) -> Int
  ) -> [UInt8]? {
    var bytes = Array(integer)
    guard let head = bytes.first else { return nil }
    for index in bytes.indices.dropFirst().reversed() {
      let digit = digitValue(bytes[index]) ?? 0
      if digit != from {
        bytes[index] = alphabet[next(digit)]
        return bytes
      }
      bytes[index] = alphabet[to]
    }
    guard head != edge else { return nil }
    // The heads of 0 and -1 are neighbours, though not as characters.
    let nextHead: UInt8 =
      switch (head, edge) {
      case (UInt8(ascii: "Z"), UInt8(ascii: "z")): UInt8(ascii: "a")
      case (UInt8(ascii: "a"), UInt8(ascii: "A")): UInt8(ascii: "Z")
      default: UInt8(next(Int(head)))
      }
    return [nextHead] + Array(repeating: alphabet[fill], count: integerDigits(nextHead) ?? 0)
  }

  private static func between(_ left: Parts, _ right: Parts?) -> [UInt8]? {
    if let right, left.integer == right.integer {
      return left.integer + middle(left.fraction, right.fraction)
    }
    if let right, let next = successor(of: left.integer), !right.isAtMost(next) { return next }
    return left.integer + middle(left.fraction, nil)
  }

  /// A fraction between two, of which the first is less; nothing stands for 1.
  private static func middle(
    _ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>?
  ) -> [UInt8] {
    var digits: [UInt8] = []
    var left = left
    var right = right
    while true {
      let low = left.popFirst().flatMap(digitValue) ?? 0
      let high = right.map { $0.first.flatMap(digitValue) ?? 0 } ?? 62
      right = right?.dropFirst()
      if high - low > 1 { return digits + [alphabet[(low + high) / 2]] }
      if high > low {
        if let right, !right.isEmpty { return digits + [alphabet[high]] }
        right = nil
      }
      digits.append(alphabet[low])
    }
  }
}
