import DuxEngine
import DuxJSON

/// How many rows the open containers of a value take, so that any row is found without walking.
///
/// - Complexity: O(*k* log *n*) to make, for *k* open containers among *n* entries.
struct TreeLayout {
  /// Rows below the container itself.
  let rowCount: Int
  /// Those entries that are open, ascending by their position.
  private let openEntries: [OpenEntry]

  private struct OpenEntry {
    let position: Int
    /// The entry's own row, counted from the first below the container.
    let row: Int
    let layout: TreeLayout
  }

  /// The layout of a container that is open, with what is open below; `nil` where the value is none.
  init?(of value: JSON, open: PathTrie<Void>) {
    guard let count = value.entryCount else { return nil }
    var found: [(position: Int, layout: TreeLayout)] = []
    for (token, child) in open.children {
      guard let position = value.position(of: token.text),
        let layout = TreeLayout(of: value.entry(at: position).value, open: child)
      else { continue }
      found.append((position, layout))
    }
    found.sort { $0.position < $1.position }
    var entries: [OpenEntry] = []
    var below = 0
    for (position, layout) in found {
      entries.append(OpenEntry(position: position, row: position + below, layout: layout))
      below += layout.rowCount
    }
    openEntries = entries
    rowCount = count + below
  }

  /// The way to a row below the container: which entry, and further on in it.
  ///
  /// - Complexity: O(log *k*) for each level.
  enum Step {
    /// The entry itself, and whether it is open.
    case entry(position: Int, isOpen: Bool)
    /// A row below an open entry.
    case below(position: Int, TreeLayout, row: Int)
  }

  /// Where a row is, from 0 and below ``rowCount``.
  func step(toRow row: Int) -> Step {
    var low = 0
    var high = openEntries.count
    while low < high {
      let middle = (low + high) / 2
      if openEntries[middle].row <= row { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return .entry(position: row, isOpen: false) }
    let entry = openEntries[low - 1]
    let offset = row - entry.row
    if offset == 0 { return .entry(position: entry.position, isOpen: true) }
    if offset <= entry.layout.rowCount {
      return .below(position: entry.position, entry.layout, row: offset - 1)
    }
    return .entry(position: entry.position + offset - entry.layout.rowCount, isOpen: false)
  }

  /// The row of an entry, and its layout where it is open.
  func row(ofPosition position: Int) -> (row: Int, layout: TreeLayout?) {
    var row = position
    for entry in openEntries {
      if entry.position == position { return (row, entry.layout) }
      if entry.position > position { break }
      row += entry.layout.rowCount
    }
    return (row, nil)
  }
}

/// Containers by position.
extension JSON {
  /// How many entries the container has; `nil` for what is none.
  var entryCount: Int? {
    switch self {
    case .object(let object): object.count
    case .array(let array): array.count
    default: nil
    }
  }

  /// The entry at a position that the container has.
  func entry(at position: Int) -> (token: String, value: JSON) {
    switch self {
    case .object(let object):
      let member = object.member(at: position)
      return (member.key, member.value)
    case .array(let array): return (String(position), array[position])
    default: preconditionFailure("only a container has entries")
    }
  }

  /// Where an entry stands; `nil` where there is none of that name.
  func position(of token: String) -> Int? {
    switch self {
    case .object(let object):
      let place = object.position(of: token)
      return place.isPresent ? place.position : nil
    case .array(let array):
      guard let index = Int(token), (0..<array.count).contains(index), String(index) == token
      else { return nil }
      return index
    default: return nil
    }
  }
}
