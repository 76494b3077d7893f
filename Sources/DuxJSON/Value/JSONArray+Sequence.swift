extension JSONArray: Sequence {
  /// Walks the elements in order.
  public struct Iterator: IteratorProtocol {
    var base: TreeIterator<ArrayKind>

    /// The next element, or nothing after the last.
    public mutating func next() -> JSON? { base.next() }
  }

  /// Starts a walk over the elements as they are now.
  public func makeIterator() -> Iterator { Iterator(base: TreeIterator(tree)) }

  /// The number of elements, exactly.
  public var underestimatedCount: Int { count }
}

extension JSONArray: ExpressibleByArrayLiteral {
  /// Makes an array.
  public init(arrayLiteral elements: JSON...) { self.init(elements) }

  /// The length of the canonical text; saturates.
  var encodedByteCount: Int { tree.encodedByteCount }
}
