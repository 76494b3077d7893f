/// How the text of a setting becomes a value.
package struct ValueReader<Value>: Sendable {
  /// Reads a text, or says why it cannot be read.
  package let read: @Sendable (String) throws(ValueError) -> Value

  /// Makes a reader of a function.
  package init(_ read: @escaping @Sendable (String) throws(ValueError) -> Value) {
    self.read = read
  }
}

/// Why a text is no value of its setting.
package struct ValueError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The text as given.
  package let input: String
  /// What is wrong with it and what is accepted.
  package let reason: String

  /// Names the text and the reason.
  package init(_ input: String, _ reason: String) {
    self.input = input
    self.reason = reason
  }

  package var description: String {
    "\(quoted(input)) \(reason)"
  }
}

extension ValueReader where Value == String {
  /// Any text but the empty one.
  package static var text: ValueReader {
    ValueReader { (input) throws(ValueError) in
      guard !input.isEmpty else { throw ValueError(input, "is empty") }
      return input
    }
  }

  /// One of a few words, spelled exactly.
  package static func choice(_ words: [String]) -> ValueReader {
    ValueReader { (input) throws(ValueError) in
      guard words.contains(input) else {
        let meant =
          Suggestion.nearest(to: input, among: words).map { ", did you mean \($0)?" } ?? ""
        throw ValueError(input, "is none of \(words.joined(separator: ", "))\(meant)")
      }
      return input
    }
  }
}

extension ValueReader where Value == Bool {
  /// `true`, `yes`, `on`, `1`, or `false`, `no`, `off`, `0`, in any case.
  package static var flag: ValueReader {
    ValueReader { (input) throws(ValueError) in
      guard let isOn = FlagText.read(input) else {
        throw ValueError(input, "is neither true nor false")
      }
      return isOn
    }
  }
}

extension ValueReader where Value == Int {
  /// A whole number in decimal digits.
  package static func count(in range: ClosedRange<Int>) -> ValueReader {
    ValueReader { (input) throws(ValueError) in
      let digits = input.utf8.first == UInt8(ascii: "-") ? input.utf8.dropFirst() : input.utf8[...]
      guard !digits.isEmpty, digits.allSatisfy(isDigit) else {
        throw ValueError(input, "is no whole number")
      }
      guard let value = Int(input) else {
        throw ValueError(input, "is too large a number")
      }
      return try checked(value, input, range) { String($0) }
    }
  }

  /// A number of bytes, such as `4096`, `64K`, `1MiB` or `2G`; see ``ByteSize``.
  package static func byteSize(in range: ClosedRange<Int>) -> ValueReader {
    ValueReader { (input) throws(ValueError) in
      try checked(try ByteSize.read(input), input, range, ByteSize.text)
    }
  }
}

extension ValueReader where Value == Duration {
  /// A span of time, such as `500ms`, `90s`, `15m`, `36h` or `14d`; see ``DurationText``.
  package static func duration(in range: ClosedRange<Duration>) -> ValueReader {
    ValueReader { (input) throws(ValueError) in
      try checked(try DurationText.read(input), input, range, DurationText.text)
    }
  }
}

/// The words for on and off.
enum FlagText {
  static func read(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "yes", "on", "1": true
    case "false", "no", "off", "0": false
    default: nil
    }
  }
}

func isDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

private func checked<Value: Comparable>(
  _ value: Value, _ input: String, _ range: ClosedRange<Value>, _ text: (Value) -> String
) throws(ValueError) -> Value {
  guard value >= range.lowerBound else {
    throw ValueError(input, "is too small, the least is \(text(range.lowerBound))")
  }
  guard value <= range.upperBound else {
    throw ValueError(input, "is too large, the most is \(text(range.upperBound))")
  }
  return value
}
