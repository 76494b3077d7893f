import DuxJSON
import Testing

@testable import DuxStore

/// A row for tests, with a table of its own inside.
struct TableItem: Identifiable, Codable, Equatable, Sendable {
  var id: Int
  var title: String
  var parts = Table<String, Part>()
}

struct Part: Identifiable, Codable, Equatable, Sendable {
  var id: String
  var count: Int
}

/// The rule of the sorted tables in tests: by title.
enum ByTitle: RowOrder {
  static func precedes(_ left: TableItem, _ right: TableItem) -> Bool { left.title < right.title }
}

/// A table and the array that it has to agree with, changed at random.
struct TableModel {
  var table = Table<Int, TableItem>()
  var rows: [TableItem] = []
  private var nextID = 0

  mutating func step(_ random: inout Generator) throws {
    let position = random.below(rows.count + 1)
    switch rows.isEmpty ? 0 : random.below(10) {
    case 0, 1: try insert(at: position, &random)
    case 2: try insert(at: random.below(2) * rows.count, &random)
    case 3: try insertBeside(position, &random)
    case 4: remove(at: min(position, rows.count - 1))
    case 5, 6: try move(min(position, rows.count - 1), to: random.below(rows.count))
    case 7: try moveBeside(min(position, rows.count - 1), random.below(rows.count), &random)
    case 8: change(min(position, rows.count - 1), &random)
    default: write(min(position, rows.count - 1), &random)
    }
  }

  private mutating func item(_ random: inout Generator) -> TableItem {
    nextID += 1
    return TableItem(id: nextID, title: "t\(random.below(50))")
  }

  private mutating func insert(at position: Int, _ random: inout Generator) throws {
    let item = item(&random)
    if position == rows.count, random.below(2) == 0 {
      try table.append(item)
    } else {
      try table.insert(item, at: position)
    }
    rows.insert(item, at: position)
  }

  private mutating func insertBeside(_ position: Int, _ random: inout Generator) throws {
    let item = item(&random)
    if position == rows.count {
      try table.insert(item, after: rows[position - 1].id)
    } else {
      try table.insert(item, before: rows[position].id)
    }
    rows.insert(item, at: position)
  }

  private mutating func remove(at position: Int) {
    let removed = rows.remove(at: position)
    #expect(table.remove(id: removed.id) == removed)
  }

  private mutating func move(_ position: Int, to target: Int) throws {
    try table.move(rows[position].id, to: target)
    rows.insert(rows.remove(at: position), at: target)
  }

  private mutating func moveBeside(
    _ position: Int, _ other: Int, _ random: inout Generator
  ) throws {
    let (id, otherID) = (rows[position].id, rows[other].id)
    let isBefore = random.below(2) == 0
    if isBefore {
      try table.move(id, before: otherID)
    } else {
      try table.move(id, after: otherID)
    }
    guard id != otherID else { return }
    let row = rows.remove(at: position)
    let place = rows.firstIndex { $0.id == otherID } ?? 0
    rows.insert(row, at: isBefore ? place : place + 1)
  }

  private mutating func change(_ position: Int, _ random: inout Generator) {
    let part = Part(id: "p\(random.below(4))", count: random.below(9))
    table.update(rows[position].id) { _ = $0.parts.upsert(part) }
    rows[position].parts.upsert(part)
  }

  private mutating func write(_ position: Int, _ random: inout Generator) {
    let title = "t\(random.below(50))"
    table[id: rows[position].id]?.title = title
    rows[position].title = title
  }
}

extension TableProtocol {
  /// What is wrong with the two trees, or nothing.
  var brokenInvariant: String? {
    if let broken = storage.order.brokenInvariant() { return "order: " + broken }
    if let broken = storage.index.brokenInvariant() { return "index: " + broken }
    if storage.order.count != storage.index.count { return "the trees differ in count" }
    var entries = storage.order.makeIterator()
    while let entry = entries.next() {
      if !Rank.isValid(entry.key) { return "\(entry.key) is no rank" }
      if storage.index[entry.text]?.text != entry.key { return "\(entry.text) has another rank" }
      if TableStorage<ID, Row>.row(entry)?.id.tableKey != entry.text { return "a wrong key" }
    }
    return nil
  }

  /// The same rows under the same ranks, about whose JSON nothing is known.
  var forgetful: Self {
    var copy = self
    copy.storage.mirror = TableMirror()
    return copy
  }
}
