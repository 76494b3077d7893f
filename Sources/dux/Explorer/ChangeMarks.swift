import DuxJSON

/// Which places changed lately, and how: marks that fade with time.
struct ChangeMarks {
  /// What happened to a place.
  enum Kind {
    case added
    case replaced
    /// Something in it went away.
    case thinned
    /// Something in it changed.
    case below
  }

  /// How long ago it was.
  enum Age: Comparable {
    case fresh
    case recent
    case old
  }

  /// What is seen of a mark.
  struct Sight: Equatable {
    let kind: Kind
    let age: Age
  }

  fileprivate struct Mark {
    var kind: Kind?
    var atMs: Int64 = .min
    /// When anything below changed last.
    var belowMs: Int64 = .min
  }

  private var trie = PathTrie<Mark>()
  /// Places with marks, and perhaps a few too many.
  private var count = 0
  private var lastMs: Int64 = .min

  private static let freshMs: Int64 = 1_500
  private static let recentMs: Int64 = 6_000
  /// When a mark is gone.
  static let fadedMs: Int64 = 20_000
  /// Places that have marks at most; with more, the older marks are given up.
  private static let limit = 4_096

  /// Whether any mark may still be seen.
  func isShowing(atMs nowMs: Int64) -> Bool {
    !trie.isEmpty && nowMs - lastMs < Self.fadedMs
  }

  /// Notes what an operation changes in the value before it.
  mutating func note(_ operation: JSONPatchOperation, in before: JSON?, atMs nowMs: Int64) {
    for displacement in Displacement.all(of: operation, in: before) { trie.follow(displacement) }
    let path = operation.path
    switch operation {
    case .test: return
    case .remove:
      mark(path.parent ?? .root, .thinned, nowMs)
      if let name = path.last, before?.value(at: path.parent ?? .root)?.objectValue != nil {
        trie.update((path.parent ?? .root).tokens[...]) { $0.removeChild(name) }
      }
    case .add, .copy, .move:
      let isElement = before?.value(at: path.parent ?? .root)?.arrayValue != nil
      let isNew = isElement && !path.isRoot || before?.value(at: path) == nil
      mark(path.resolvingEnd(in: before), isNew ? .added : .replaced, nowMs)
    case .replace:
      mark(path, .replaced, nowMs)
    }
  }

  private mutating func mark(_ path: JSONPointer, _ kind: Kind, _ nowMs: Int64) {
    if count > Self.limit {
      prune(atMs: nowMs)
      if count > Self.limit / 2 { clear() }
    }
    lastMs = nowMs
    for length in 0..<path.tokens.count {
      trie.update(path.tokens.prefix(length)) { $0.value = ($0.value ?? Mark()).below(nowMs) }
    }
    count += 1
    trie.update(path.tokens[...]) { node in
      var mark = node.value ?? Mark()
      mark.kind = kind
      mark.atMs = nowMs
      if kind == .thinned { mark.belowMs = nowMs } else { node.removeChildren() }
      node.value = mark
    }
  }

  /// Forgets what has faded.
  mutating func prune(atMs nowMs: Int64) {
    trie.filter { mark in
      guard let found = mark else { return }
      if nowMs - max(found.atMs, found.belowMs) >= Self.fadedMs { mark = nil }
    }
    count = trie.nodeCount
  }

  /// Forgets all.
  mutating func clear() {
    trie = PathTrie()
    count = 0
  }

  /// What is to be seen at a place, by its own mark or by one of a place around it; `isOpen` tells
  /// that what is below shows its own marks.
  func sight(at path: JSONPointer, isOpen: Bool, atMs nowMs: Int64) -> Sight? {
    guard isShowing(atMs: nowMs) else { return nil }
    var node = trie
    var best: (kind: Kind, ms: Int64)?
    func consider(_ kind: Kind, _ ms: Int64) {
      if ms > best?.ms ?? .min { best = (kind, ms) }
    }
    for token in path.tokens {
      if let mark = node.value, let kind = mark.kind, kind != .thinned {
        consider(kind, mark.atMs)
      }
      guard let next = node.child(token) else { return Self.sight(best, nowMs) }
      node = next
    }
    if let mark = node.value {
      if let kind = mark.kind { consider(kind, mark.atMs) }
      if !isOpen { consider(.below, mark.belowMs) }
    }
    return Self.sight(best, nowMs)
  }

  private static func sight(_ mark: (kind: Kind, ms: Int64)?, _ nowMs: Int64) -> Sight? {
    guard let mark, nowMs - mark.ms < fadedMs else { return nil }
    let ageMs = nowMs - mark.ms
    return Sight(
      kind: mark.kind, age: ageMs < freshMs ? .fresh : ageMs < recentMs ? .recent : .old)
  }
}

extension ChangeMarks.Mark {
  fileprivate func below(_ nowMs: Int64) -> Self {
    var mark = self
    mark.belowMs = nowMs
    return mark
  }
}

extension JSONPointer {
  /// The pointer with the index that `-` stands for, where it ends so.
  fileprivate func resolvingEnd(in value: JSON?) -> JSONPointer {
    guard last == "-", let parent, let count = value?.value(at: parent)?.arrayValue?.count
    else { return self }
    return parent.appending(String(count))
  }
}
