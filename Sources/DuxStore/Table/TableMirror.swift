import DuxJSON
import Synchronization

/// A table's rows and what they are in JSON.
struct TableImage: Sendable {
  /// The rows by rank, in the version that this is the JSON of.
  var order = KeyedTree()
  /// In JSON: the keys of the rows by their ranks.
  var ranks = JSONObject()
  /// In JSON: the rows by their keys.
  var rows = JSONObject()

  var json: JSON { ["order": .object(ranks), "rows": .object(rows)] }
}

/// The JSON made last of a table or of one it was copied from, shared by all these versions.
///
/// The next version's JSON is made from it by what differs between the two, so it costs in
/// proportion to the change and shares storage with the JSON before. Which version it is of makes a
/// difference in cost alone.
final class TableMirror: Sendable {
  struct Images: Sendable {
    /// The JSON that encoding gave.
    var encoded: TableImage?
    /// The JSON that a version was decoded from, which may say the same in another way.
    var decoded: TableImage?
  }

  private let cache = Mutex(Images())

  /// What is known now; nothing is held while rows are coded, which may take a while.
  var images: Images { cache.withLock { $0 } }

  func keep(encoded image: TableImage) { cache.withLock { $0.encoded = image } }

  func keep(decoded image: TableImage) { cache.withLock { $0.decoded = image } }
}

extension TableStorage {
  /// The table in JSON.
  ///
  /// - Throws: ``CodingFailure`` where a row has no JSON, with the path to it.
  func image() throws(CodingFailure) -> TableImage {
    let known = mirror.images
    if let image = known.encoded, image.order.isIdentical(to: order) { return image }
    var image: TableImage
    if let encoded = known.encoded {
      image = encoded
      try bring(&image)
    } else if let decoded = known.decoded {
      // Once, every row is encoded, since a row may have been decoded from something else than it
      // is encoded as. What is equal keeps the storage of what came in.
      image = decoded
      try bring(&image)
      try encodeAnew(in: &image)
    } else {
      image = try wholeImage()
    }
    mirror.keep(encoded: image)
    return image
  }

  /// Changes the JSON of another version into that of this one.
  private func bring(_ image: inout TableImage) throws(CodingFailure) {
    var removed: [String: KeyedEntry] = [:]
    var added: [KeyedEntry] = []
    for (old, new) in order.differences(from: image.order) {
      if let old, let new, old.object === new.object { continue }
      if let old { removed[old.text] = old }
      if let new { added.append(new) }
      if new == nil, let old { image.ranks[old.key] = nil }
    }
    for entry in added {
      image.ranks[entry.key] = .string(entry.text)
      let old = removed.removeValue(forKey: entry.text)
      if old?.object === entry.object { continue }
      try set(entry, in: &image)
    }
    for entry in removed.values { image.rows[entry.text] = nil }
    image.order = order
  }

  private func encodeAnew(in image: inout TableImage) throws(CodingFailure) {
    var entries = order.makeIterator()
    while let entry = entries.next() { try set(entry, in: &image) }
  }

  private func set(_ entry: KeyedEntry, in image: inout TableImage) throws(CodingFailure) {
    let row = try json(of: entry)
    if image.rows[entry.text] != row { image.rows[entry.text] = row }
  }

  private func wholeImage() throws(CodingFailure) -> TableImage {
    var ranks: [(key: String, value: JSON)] = []
    ranks.reserveCapacity(count)
    var entries = order.makeIterator()
    while let entry = entries.next() { ranks.append((entry.key, .string(entry.text))) }
    var rows: [(key: String, value: JSON)] = []
    rows.reserveCapacity(count)
    var keys = index.makeIterator()
    while let key = keys.next() {
      guard let entry = order[key.text] else { continue }
      rows.append((key.key, try json(of: entry)))
    }
    return TableImage(
      order: order, ranks: JSONObject(uniqueSorted: ranks), rows: JSONObject(uniqueSorted: rows))
  }

  private func json(of entry: KeyedEntry) throws(CodingFailure) -> JSON {
    do throws(CodingFailure) {
      return try StateCoder.encode(Self.row(entry))
    } catch {
      throw error.inside(JSONPointer(tokens: ["rows", entry.text]), actionType: nil)
    }
  }
}
