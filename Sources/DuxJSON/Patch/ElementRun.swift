/// Two runs of array elements, of which the new one takes the old one's place.
struct ElementRun {
  let old: [UnsafePointer<JSON>]
  let new: [UnsafePointer<JSON>]

  /// A step on the way from the old run to the new one; indices count within the runs.
  enum Step: Equatable {
    case keep(count: Int)
    case change(old: Int, new: Int)
    case remove(old: Int)
    case add(new: Int)
  }

  /// The most comparisons spent on finding the fewest steps.
  static let maximumComparisons = 4096

  /// The steps from the old run to the new one: few if that is cheap to find.
  ///
  /// - Complexity: O(*n* log *n*) and at most ``maximumComparisons`` between two anchors.
  func steps() -> [Step] {
    var steps: [Step] = []
    let prints = (old.map(Self.print), new.map(Self.print))
    appendSteps(old: 0..<old.count, new: 0..<new.count, prints, anchored: .notYet, to: &steps)
    return steps
  }

  /// Whether a range is what lies between anchors already.
  private enum Anchoring { case notYet, done }

  private typealias Prints = (old: [Int], new: [Int])

  private func appendSteps(
    old: Range<Int>, new: Range<Int>, _ prints: Prints, anchored: Anchoring, to steps: inout [Step]
  ) {
    let common = min(old.count, new.count)
    var prefix = 0
    while prefix < common, isSame(old.lowerBound + prefix, new.lowerBound + prefix, prints) {
      prefix += 1
    }
    var suffix = 0
    while suffix < common - prefix,
      isSame(old.upperBound - 1 - suffix, new.upperBound - 1 - suffix, prints)
    {
      suffix += 1
    }
    if prefix > 0 { steps.append(.keep(count: prefix)) }
    let oldRest = (old.lowerBound + prefix)..<(old.upperBound - suffix)
    let newRest = (new.lowerBound + prefix)..<(new.upperBound - suffix)
    if oldRest.isEmpty || newRest.isEmpty {
      Self.pair(oldRest, newRest, to: &steps)
    } else if oldRest.count.multipliedReportingOverflow(by: newRest.count).overflow
      || oldRest.count * newRest.count > Self.maximumComparisons
    {
      let anchors = anchored == .notYet ? uniqueAnchors(oldRest, newRest, prints) : []
      appendSteps(between: anchors, old: oldRest, new: newRest, prints, to: &steps)
    } else {
      appendSteps(
        along: longestCommon(oldRest, newRest, prints), old: oldRest, new: newRest, to: &steps)
    }
    if suffix > 0 { steps.append(.keep(count: suffix)) }
  }

  /// Compares what lies between anchors; without any, place by place.
  private func appendSteps(
    between anchors: [Anchor], old: Range<Int>, new: Range<Int>, _ prints: Prints,
    to steps: inout [Step]
  ) {
    if anchors.isEmpty { return Self.pair(old, new, to: &steps) }
    var next = Anchor(old: old.lowerBound, new: new.lowerBound)
    for anchor in anchors {
      appendSteps(
        old: next.old..<anchor.old, new: next.new..<anchor.new, prints, anchored: .done, to: &steps)
      steps.append(.keep(count: 1))
      next = Anchor(old: anchor.old + 1, new: anchor.new + 1)
    }
    appendSteps(
      old: next.old..<old.upperBound, new: next.new..<new.upperBound, prints, anchored: .done,
      to: &steps)
  }

  /// Keeps what lies on anchors and pairs what lies between.
  private func appendSteps(
    along anchors: [Anchor], old: Range<Int>, new: Range<Int>, to steps: inout [Step]
  ) {
    var next = Anchor(old: old.lowerBound, new: new.lowerBound)
    for anchor in anchors {
      Self.pair(next.old..<anchor.old, next.new..<anchor.new, to: &steps)
      steps.append(.keep(count: 1))
      next = Anchor(old: anchor.old + 1, new: anchor.new + 1)
    }
    Self.pair(next.old..<old.upperBound, next.new..<new.upperBound, to: &steps)
  }

