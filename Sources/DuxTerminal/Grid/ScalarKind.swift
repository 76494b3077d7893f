/// What a scalar does to a terminal's line.
///
/// Whether it is a mark or invisible is read from the standard library, whether it is wide from
/// ``WideScalars``; together they say of every scalar of Unicode 14.0 what `wcwidth` of glibc 2.36
/// says, but for a dozen invisible ones to which it gives a cell.
enum ScalarKind {
  /// One cell.
  case narrow
  /// Two cells.
  case wide
  /// Nothing by itself; it changes what stands before it.
  case mark
  /// Nothing to be seen.
  case invisible
  /// U+200D, which makes one emoji of two.
  case joiner
  /// One of the 26 letters that make flags in pairs.
  case flagHalf
  /// A control character of ASCII.
  case control
  /// Something that terminals show differently, or that changes what stands elsewhere.
  case unshowable

  init(_ scalar: Unicode.Scalar) {
    let value = scalar.value
    switch value {
    case 0x20...0x7E: self = .narrow
    case 0...0x7F: self = .control
    case 0xA0...0xAC, 0xAE...0x2FF, 0x2500...0x259F, 0x370...0x377: self = .narrow
    case 0x4E00...0x9FFF, 0xAC00...0xD7A3: self = .wide
    case 0x200D: self = .joiner
    case 0xFE00...0xFE0F, 0xE0100...0xE01EF: self = .invisible
    case 0x1F1E6...0x1F1FF: self = .flagHalf
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: self = .mark
    case 0xE0020...0xE007F: self = .mark
    case 0x202A...0x202E, 0x2066...0x2069: self = .unshowable
    default: self = Self.lookedUp(scalar)
    }
  }

  private static func lookedUp(_ scalar: Unicode.Scalar) -> ScalarKind {
    let properties = scalar.properties
    guard let age = properties.age, age.major <= 14 else { return .unshowable }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return .mark
    case .format: return .invisible
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned:
      return .unshowable
    default: return WideScalars.contains(scalar) ? .wide : .narrow
    }
  }
}
