import DuxJSON

/// Ways to go on with what is being typed.
struct Completion: Equatable {
  /// Where the text to be replaced begins, in characters; it ends at the cursor.
  let start: Int
  /// What may stand in its place.
  let candidates: [String]

  /// Candidates that are offered at most.
  static let limit = 100
  /// Before a path that is part of more.
  private static let separators: Set<Character> = [" ", "\"", "=", ",", ":", "[", "{", "("]

  /// What all candidates begin with.
  var commonPrefix: String {
    guard var prefix = candidates.first.map({ $0[...] }) else { return "" }
    for candidate in candidates.dropFirst() {
      while !candidate.hasPrefix(prefix) { prefix = prefix.dropLast() }
    }
    return String(prefix)
  }

  /// The completions of an action being typed, up to the cursor: of its type or of a path in it.
  init?(ofAction text: String, types: some Sequence<String>, state: JSON?) {
    let isFirstWord = !text.contains(" ") && !text.hasPrefix("{") && !text.hasPrefix("[")
    if isFirstWord, !text.hasPrefix("/") {
      let candidates = types.filter { $0.hasPrefix(text) && $0 != text }.sorted()
      self.init(start: 0, candidates: Array(candidates.prefix(Self.limit)))
      return
    }
    guard let mark = text.lastIndex(where: Self.separators.contains) else { return nil }
    let fragment = text[text.index(after: mark)...]
    self.init(ofPath: String(fragment), state: state, isQuoted: text[mark] == "\"")
    guard !candidates.isEmpty else { return nil }
    self = Completion(
      start: text.distance(from: text.startIndex, to: fragment.startIndex), candidates: candidates)
  }

  /// The completions of a path being typed, up to the cursor.
  init(ofPath text: String, state: JSON?, isQuoted: Bool = false) {
    start = 0
    guard let slash = text.lastIndex(of: "/"),
      let parent = try? JSONPointer(String(text[..<slash])),
      let container = state?.value(at: parent)
    else {
      candidates = text.isEmpty && state?.entryCount ?? 0 > 0 ? ["/"] : []
      return
    }
    let escaped = String(text[text.index(after: slash)...])
    let name = (try? JSONPointer("/" + escaped))?.last ?? escaped
    candidates = container.entries(beginningWith: name, limit: Self.limit).map { entry in
      let path = parent.appending(entry.token).description
      let text = isQuoted ? String(JSON.string(path).description.dropFirst().dropLast()) : path
      return entry.value.entryCount ?? 0 > 0 ? text + "/" : text
    }.filter { $0 != text }
  }

  private init(start: Int, candidates: [String]) {
    self.start = start
    self.candidates = candidates
  }
}

extension JSON {
  /// The first entries whose names begin with a text.
  ///
  /// - Complexity: O((limit + log *n*)), but for arrays O(*n*) of index arithmetic.
  fileprivate func entries(
    beginningWith prefix: String, limit: Int
  ) -> [(token: String, value: JSON)] {
    switch self {
    case .object(let object):
      var position = object.position(of: prefix).position
      var entries: [(String, JSON)] = []
      while position < object.count, entries.count < limit {
        let member = object.member(at: position)
        guard member.key.utf8.starts(with: prefix.utf8) else { break }
        entries.append((member.key, member.value))
        position += 1
      }
      return entries
    case .array(let array):
      return JSON.indices(beginningWith: prefix, below: array.count, limit: limit).map {
        (String($0), array[$0])
      }
    default: return []
    }
  }

  /// Numbers below a bound whose digits begin with others, ascending by their length.
  private static func indices(beginningWith prefix: String, below count: Int, limit: Int) -> [Int] {
    guard !prefix.isEmpty else { return Array(0..<min(count, limit)) }
    guard var low = Int(prefix), low >= 0, String(low) == prefix else { return [] }
    var found: [Int] = []
    var width = 1
    while low < count, found.count < limit {
      found += low..<min(count, low + min(width, limit - found.count))
      guard low > 0, width < 1_000_000_000 else { break }
      low *= 10
      width *= 10
    }
    return found
  }
}