  /// Turns removals and additions in one place into changes, as far as they pair.
  private static func pair(_ old: Range<Int>, _ new: Range<Int>, to steps: inout [Step]) {
    let common = min(old.count, new.count)
    for offset in 0..<common {
      steps.append(.change(old: old.lowerBound + offset, new: new.lowerBound + offset))
    }
    for index in old.dropFirst(common) { steps.append(.remove(old: index)) }
    for index in new.dropFirst(common) { steps.append(.add(new: index)) }
  }
}

extension ElementRun {
  /// The greatest container, by its text, that is compared as a whole; greater ones by identity.
  private static let maximumComparedBytes = 256

  /// A number that is the same for elements that ``isSame(_:_:_:)`` takes for equal.
  private static func print(_ element: UnsafePointer<JSON>) -> Int {
    switch element.pointee {
    case .array(let array) where array.encodedByteCount > maximumComparedBytes:
      array.tree.root.map { ObjectIdentifier($0).hashValue } ?? 0
    case .object(let object) where object.encodedByteCount > maximumComparedBytes:
      object.tree.root.map { ObjectIdentifier($0).hashValue } ?? 0
    default: element.pointee.hashValue
    }
  }

  /// Whether two elements are certainly equal; equal large containers may count as different.
  private func isSame(_ oldIndex: Int, _ newIndex: Int, _ prints: Prints) -> Bool {
    guard prints.old[oldIndex] == prints.new[newIndex] else { return false }
    let (a, b) = (old[oldIndex].pointee, new[newIndex].pointee)
    return a.encodedByteCount > Self.maximumComparedBytes ? a.isTriviallyIdentical(to: b) : a == b
  }

  /// Anchors at elements that are alone of their kind in both ranges.
  private func uniqueAnchors(
    _ oldRange: Range<Int>, _ newRange: Range<Int>, _ prints: Prints
  ) -> [Anchor] {
    let oldPlaces = Self.uniquePlaces(of: prints.old, in: oldRange)
    let newPlaces = Self.uniquePlaces(of: prints.new, in: newRange)
    return Anchor.increasing(
      newRange.compactMap { index in
        guard newPlaces[prints.new[index]] == .some(index),
          let place = oldPlaces[prints.new[index]], let place, isSame(place, index, prints)
        else { return nil }
        return Anchor(old: place, new: index)
      })
  }

  /// Where each print stands; nothing for one that stands in two places.
  private static func uniquePlaces(of prints: [Int], in range: Range<Int>) -> [Int: Int?] {
    var places: [Int: Int?] = [:]
    for index in range {
      places.updateValue(places[prints[index]] == nil ? index : nil, forKey: prints[index])
    }
    return places
  }

  /// Anchors along a longest common subsequence, by dynamic programming.
  private func longestCommon(
    _ oldRange: Range<Int>, _ newRange: Range<Int>, _ prints: Prints
  ) -> [Anchor] {
    let width = newRange.count + 1
    var lengths = [UInt16](repeating: 0, count: (oldRange.count + 1) * width)
    for row in stride(from: oldRange.count - 1, through: 0, by: -1) {
      for column in stride(from: newRange.count - 1, through: 0, by: -1) {
        let isEqual =
          prints.old[oldRange.lowerBound + row] == prints.new[newRange.lowerBound + column]
        let cell = row * width + column
        lengths[cell] =
          isEqual
          ? lengths[cell + width + 1] + 1 : max(lengths[cell + width], lengths[cell + 1])
      }
    }
    var anchors: [Anchor] = []
    var (row, column) = (0, 0)
    while row < oldRange.count, column < newRange.count {
      let cell = row * width + column
      let place = Anchor(old: oldRange.lowerBound + row, new: newRange.lowerBound + column)
      if prints.old[place.old] == prints.new[place.new] {
        if isSame(place.old, place.new, prints) { anchors.append(place) }
        row += 1
        column += 1
      } else if lengths[cell + width] >= lengths[cell + 1] {
        row += 1
      } else {
        column += 1
      }
    }
    return anchors
  }
}
