/// The least that is written at once: what stands in one cell, or in two.
///
/// Terminals do not agree on how wide text is. Most, `tmux`, xterm and all that ask the C library
/// among them, add up the widths of scalars; newer ones measure whole grapheme clusters. A unit is
/// made so that both come to the same, so that no border is ever pushed aside:
///
/// - A unit is one scalar that takes room and what combines with it. A cluster of several scalars
///   that take room, such as `क्षि`, becomes several units.
/// - An emoji of several joined ones (👨‍👩‍👧) is one unit where its first is wide. A terminal that
///   does not join is given the first alone: ``Cell/plainText``.
/// - What would change the width in one half of the terminals only is left out: variation selectors,
///   skin tones. ❤️ becomes ❤, in one cell.
/// - A flag is one unit two cells wide; half a flag becomes `�`.
/// - A control character is shown as its picture (␛), or as `�` where it has none. So are scalars
///   newer than Unicode 14.0, whose width the terminal need not know, and bidirectional overrides,
///   which could write over other cells.
/// - What is invisible has no unit. A combining mark with nothing to stand on gets a ◌.
struct TextUnit: Equatable, Sendable {
  /// What to write.
  var text: String
  /// 1 or 2.
  var width: Int

  /// No more scalars than that make a unit, however many marks somebody heaps on a letter.
  ///
  /// The longest of the emoji in use have eight, without their skin tones.
  static let longest = 12

  static let replacement = TextUnit(text: "\u{FFFD}", width: 1)
  static let space = TextUnit(text: " ", width: 1)
  static let ellipsis = TextUnit(text: "…", width: 1)

  /// The 128 of ASCII, at their numbers.
  private static let ascii: [TextUnit] = (0..<128).map { (value: UInt8) in
    let picture: UInt32 =
      switch value {
      case 0x7F: 0x2421
      case ..<0x20: 0x2400 + UInt32(value)
      default: UInt32(value)
      }
    return TextUnit(
      text: Unicode.Scalar(picture).map { String(Character($0)) } ?? " ", width: 1)
  }

  /// Hands over the units of a cluster, in order.
  static func forEach(in cluster: Character, _ body: (TextUnit) -> Void) {
    if let value = cluster.utf8.first, value < 128, cluster.utf8.count == 1 {
      return body(ascii[Int(value)])
    }
    var builder = Builder()
    for scalar in cluster.unicodeScalars { builder.take(scalar, body) }
    builder.end(body)
  }

  /// The units of a cluster: one, for most.
  static func units(of cluster: Character) -> [TextUnit] {
    var units: [TextUnit] = []
    forEach(in: cluster) { units.append($0) }
    return units
  }
}

extension Cell {
  /// The text for a terminal that does not join emoji: the first of them alone.
  public var plainText: String {
    guard part == .left, let joiner = text.unicodeScalars.firstIndex(of: "\u{200D}") else {
      return text
    }
    return String(text[..<joiner])
  }
}

/// Puts units together from the scalars of one cluster.
private struct Builder {
  /// What becomes of a scalar that takes room.
  private enum Next {
    /// It begins another unit.
    case begins
    /// It joins the emoji before it.
    case joins
    /// It is left out, as all that follows it.
    case dropped
  }

  private var text = String.UnicodeScalarView()
  private var width = 0
  private var count = 0
  private var first: Unicode.Scalar = " "
  private var next = Next.begins

  mutating func take(_ scalar: Unicode.Scalar, _ body: (TextUnit) -> Void) {
    switch ScalarKind(scalar) {
    case .control:
      end(body)
      TextUnit.forEach(in: Character(scalar), body)
    case .unshowable:
      end(body)
      body(.replacement)
    case .invisible: break
    case .joiner: takeJoiner()
    case .flagHalf: takeFlagHalf(scalar, body)
    case .mark: takeMark(scalar)
    case .wide: takeBase(scalar, width: 2, body)
    case .narrow: takeBase(scalar, width: 1, body)
    }
  }

  private mutating func takeJoiner() {
    guard count > 0, first.properties.isEmoji, next != .dropped else { return }
    next = width == 2 && count + 2 <= TextUnit.longest ? .joins : .dropped
  }

  private mutating func takeMark(_ mark: Unicode.Scalar) {
    guard count < TextUnit.longest, next != .dropped else { return }
    if count == 0 { begin("\u{25CC}", width: 1) }
    append(mark)
  }

  private mutating func takeBase(
    _ base: Unicode.Scalar, width: Int, _ body: (TextUnit) -> Void
  ) {
    switch next {
    case .dropped: break
    case .joins:
      append("\u{200D}")
      append(base)
      next = .begins
    case .begins:
      if count > 0, base.properties.isEmojiModifier { return }
      end(body)
      begin(base, width: width)
    }
  }

  private mutating func takeFlagHalf(_ half: Unicode.Scalar, _ body: (TextUnit) -> Void) {
    if count == 1, width == 1, ScalarKind(first) == .flagHalf {
      append(half)
      width = 2
    } else {
      end(body)
      begin(half, width: 1)
    }
  }

  private mutating func begin(_ scalar: Unicode.Scalar, width: Int) {
    first = scalar
    self.width = width
    append(scalar)
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    text.append(scalar)
    count += 1
  }

  mutating func end(_ body: (TextUnit) -> Void) {
    guard count > 0 else { return }
    let isHalfFlag = width == 1 && ScalarKind(first) == .flagHalf
    body(isHalfFlag ? .replacement : TextUnit(text: String(text), width: width))
    self = Builder()
  }
}
