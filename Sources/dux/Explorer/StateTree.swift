import DuxJSON

/// A value as rows to look at: the root, and below each open container its entries.
///
/// Rows are computed by their index, so the size of the value does not matter.
struct StateTree {
  /// One row.
  struct Row: Sendable {
    let path: JSONPointer
    let value: JSON
    let isOpen: Bool
    var depth: Int { path.tokens.count }
    var isContainer: Bool { value.entryCount != nil }
  }

  /// What is shown; `nil` while nothing is known.
  private(set) var value: JSON?
  /// The selected place, which always has a row while there are any.
  private(set) var selection = JSONPointer.root
  /// The row of the selected place.
  private(set) var selectedRow = 0
  /// The containers that are open.
  private var open = PathTrie<Void>(value: ())
  /// `nil` while the root has no entries to show.
  private var layout: TreeLayout?

  /// Places that are open at most.
  static let openLimit = 2_000

  /// The number of rows.
  var rowCount: Int {
    value == nil ? 0 : 1 + (layout?.rowCount ?? 0)
  }

  /// Shows another value; the selection stays with its place, or with its row where that is gone.
  mutating func show(_ value: JSON?) {
    self.value = value
    arrange()
    if let value, value.value(at: selection) == nil {
      select(row: selectedRow)
    } else {
      selectedRow = row(of: selection)
    }
  }

  /// Moves what is open and selected as an operation moved the places.
  mutating func follow(_ displacement: Displacement) {
    open.follow(displacement)
    selection = selection.following(displacement) ?? selection
  }

  /// A row, by its index from 0 and below ``rowCount``.
  ///
  /// - Complexity: O(depth × log *n*).
  func row(at index: Int) -> Row? {
    guard let value, (0..<rowCount).contains(index) else { return nil }
    guard index > 0, let layout else {
      return Row(path: .root, value: value, isOpen: self.layout != nil)
    }
    var tokens: [String] = []
    var container = value
    var inner = layout
    var rest = index - 1
    while true {
      switch inner.step(toRow: rest) {
      case .entry(let position, let isOpen):
        let entry = container.entry(at: position)
        tokens.append(entry.token)
        return Row(path: JSONPointer(tokens: tokens), value: entry.value, isOpen: isOpen)
      case .below(let position, let next, let row):
        let entry = container.entry(at: position)
        tokens.append(entry.token)
        (container, inner, rest) = (entry.value, next, row)
      }
    }
  }

  /// The row of a place, or of the nearest container around it that has one.
  func row(of path: JSONPointer) -> Int {
    guard var container = value, var inner = layout else { return 0 }
    var row = 0
    for token in path.tokens {
      guard let position = container.position(of: token) else { return row }
      let (offset, next) = inner.row(ofPosition: position)
      row += 1 + offset
      guard let next else { return row }
      (container, inner) = (container.entry(at: position).value, next)
    }
    return row
  }

  /// The selected row.
  var selected: Row? { row(at: selectedRow) }

  /// Selects a row, the nearest one where there is none of that index.
  mutating func select(row index: Int) {
    selectedRow = max(0, min(index, rowCount - 1))
    selection = row(at: selectedRow)?.path ?? selection
  }

  /// Opens the containers around a place and selects it.
  ///
  /// - Returns: whether there is such a place.
  @discardableResult
  mutating func jump(to path: JSONPointer) -> Bool {
    guard value?.value(at: path) != nil else { return false }
    if let parent = path.parent { openAll(to: parent) }
    arrange()
    selection = path
    selectedRow = row(of: path)
    return true
  }

  /// Opens the selected container, or goes to its first entry where it is open.
  mutating func enter() {
    guard let selected, let count = selected.value.entryCount else { return }
    guard !selected.isOpen else { return select(row: selectedRow + min(1, count)) }
    openAll(to: selected.path)
    arrange()
  }

  /// Closes the selected container, or goes to the one around it.
  mutating func leave() {
    guard let selected else { return }
    if selected.isOpen, !selected.path.isRoot {
      close(selected.path)
    } else if let parent = selected.path.parent {
      select(row: row(of: parent))
    }
  }

  /// Opens or closes the selected container.
  mutating func toggle() {
    guard let selected, selected.isContainer else { return }
    if selected.isOpen { close(selected.path) } else { enter() }
  }

  /// Opens everything below the selected container as far as that stays within bounds.
  mutating func openEverything() {
    guard let selected, selected.isContainer else { return }
    openAll(to: selected.path)
    var left = Self.openLimit - open.nodeCount
    var unseen = Self.openLimit * 4
    var queue = [(selected.path, selected.value)][...]
    while let (path, container) = queue.popFirst(), let count = container.entryCount {
      for position in 0..<min(count, unseen) where left > 0 {
        let entry = container.entry(at: position)
        unseen -= 1
        guard entry.value.entryCount ?? 0 > 0 else { continue }
        left -= 1
        let inner = path.appending(entry.token)
        open.update(inner.tokens[...]) { $0.value = () }
        queue.append((inner, entry.value))
      }
    }
    arrange()
    selectedRow = row(of: selected.path)
  }

  /// Closes everything but the root, and selects what then lies around the selected place.
  mutating func closeEverything() {
    open = PathTrie(value: ())
    arrange()
    select(row: row(of: selection))
  }

  private mutating func close(_ path: JSONPointer) {
    open.update(path.tokens[...]) { node in
      node.value = nil
      node.removeChildren()
    }
    open.value = path.isRoot ? nil : ()
    arrange()
    selectedRow = row(of: selection)
  }

  private mutating func openAll(to path: JSONPointer) {
    open.value = ()
    for count in 1...max(1, path.tokens.count) {
      open.update(path.tokens.prefix(count)) { $0.value = () }
    }
  }

  private mutating func arrange() {
    layout = open.value == nil ? nil : value.flatMap { TreeLayout(of: $0, open: open) }
  }
}
