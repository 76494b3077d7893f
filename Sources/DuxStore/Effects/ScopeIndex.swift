/// Which effects each scope owns, as a tree: all of a scope and of what lies inside it are found
/// without looking at others.
struct ScopeIndex: Sendable {
  /// A scope's place in the tree, valid as long as it owns something.
  struct Place: Hashable, Sendable {
    fileprivate let index: Int
    fileprivate static let root = Place(index: 0)
  }

  private struct Node: Sendable {
    var parent = Place.root
    var name = ""
    var children: [String: Place] = [:]
    var members: Set<EffectToken> = []
  }

  private var nodes = [Node()]
  private var free: [Place] = []

  /// Whether no scope owns anything.
  var isEmpty: Bool { nodes.count == free.count + 1 && nodes[0].members.isEmpty }

  /// Adds an effect to a scope.
  ///
  /// - Complexity: O(depth of the scope).
  mutating func insert(_ token: EffectToken, into scope: EffectScope) -> Place {
    var place = Place.root
    for name in scope.path {
      place = nodes[place.index].children[name] ?? addChild(name, to: place)
    }
    nodes[place.index].members.insert(token)
    return place
  }

  /// Removes an effect, and the scopes that own nothing any more.
  mutating func remove(_ token: EffectToken, from place: Place) {
    nodes[place.index].members.remove(token)
    var place = place
    while place != .root, nodes[place.index].members.isEmpty, nodes[place.index].children.isEmpty {
      let node = nodes[place.index]
      nodes[node.parent.index].children[node.name] = nil
      nodes[place.index] = Node()
      free.append(place)
      place = node.parent
    }
  }

  /// The effects of a scope and of all scopes inside it, in the order in which they began.
  ///
  /// - Complexity: O(n log n) in the number found.
  func members(in scope: EffectScope) -> [EffectToken] {
    var start = Place.root
    for name in scope.path {
      guard let next = nodes[start.index].children[name] else { return [] }
      start = next
    }
    var found: [EffectToken] = []
    var pending = [start]
    while let place = pending.popLast() {
      found.append(contentsOf: nodes[place.index].members)
      pending.append(contentsOf: nodes[place.index].children.values)
    }
    return found.sorted()
  }

  private mutating func addChild(_ name: String, to parent: Place) -> Place {
    let node = Node(parent: parent, name: name)
    let place: Place
    if let reused = free.popLast() {
      place = reused
      nodes[place.index] = node
    } else {
      place = Place(index: nodes.count)
      nodes.append(node)
    }
    nodes[parent.index].children[name] = place
    return place
  }
}
