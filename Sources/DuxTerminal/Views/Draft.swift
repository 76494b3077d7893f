/// Text that is being typed, and where in it the next character goes.
///
/// It belongs to the program that shows it in a ``TextField``; nobody else sees it before the program
/// dispatches what came of it. All positions count characters as people see them: an accent or a
/// family of emoji is never taken apart.
public struct Draft: Hashable, Sendable {
  /// What has been typed.
  public private(set) var text: String
  /// How many characters stand before the cursor.
  public private(set) var cursor: Int

  /// A draft does not grow beyond so many bytes; what comes after is left out.
  public static let longest = 65_536

  /// Makes a draft, with the cursor at its end.
  public init(_ text: String = "") {
    self.text = ""
    cursor = 0
    insert(text)
  }

  /// Tells whether nothing has been typed.
  public var isEmpty: Bool { text.isEmpty }

  /// The text before the cursor.
  public var head: Substring { text.prefix(cursor) }
  /// The text after the cursor.
  public var tail: Substring { text.dropFirst(cursor) }
}

extension Draft {
  /// Puts text at the cursor, as typed or pasted: it stays one line.
  ///
  /// Line feeds and tabs become spaces, those at the ends are left out; other control characters, and
  /// invisible ones that change the order of others, are left out.
  public mutating func insert(_ added: String) {
    let cleaned = Self.cleaned(added, room: Self.longest - text.utf8.count)
    replace(from: cursor, to: cursor, with: cleaned)
  }

  /// Puts another text in the place of all, with the cursor as far from the beginning as it was.
  public mutating func replace(with text: String) {
    let before = cursor
    self = Draft(text)
    cursor = min(before, cursor)
  }

  /// Takes out all.
  public mutating func clear() { self = Draft() }

  /// Takes out the character before the cursor.
  public mutating func deleteBackward() { replace(from: cursor - 1, to: cursor, with: "") }

  /// Takes out the character after the cursor.
  public mutating func deleteForward() { replace(from: cursor, to: cursor + 1, with: "") }

  /// Takes out the word before the cursor.
  public mutating func deleteWordBackward() {
    replace(from: startOfWord, to: cursor, with: "")
  }

  /// Takes out the word after the cursor.
  public mutating func deleteWordForward() { replace(from: cursor, to: endOfWord, with: "") }

  /// Takes out all that is after the cursor.
  public mutating func deleteToEnd() { replace(from: cursor, to: .max, with: "") }

  /// Takes out all that is before the cursor.
  public mutating func deleteToStart() { replace(from: 0, to: cursor, with: "") }

  /// Goes a character to the left.
  public mutating func moveLeft() { cursor = max(cursor - 1, 0) }

  /// Goes a character to the right.
  public mutating func moveRight() { cursor = min(cursor + 1, text.count) }

  /// Goes to the beginning.
  public mutating func moveToStart() { cursor = 0 }

  /// Goes to the end.
  public mutating func moveToEnd() { cursor = text.count }

  /// Goes to the beginning of the word, or of the one before.
  public mutating func moveWordLeft() { cursor = startOfWord }

  /// Goes to the end of the word, or of the one after.
  public mutating func moveWordRight() { cursor = endOfWord }

  private var startOfWord: Int {
    let rest = head.reversed().drop { !$0.isPartOfWord }
    return rest.drop { $0.isPartOfWord }.count
  }

  private var endOfWord: Int {
    let rest = tail.drop { !$0.isPartOfWord }
    return text.count - rest.drop { $0.isPartOfWord }.count
  }

  /// Puts text in the place of some characters, and the cursor behind it: behind the character that
  /// its end is part of, where what follows combines with it.
  private mutating func replace(from start: Int, to end: Int, with added: String) {
    let start = max(start, 0)
    guard start < end || !added.isEmpty else { return }
    let head = String(text.prefix(start)) + added
    let tail = text.dropFirst(max(end, start))
    let place = head.utf8.count
    text = head + tail
    var count = 0
    var bytes = 0
    for character in text where bytes < place {
      bytes += character.utf8.count
      count += 1
    }
    cursor = count
  }

  private static func cleaned(_ text: String, room: Int) -> String {
    var cleaned = String.UnicodeScalarView()
    var bytes = 0
    var isSpaceOwed = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n", "\r", "\t", "\u{85}", "\u{2028}", "\u{2029}":
        isSpaceOwed = !cleaned.isEmpty
        continue
      case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{FEFF}": continue
      default: if scalar.properties.generalCategory == .control { continue }
      }
      bytes += UTF8.width(scalar) + (isSpaceOwed ? 1 : 0)
      guard bytes <= room else { break }
      if isSpaceOwed { cleaned.append(" ") }
      isSpaceOwed = false
      cleaned.append(scalar)
    }
    return String(cleaned)
  }
}

extension Character {
  fileprivate var isPartOfWord: Bool { isLetter || isNumber || self == "_" }
}
