/// Finds what somebody may have meant who typed a name that does not exist.
enum Suggestion {
  /// Longest input compared; what is longer is no slip of the finger.
  private static let longestInput = 64

  /// The name nearest to the input, if one is near enough to be a slip; the first of equals.
  static func nearest(to input: String, among names: [String]) -> String? {
    let typed = Array(input.lowercased())
    guard !typed.isEmpty, typed.count <= longestInput else { return nil }
    var best: (name: String, distance: Int)?
    for name in names {
      let distance = distance(typed, Array(name.lowercased()))
      if distance <= tolerance(for: max(typed.count, name.count)), distance < best?.distance ?? .max
      {
        best = (name, distance)
      }
    }
    return best?.name ?? onlyContinuation(of: typed, among: names)
  }

  /// Slips forgiven in a word: one in a short one, up to three in a long one.
  private static func tolerance(for count: Int) -> Int {
    count <= 2 ? 0 : min(3, max(1, count / 3))
  }

  private static func onlyContinuation(of typed: [Character], among names: [String]) -> String? {
    let longer = names.filter { typed.count >= 2 && $0.lowercased().starts(with: typed) }
    return longer.count == 1 ? longer.first : nil
  }

  /// Characters to insert, remove, replace or swap with their neighbour to make one word the other.
  ///
  /// - Complexity: O(*n* × *m*) for words of *n* and *m* characters.
  static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (row, character) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        let replaced = last[column] + (character == other ? 0 : 1)
        var cost = min(replaced, last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      beforeLast = last
      last = current
    }
    return last[right.count]
  }
}
