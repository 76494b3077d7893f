import DuxEngine
import DuxJSON

/// Something kept for places in the state: a tree by their tokens.
///
/// It follows the state: what is kept of an array's elements moves with them.
struct PathTrie<Value> {
  /// What is kept of this place.
  var value: Value?
  /// By member or index; names are the same only if their bytes are.
  private(set) var children: [ByteText: PathTrie] = [:]

  /// Whether nothing is kept here and below.
  var isEmpty: Bool { value == nil && children.isEmpty }

  /// How many places there are here and below, those on the way to others included.
  var nodeCount: Int { children.values.reduce(1) { $0 + $1.nodeCount } }

  /// What is kept at and below a member or an index.
  func child(_ token: String) -> PathTrie? { children[ByteText(token)] }

  /// What is kept at and below a place.
  func descendant(_ tokens: some Sequence<String>) -> PathTrie? {
    var node = self
    for token in tokens {
      guard let next = node.child(token) else { return nil }
      node = next
    }
    return node
  }

  /// Changes what is kept at a place; places on the way to it are made, and left out where nothing
  /// remains.
  mutating func update(_ tokens: ArraySlice<String>, _ body: (inout PathTrie) -> Void) {
    guard let token = tokens.first else { return body(&self) }
    var child = children[ByteText(token)] ?? PathTrie()
    child.update(tokens.dropFirst(), body)
    children[ByteText(token)] = child.isEmpty ? nil : child
  }

  /// Forgets everything below this place.
  mutating func removeChildren() {
    children = [:]
  }

  /// Forgets what is kept at and below a member or an index.
  mutating func removeChild(_ token: String) {
    children[ByteText(token)] = nil
  }

  /// Keeps of all places what `body` leaves of them.
  mutating func filter(_ body: (inout Value?) -> Void) {
    body(&value)
    var kept: [ByteText: PathTrie] = [:]
    for (token, child) in children {
      var child = child
      child.filter(body)
      if !child.isEmpty { kept[token] = child }
    }
    children = kept
  }

  /// Moves what is kept of the elements of an array from an index on.
  ///
  /// - Complexity: O(*n*) for *n* elements of which something is kept.
  mutating func shiftElements(of tokens: ArraySlice<String>, from index: Int, by distance: Int) {
    guard descendant(tokens) != nil else { return }
    update(tokens) { node in
      var moved: [ByteText: PathTrie] = [:]
      for (token, child) in node.children {
        guard let place = Int(token.text), place >= index else {
          moved[token] = child
          continue
        }
        // What was kept of an object's members may have greater numbers than any array.
        moved[ByteText(String(place &+ distance))] = child
      }
      node.children = moved
    }
  }
}

/// How an operation of a patch moves places.
enum Displacement {
  /// An element came in before an index.
  case inserted(array: JSONPointer, index: Int)
  /// An element went away.
  case removed(array: JSONPointer, index: Int)

  /// What an operation does to the value before it; nothing where all stay where they are.
  static func all(of operation: JSONPatchOperation, in value: JSON?) -> [Displacement] {
    switch operation {
    case .add(let path, _), .copy(_, let path):
      return insertion(at: path, in: value)
    case .remove(let path):
      return removal(at: path, in: value)
    case .move(let from, let path):
      // The path is one of the value without what is moved.
      let removal = removal(at: from, in: value)
      return removal + insertion(at: path, in: value.applying(.remove(path: from)))
    case .replace, .test:
      return []
    }
  }

  private static func insertion(at path: JSONPointer, in value: JSON?) -> [Displacement] {
    guard let array = path.parent, let token = path.last,
      let elements = value?.value(at: array)?.arrayValue
    else { return [] }
    return [.inserted(array: array, index: Int(token) ?? elements.count)]
  }

  private static func removal(at path: JSONPointer, in value: JSON?) -> [Displacement] {
    guard let array = path.parent, let token = path.last, let index = Int(token),
      value?.value(at: array)?.arrayValue != nil
    else { return [] }
    return [.removed(array: array, index: index)]
  }
}

extension PathTrie {
  /// Moves what is kept as an operation moved the places.
  mutating func follow(_ displacement: Displacement) {
    switch displacement {
    case .inserted(let array, let index):
      shiftElements(of: array.tokens[...], from: index, by: 1)
    case .removed(let array, let index):
      guard descendant(array.tokens) != nil else { return }
      update(array.tokens[...]) { $0.removeChild(String(index)) }
      shiftElements(of: array.tokens[...], from: index + 1, by: -1)
    }
  }
}

extension JSONPointer {
  /// The place after an operation moved it; `nil` where it went away.
  func following(_ displacement: Displacement) -> JSONPointer? {
    switch displacement {
    case .inserted(let array, let index):
      return shifted(in: array, from: index, by: 1)
    case .removed(let array, let index):
      if array.appending(String(index)).isPrefix(of: self) { return nil }
      return shifted(in: array, from: index, by: -1)
    }
  }

  private func shifted(in array: JSONPointer, from index: Int, by distance: Int) -> JSONPointer {
    guard tokens.count > array.tokens.count, array.isPrefix(of: self),
      let place = Int(tokens[array.tokens.count]), place >= index
    else { return self }
    var tokens = tokens
    tokens[array.tokens.count] = String(place &+ distance)
    return JSONPointer(tokens: tokens)
  }
}
