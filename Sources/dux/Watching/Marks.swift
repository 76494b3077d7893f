import DuxJSON

/// What a patch changed, by where it lies in the value after it: one node for each place.
struct Marks {
  /// What happened to a place.
  enum Kind {
    case added
    case replaced
    case removed
  }

  /// What happened here, with everything below.
  private(set) var kind: Kind?
  /// What was here before it was replaced.
  private(set) var old: JSON?
  /// By member or index, as a JSON string: those are the same only if their bytes are.
  private var children: [JSON: Marks] = [:]
  /// Members that are gone, ascending by their names.
  private(set) var removedMembers: [(name: String, old: JSON)] = []
  /// Elements that are gone, ascending by the index before which they stood.
  private(set) var removedElements: [(index: Int, old: JSON)] = []

  /// What happened at and below a member or an index.
  func child(_ token: String) -> Marks? { children[.string(token)] }

  var hasRemoved: Bool { !removedMembers.isEmpty || !removedElements.isEmpty }

  init() {}

  /// Finds out what a patch changes in a value.
  ///
  /// Later operations move what earlier ones marked, so each is looked at in the value as it finds it.
  /// - Complexity: O(*n* × *m*) for *n* operations among *m* marked siblings.
  init(_ patch: JSONPatch, of before: JSON?) {
    var value = before
    for operation in patch.operations {
      let found = value?.value(at: operation.path)
      let isElement = operation.path.parent.flatMap { value?.value(at: $0)?.arrayValue } != nil
      var change: Change?
      switch operation {
      case .add where isElement: change = .inserted
      case .add, .replace: change = found.map(Change.replaced) ?? .added
      case .remove: change = found.map { isElement ? .elementRemoved($0) : .memberRemoved($0) }
      case .move, .copy, .test: break
      }
      if let change { note(change, at: operation.path.tokens[...]) }
      value = value.applying(operation)
    }
  }

  private enum Change {
    case added
    case inserted
    case replaced(JSON)
    case memberRemoved(JSON)
    case elementRemoved(JSON)
  }

  private mutating func note(_ change: Change, at tokens: ArraySlice<String>) {
    guard kind != .added, kind != .replaced else { return }
    guard let token = tokens.first else {
      switch change {
      case .replaced(let former): self = Marks(kind: .replaced, old: former)
      default: self = Marks(kind: .added, old: nil)
      }
      return
    }
    guard tokens.count == 1 else {
      children[.string(token), default: Marks()].note(change, at: tokens.dropFirst())
      return
    }
    switch change {
    case .added, .replaced: children[.string(token), default: Marks()].note(change, at: [])
    case .memberRemoved(let former):
      children[.string(token)] = nil
      let place = removedMembers.firstIndex { token.precedes($0.name) } ?? removedMembers.count
      removedMembers.insert((token, former), at: place)
    case .inserted: insert(at: token)
    case .elementRemoved(let former): remove(former, at: token)
    }
  }

  private mutating func insert(at token: String) {
    // A place behind the last, `-`, moves nothing.
    guard let index = Int(token) else { return }
    shift(from: index, by: 1)
    removedElements = removedElements.map { $0.index > index ? ($0.index + 1, $0.old) : $0 }
    children[.string(token)] = Marks(kind: .added, old: nil)
  }

  private mutating func remove(_ former: JSON, at token: String) {
    guard let index = Int(token) else { return }
    let wasAdded = children[.string(token)]?.kind == .added
    children[.string(token)] = nil
    shift(from: index + 1, by: -1)
    removedElements = removedElements.map { $0.index > index ? ($0.index - 1, $0.old) : $0 }
    guard !wasAdded else { return }
    let place = removedElements.firstIndex { $0.index > index } ?? removedElements.count
    removedElements.insert((index, former), at: place)
  }

  private mutating func shift(from index: Int, by distance: Int) {
    var moved: [JSON: Marks] = [:]
    for (token, marks) in children {
      let place = token.stringValue.flatMap { Int($0) } ?? 0
      moved[place >= index ? .string(String(place + distance)) : token] = marks
    }
    children = moved
  }

  private init(kind: Kind, old: JSON?) {
    self.kind = kind
    self.old = old
  }
}
