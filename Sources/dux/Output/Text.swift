import DuxJSON
import Glibc

extension String {
  /// The text with every control character escaped, so that no terminal obeys it.
  var printable: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.isControl {
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The text cut to a number of columns, with a sign where something is missing.
  func cut(to columns: Int) -> String {
    guard utf8.count > columns, count > columns else { return self }
    return prefix(max(0, columns - 1)) + "…"
  }
}

extension Unicode.Scalar {
  /// Whether it moves a cursor, changes a colour or turns text around instead of being shown.
  fileprivate var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

extension JSON {
  /// The canonical text, safe for a terminal.
  var printableText: String { description.printable }

  /// The text of a value that is one of many in a line: cut where it is long.
  func shortText(_ columns: Int) -> String {
    guard encodedByteCount > columns * 4 else { return printableText.cut(to: columns) }
    switch self {
    case .object(let object): return "{… \(object.count.grouped) members}"
    case .array(let array): return "[… \(array.count.grouped) entries]"
    // Only what is shown is looked at: the string may be very long.
    case .string(let string):
      return JSON.string(String(string.prefix(columns))).printableText.cut(to: columns)
    default: return printableText.cut(to: columns)
    }
  }
}

extension FixedWidthInteger {
  /// The number with its thousands parted: `12,345`.
  var grouped: String {
    let digits = Array(String(magnitude).utf8)
    var text = self < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.unicodeScalars.append(Unicode.Scalar(digit))
    }
    return text
  }

  /// A number of bytes as people read it: `1.5 MiB`.
  var byteText: String {
    var rest = Double(self)
    for unit in ["bytes", "KiB", "MiB", "GiB"] {
      if rest < 1_024 { return (unit == "bytes" ? "\(self)" : rest.fixed(1)) + " " + unit }
      rest /= 1_024
    }
    return rest.fixed(1) + " TiB"
  }

  /// `1 action`, `2 actions`.
  func counted(_ noun: String) -> String {
    "\(grouped) \(noun)\(self == 1 ? "" : "s")"
  }
}

extension Double {
  /// The number with so many digits after the point.
  func fixed(_ digits: Int) -> String {
    guard isFinite, magnitude < 1e15 else { return description }
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int64((magnitude * scale).rounded())
    let whole = scaled / Int64(scale)
    let rest = String(scaled % Int64(scale))
    let sign = self < 0 && scaled != 0 ? "-" : ""
    guard digits > 0 else { return "\(sign)\(whole)" }
    return "\(sign)\(whole).\(String(repeating: "0", count: digits - rest.count))\(rest)"
  }
}
