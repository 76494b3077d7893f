/// Cells side by side that are no longer what they were.
public struct Change: Hashable, Sendable {
  /// Their line.
  public let row: Int
  /// Where they begin and end in it: never between the halves of a wide character, be it of now or
  /// of before.
  public let columns: Range<Int>
}

extension Grid {
  /// The runs of cells that differ from an older grid, from the top to the bottom and from left to
  /// right; all of them where the sizes differ.
  ///
  /// - Complexity: O(cells).
  public func changes(from old: Grid) -> [Change] {
    guard old.size == size else {
      return size.columns == 0
        ? [] : (0..<size.rows).map { Change(row: $0, columns: 0..<size.columns) }
    }
    var changes: [Change] = []
    for row in 0..<size.rows {
      Self.compare(old[row: row], self[row: row], row: row, into: &changes)
    }
    return changes
  }

  /// The cells of a change, as they are now.
  public subscript(change: Change) -> ArraySlice<Cell> {
    let line = self[row: change.row]
    return line.dropFirst(change.columns.lowerBound).prefix(change.columns.count)
  }

  private static func compare(
    _ old: ArraySlice<Cell>, _ new: ArraySlice<Cell>, row: Int, into changes: inout [Change]
  ) {
    let start = new.startIndex
    var index = start
    while index < new.endIndex {
      guard old[index] != new[index] else {
        index += 1
        continue
      }
      var first = index
      while old[first].part == .right || new[first].part == .right { first -= 1 }
      index += 1
      while index < new.endIndex,
        old[index] != new[index] || old[index].part == .right || new[index].part == .right
      {
        index += 1
      }
      changes.append(Change(row: row, columns: first - start..<index - start))
    }
  }
}
