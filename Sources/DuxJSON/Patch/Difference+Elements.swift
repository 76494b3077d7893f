/// A subtree of an array and how many elements it holds.
private typealias Subtree = (node: Unmanaged<Node<ArrayKind>>, count: Int)

extension Difference {
  /// Appends what leads from one array's elements to another's.
  ///
  /// The subtrees that both share are found level by level, from the root down, and only what lies
  /// between them is compared.
  mutating func compareElements(_ old: Tree<ArrayKind>, _ new: Tree<ArrayKind>) {
    withExtendedLifetime((old, new)) {
      var left = Self.level(of: old)
      var right = Self.level(of: new)
      var heights = (old.root?.height ?? 0, new.root?.height ?? 0)
      while heights.0 > heights.1 {
        left = Self.children(of: left[...])
        heights.0 -= 1
      }
      while heights.1 > heights.0 {
        right = Self.children(of: right[...])
        heights.1 -= 1
      }
      var index = 0
      align(left, right, height: heights.0, index: &index)
    }
  }

  /// Compares two runs of subtrees of one height.
  ///
  /// - Parameters:
  ///   - old: the subtrees of the old array.
  ///   - new: the subtrees that take their place.
  ///   - height: their height.
  ///   - index: where the run starts in the new array; afterwards where it ends.
  private mutating func align(
    _ old: [Subtree], _ new: [Subtree], height: Int, index: inout Int
  ) {
    work += old.count + new.count
    let common = min(old.count, new.count)
    var prefix = 0
    while prefix < common, Self.isShared(old[prefix], new[prefix]) {
      index += old[prefix].count
      prefix += 1
    }
    var suffix = 0
    while suffix < common - prefix,
      Self.isShared(old[old.count - 1 - suffix], new[new.count - 1 - suffix])
    {
      suffix += 1
    }
    var oldNext = prefix
    var newNext = prefix
    for anchor in Self.anchors(
      old[prefix..<(old.count - suffix)], new[prefix..<(new.count - suffix)])
    {
      if isTooLong { return }
      descend(old[oldNext..<anchor.old], new[newNext..<anchor.new], height: height, index: &index)
      index += old[anchor.old].count
      oldNext = anchor.old + 1
      newNext = anchor.new + 1
    }
    descend(
      old[oldNext..<(old.count - suffix)], new[newNext..<(new.count - suffix)], height: height,
      index: &index)
    for subtree in old.suffix(suffix) { index += subtree.count }
  }

  /// Compares what lies below two runs of subtrees that share none.
  private mutating func descend(
    _ old: ArraySlice<Subtree>, _ new: ArraySlice<Subtree>, height: Int, index: inout Int
  ) {
    if isTooLong || old.isEmpty && new.isEmpty { return }
    if height > 0, !old.isEmpty, !new.isEmpty {
      align(Self.children(of: old), Self.children(of: new), height: height - 1, index: &index)
    } else {
      let run = ElementRun(old: Self.elements(of: old), new: Self.elements(of: new))
      work += run.old.count + run.new.count
      appendSteps(of: run, index: &index)
    }
  }

  /// Appends the operations for the steps of two runs of elements.
  private mutating func appendSteps(of run: ElementRun, index: inout Int) {
    for step in run.steps() {
      if isTooLong { return }
      switch step {
      case .keep(let count): index += count
      case .change(let old, let new):
        at(String(index)) { $0.compare(run.old[old].pointee, run.new[new].pointee) }
        index += 1
      case .remove: at(String(index)) { $0.appendRemove() }
      case .add(let new):
        at(String(index)) { $0.appendAdd(run.new[new].pointee) }
        index += 1
      }
    }
  }

  private static func isShared(_ a: Subtree, _ b: Subtree) -> Bool {
    a.node.toOpaque() == b.node.toOpaque()
  }

  /// Pairs of places at which both runs have the very same subtree, in increasing order.
  private static func anchors(
    _ old: ArraySlice<Subtree>, _ new: ArraySlice<Subtree>
  ) -> [Anchor] {
    if old.isEmpty || new.isEmpty { return [] }
    var places: [UnsafeMutableRawPointer: Int] = [:]
    for index in old.indices { places[old[index].node.toOpaque()] = index }
    return Anchor.increasing(
      new.indices.compactMap { index in
        places[new[index].node.toOpaque()].map { Anchor(old: $0, new: index) }
      })
  }

  private static func level(of tree: Tree<ArrayKind>) -> [Subtree] {
    tree.root.map { [(Unmanaged.passUnretained($0), tree.count)] } ?? []
  }

  private static func children(of level: ArraySlice<Subtree>) -> [Subtree] {
    var children: [Subtree] = []
    for subtree in level {
      subtree.node._withUnsafeGuaranteedRef { node in
        for slot in 0..<node.slots {
          let child = node.children + slot
          children.append((Unmanaged.passUnretained(child.pointee.node), child.pointee.mark))
        }
      }
    }
    return children
  }

  private static func elements(of level: ArraySlice<Subtree>) -> [UnsafePointer<JSON>] {
    var elements: [UnsafePointer<JSON>] = []
    for subtree in level {
      subtree.node._withUnsafeGuaranteedRef { node in
        Tree<ArrayKind>(root: node).forEach { elements.append($0) }
      }
    }
    return elements
  }
}

/// A place in an old and in a new sequence at which both have the same.
struct Anchor: Equatable {
  var old: Int
  var new: Int

  /// The longest selection of anchors, given by increasing `new`, in which `old` increases too.
  ///
  /// - Complexity: O(*n* log *n*).
  static func increasing(_ anchors: [Anchor]) -> [Anchor] {
    /// For each length, the anchor that ends the selection of that length with the least `old`.
    var ends: [Int] = []
    var previous: [Int?] = []
    for (index, anchor) in anchors.enumerated() {
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if anchors[ends[middle]].old < anchor.old { low = middle + 1 } else { high = middle }
      }
      previous.append(low > 0 ? ends[low - 1] : nil)
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var selection: [Anchor] = []
    var next = ends.last
    while let index = next {
      selection.append(anchors[index])
      next = previous[index]
    }
    return selection.reversed()
  }
}
