/// A control sequence that comes byte by byte: what stands between `CSI` and its last byte (ECMA-48,
/// 5.4).
struct ControlSequence: Sendable {
  /// What a byte led to.
  enum Step: Sendable {
    case more
    case whole
    /// The byte is none of a sequence.
    case broken
  }

  /// The longest sequence, in bytes; a longer one is broken off there.
  static let limitBytes = 256

  /// Numbers and their separators.
  private(set) var parameters: [UInt8] = []
  private(set) var hasIntermediate = false
  private(set) var final: UInt8 = 0

  /// Whether nothing has come yet.
  var isEmpty: Bool { parameters.isEmpty && !hasIntermediate }

  /// The byte before the numbers that makes them private, such as `<`.
  var mark: UInt8? {
    parameters.first.flatMap { (0x3C...0x3F).contains($0) ? $0 : nil }
  }

  /// The numbers, and under each those that colons add to it; 0 for one left out.
  var numbers: [[Int]] {
    let digits = mark == nil ? parameters[...] : parameters.dropFirst()
    return digits.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map {
      $0.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map(Self.number)
    }
  }

  /// A number of the list; 0 where there is none.
  func number(_ place: Int, _ part: Int = 0) -> Int {
    let numbers = numbers
    guard numbers.indices.contains(place), numbers[place].indices.contains(part) else { return 0 }
    return numbers[place][part]
  }

  mutating func take(_ byte: UInt8) -> Step {
    switch byte {
    case 0x30...0x3F where !hasIntermediate:
      guard parameters.count < Self.limitBytes else { return .broken }
      parameters.append(byte)
      return .more
    case UInt8(ascii: "$") where mark == nil && !parameters.isEmpty:
      // rxvt ends keys that are held with Shift in a byte that ends nothing elsewhere.
      final = byte
      return .whole
    case 0x20...0x2F where !hasIntermediate:
      hasIntermediate = true
      return .more
    case 0x40...0x7E:
      final = byte
      return .whole
    default:
      return .broken
    }
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int {
    digits.reduce(0) { sum, digit in
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return sum }
      return min(sum * 10 + Int(digit - UInt8(ascii: "0")), 0x11_0000)
    }
  }

  /// The key that a letter at the end names, after `CSI` as after `ESC O`.
  static func code(ofFinal byte: UInt8) -> Key.Code? {
    switch byte {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "Z"): .backTab
    case UInt8(ascii: "P"): .function(1)
    case UInt8(ascii: "Q"): .function(2)
    case UInt8(ascii: "R"): .function(3)
    case UInt8(ascii: "S"): .function(4)
    default: nil
    }
  }

  /// The key of the keypad, in its application mode, that a letter after `ESC O` names.
  static func code(ofKeypad byte: UInt8) -> Key.Code? {
    switch byte {
    case UInt8(ascii: "M"): .enter
    case UInt8(ascii: "I"): .tab
    case UInt8(ascii: "j")...UInt8(ascii: "y"):
      // The sign 64 below: * + , - . / and the digits.
      .character(Character(Unicode.Scalar(byte - 0x40)))
    case UInt8(ascii: "X"): .character("=")
    default: nil
    }
  }

  /// The key that a number before `~` names.
  static func code(ofNumber number: Int) -> Key.Code? {
    switch number {
    case 1, 7: .home
    case 2: .insert
    case 3: .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    case 11...15: .function(number - 10)
    case 17...21: .function(number - 11)
    case 23...26: .function(number - 12)
    case 28, 29: .function(number - 13)
    case 31...34: .function(number - 14)
    default: nil
    }
  }
}
