import DuxJSON

/// A search for text in the names, paths and values of a state, done in pieces of bounded work.
struct StateSearch {
  /// What is looked for.
  let query: String
  /// The places found so far, in the order of the state.
  private(set) var matches: [JSONPointer] = []
  /// Entries looked at so far.
  private(set) var seenCount = 0
  /// Whether the end is reached, or as much was found as is kept.
  private(set) var isDone = false

  private let needle: Needle
  private var levels: [Level]
  private var tokens: [String] = []
  private var seenBytes = 0
  private let totalBytes: Int

  /// Places that are kept.
  static let matchLimit = 10_000
  /// Bytes of text that are as much work as an entry.
  private static let bytesPerEntry = 128

  fileprivate enum Level {
    case members(JSONObject.Iterator)
    case elements(JSONArray, next: Int)
  }

  /// Begins a search.
  init(for query: String, in value: JSON?) {
    self.query = query
    needle = Needle(query)
    totalBytes = value?.encodedByteCount ?? 0
    levels = value.flatMap(Level.init(of:)).map { [$0] } ?? []
    isDone = levels.isEmpty || query.isEmpty
  }

  /// Whether not all that there is was kept.
  var isCut: Bool { matches.count >= Self.matchLimit }

  /// How far the search is, from 0 to 1.
  var progress: Double {
    isDone || totalBytes == 0 ? 1 : min(1, Double(seenBytes) / Double(totalBytes))
  }

  /// Looks at some more entries.
  mutating func run(entries: Int) {
    var left = entries
    while left > 0, !isDone {
      guard let (token, value) = next() else {
        levels.removeLast()
        isDone = levels.isEmpty
        if !isDone { tokens.removeLast() }
        continue
      }
      left -= 1 + look(at: token, value) / Self.bytesPerEntry
      seenCount += 1
      if isCut { isDone = true }
      if !isDone, let level = Level(of: value) {
        levels.append(level)
        tokens.append(token)
      }
    }
  }

  private mutating func next() -> (token: String, value: JSON)? {
    switch levels[levels.count - 1] {
    case .members(var iterator):
      // Taken out while it advances, so that it is not copied.
      levels[levels.count - 1] = .elements(JSONArray(), next: 0)
      let member = iterator.next()
      levels[levels.count - 1] = .members(iterator)
      return member.map { ($0.key, $0.value) }
    case .elements(let array, let index):
      guard index < array.count else { return nil }
      levels[levels.count - 1] = .elements(array, next: index + 1)
      return (String(index), array[index])
    }
  }

  /// - Returns: the bytes of text that were looked at.
  private mutating func look(at token: String, _ value: JSON) -> Int {
    var bytes = token.utf8.count
    var isMatch: Bool
    if needle.isPath {
      let path = JSONPointer(tokens: tokens + [token]).description
      isMatch = needle.isFound(in: path)
      bytes = path.utf8.count
    } else {
      isMatch = needle.isFound(in: token) && !isIndex
    }
    if value.entryCount == nil {
      let text = value.stringValue ?? value.description
      bytes += text.utf8.count
      if !isMatch, !needle.isPath { isMatch = needle.isFound(in: text) }
    }
    seenBytes += bytes + 4
    if isMatch { matches.append(JSONPointer(tokens: tokens + [token])) }
    return bytes
  }

  /// Whether the entries of this level have numbers instead of names.
  private var isIndex: Bool {
    if case .elements? = levels.last { return true }
    return false
  }
}

extension StateSearch.Level {
  fileprivate init?(of value: JSON) {
    switch value {
    case .object(let object) where !object.isEmpty: self = .members(object.makeIterator())
    case .array(let array) where !array.isEmpty: self = .elements(array, next: 0)
    default: return nil
    }
  }
}

/// A text to be found in others; small letters stand for capitals too.
struct Needle {
  private let bytes: [UInt8]
  private let ignoresCase: Bool
  /// Whether it begins as a path does, so that it is looked for in paths.
  let isPath: Bool

  /// Makes a needle.
  init(_ text: String) {
    bytes = Array(text.utf8)
    ignoresCase = !text.utf8.contains { (0x41...0x5A).contains($0) }
    isPath = text.hasPrefix("/")
  }

  /// Whether it is somewhere in a text.
  ///
  /// - Complexity: O(*n* × *m*) at worst.
  func isFound(in text: String) -> Bool {
    place(in: text) != nil
  }

  /// The first place in a text, counted in bytes of UTF-8.
  func place(in text: String) -> Int? {
    guard let first = bytes.first else { return 0 }
    var text = text
    return text.withUTF8 { hay in
      var start = 0
      while start + bytes.count <= hay.count {
        if fold(hay[start]) == first, matches(hay, at: start) { return start }
        start += 1
      }
      return nil
    }
  }

  private func matches(_ hay: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
    for index in 1..<max(1, bytes.count) where fold(hay[start + index]) != bytes[index] {
      return false
    }
    return true
  }

  private func fold(_ byte: UInt8) -> UInt8 {
    ignoresCase && (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}
