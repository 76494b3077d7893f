extension TableProtocol {
  /// Puts a row in the place of the one with a key, or adds it, and sees that it stands rightly.
  mutating func write(_ row: Row, over key: String) {
    let newKey = row.id.tableKey
    guard storage.rank(of: key) != nil || storage.rank(of: newKey) != nil else {
      return storage.insert(RowBox(row), key: newKey, at: position(for: row))
    }
    if storage.rank(of: key) == nil {
      storage.replace(newKey, with: row)
    } else {
      if !newKey.utf8.elementsEqual(key.utf8) { storage.remove(newKey) }
      storage.replace(key, with: row)
    }
    settle([newKey])
  }

  /// Moves rows that changed to where the rule wants them.
  ///
  /// Each is looked at beside its neighbours; where one has to go, the others are looked at again,
  /// and after some rounds all that changed are taken for wrong.
  mutating func settle(_ keys: [String]) {
    guard Self.rule != nil else { return }
    var standing = keys
    var loose: [(key: String, box: RowBox<Row>)] = []
    for round in 0..<4 {
      let count = loose.count
      standing = standing.filter { key in
        if round < 3, isInPlace(key) { return true }
        if let box = storage.remove(key) { loose.append((key, box)) }
        return false
      }
      if loose.count == count { break }
    }
    for (key, box) in loose { storage.insert(box, key: key, at: position(for: box.row)) }
  }

  /// The first position whose row the rule does not put before this one; the end without a rule.
  private func position(for row: Row) -> Int {
    guard let precedes = Self.rule else { return storage.count }
    var low = 0
    var high = storage.count
    while low < high {
      let middle = (low + high) / 2
      guard let other = storage.row(at: middle) else { break }
      if precedes(other, row) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Whether the rows beside one are on their sides of it.
  private func isInPlace(_ key: String) -> Bool {
    guard let precedes = Self.rule, let position = storage.position(of: key),
      let row = storage.row(at: position)
    else { return true }
    if let before = storage.row(at: position - 1), precedes(row, before) { return false }
    if let after = storage.row(at: position + 1), precedes(after, row) { return false }
    return true
  }
}
