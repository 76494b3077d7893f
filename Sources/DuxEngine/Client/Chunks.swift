/// A list of which a changed copy shares most with the original.
///
/// A store keeps the state before a step while it makes the next one, so that each change works on a
/// copy: in an array that would cost its length, here it costs the number of chunks and one of them.
struct Chunks<Element>: BidirectionalCollection, MutableCollection {
  /// A place in a list; changes that add or remove make it useless.
  struct Index: Comparable {
    fileprivate var chunk: Int
    fileprivate var offset: Int

    static func < (left: Index, right: Index) -> Bool {
      (left.chunk, left.offset) < (right.chunk, right.offset)
    }
  }

  /// None is empty, and none is longer than `longest`.
  private var chunks: [[Element]] = []
  private(set) var count = 0

  private static var longest: Int { 32 }

  var startIndex: Index { Index(chunk: 0, offset: 0) }

  var endIndex: Index { Index(chunk: chunks.count, offset: 0) }

  func index(after index: Index) -> Index {
    index.offset + 1 < chunks[index.chunk].count
      ? Index(chunk: index.chunk, offset: index.offset + 1)
      : Index(chunk: index.chunk + 1, offset: 0)
  }

  func index(before index: Index) -> Index {
    index.offset > 0
      ? Index(chunk: index.chunk, offset: index.offset - 1)
      : Index(chunk: index.chunk - 1, offset: chunks[index.chunk - 1].count - 1)
  }

  subscript(index: Index) -> Element {
    get { chunks[index.chunk][index.offset] }
    _modify { yield &chunks[index.chunk][index.offset] }
  }

  /// Adds an element behind all others.
  mutating func append(_ element: Element) {
    if let last = chunks.last, last.count < Self.longest {
      chunks[chunks.count - 1].append(element)
    } else {
      chunks.append([element])
    }
    count += 1
  }

  /// Takes out what fits; chunks in which nothing does stay shared.
  mutating func removeAll(where isGone: (Element) -> Bool) {
    for index in chunks.indices where chunks[index].contains(where: isGone) {
      let before = chunks[index].count
      chunks[index].removeAll(where: isGone)
      count -= before - chunks[index].count
    }
    chunks.removeAll(where: \.isEmpty)
  }
}

extension Chunks: Sendable where Element: Sendable {}
