import DuxJSON

/// Makes the version of a table that a JSON describes out of another version.
///
/// Only what the JSON says otherwise than that of the other version is read. For a table that came
/// out of nowhere the other version is the empty one, so there is one way for both.
struct TableDecoding<ID: TableID, Row: TableRow> where Row.ID == ID {
  /// The version so far.
  private(set) var storage: TableStorage<ID, Row>
  /// The keys of rows that were put somewhere or changed.
  private(set) var changed: [String] = []
  private let base: TableImage
  private var target: TableImage
  /// Rows whose rank is gone or has become another row's.
  private var unplaced: [String: RowBox<Row>] = [:]

  init(_ json: JSON, reusing previous: TableStorage<ID, Row>?) throws(CodingFailure) {
    target = TableImage(
      ranks: try Self.member("order", of: json), rows: try Self.member("rows", of: json))
    if let previous, let image = previous.bestImage(near: target) {
      storage = previous
      base = image
    } else {
      storage = TableStorage()
      base = TableImage()
    }
    try place(try takeUnranked())
    if base.order.count > 0 { try readChangedRows() }
    try checkCounts()
    target.order = storage.order
    storage.mirror.keep(decoded: target)
  }

  private static func member(_ name: String, of json: JSON) throws(CodingFailure) -> JSONObject {
    guard let object = json.objectValue else {
      throw Self.failure([], "must be a table, it is \(json.kindName)")
    }
    guard let value = object[name] else { throw Self.failure([name], "is missing") }
    guard let members = value.objectValue else {
      throw Self.failure([name], "must be an object, it is \(value.kindName)")
    }
    return members
  }

  private static func failure(_ path: [String], _ problem: String) -> CodingFailure {
    CodingFailure(
      kind: .badPayload, path: JSONPointer(tokens: path).description, problem: problem)
  }
}

extension TableDecoding {
  /// Takes out what does not stand at its rank any more, and says what shall stand where instead.
  private mutating func takeUnranked() throws(CodingFailure) -> [(rank: String, key: String)] {
    var placed: [(rank: String, key: String)] = []
    for (rank, old, new) in target.ranks.differences(from: base.ranks) {
      if old == new { continue }
      if old != nil, let entry = storage.order[rank] {
        unplaced[entry.text] = storage.remove(entry.text)
      }
      guard let new else { continue }
      guard let key = new.stringValue else {
        throw Self.failure(["order", rank], "must be an id, it is \(new.kindName)")
      }
      guard Rank.isValid(rank) else { throw Self.failure(["order", rank], "is no rank") }
      placed.append((rank, key))
    }
    return placed
  }

  /// Puts rows under new ranks: as they are if they were there before, decoded otherwise.
  private mutating func place(_ placed: [(rank: String, key: String)]) throws(CodingFailure) {
    for (rank, key) in placed {
      if let other = storage.rank(of: key) {
        throw Self.failure(
          ["order", rank], "names the row \"\(clipped(key))\", which /order/\(other) names too")
      }
      guard let json = target.rows[key] else {
        throw Self.failure(["order", rank], "names the row \"\(clipped(key))\", which is missing")
      }
      let old = unplaced[key]
      let box: RowBox<Row>
      if let old, base.rows[key] == json {
        box = old
      } else {
        box = try read(json, key: key, old: old)
      }
      changed.append(key)
      storage.place(KeyedEntry(key: rank, text: key, object: box))
    }
  }

  /// Decodes the rows that changed where they stand.
  private mutating func readChangedRows() throws(CodingFailure) {
    for (key, old, new) in target.rows.differences(from: base.rows) {
      guard let new else {
        guard let rank = storage.rank(of: key) else { continue }
        throw Self.failure(["order", rank], "names the row \"\(clipped(key))\", which is missing")
      }
      guard let rank = storage.rank(of: key) else {
        throw Self.failure(["rows", key], "has no rank in /order")
      }
      if old == new || old == nil || unplaced[key] != nil { continue }
      let box = try read(new, key: key, old: storage.order[rank].flatMap(TableStorage<ID, Row>.box))
      storage.place(KeyedEntry(key: rank, text: key, object: box))
      changed.append(key)
    }
  }

  private func checkCounts() throws(CodingFailure) {
    if target.rows.count == storage.count { return }
    for (key, _) in target.rows where storage.rank(of: key) == nil {
      throw Self.failure(["rows", key], "has no rank in /order")
    }
  }

  private func read(
    _ json: JSON, key: String, old: RowBox<Row>?
  ) throws(CodingFailure) -> RowBox<Row> {
    let row: Row
    do throws(CodingFailure) {
      row = try StateCoder.decode(Row.self, from: json, reusing: leaves(of: old))
    } catch {
      throw error.inside(JSONPointer(tokens: ["rows", key]), actionType: nil)
    }
    guard row.id.tableKey.utf8.elementsEqual(key.utf8) else {
      let id = clipped(row.id.tableKey)
      throw Self.failure(["rows", key], "is the row with the id \"\(id)\"")
    }
    return RowBox(row)
  }

  /// What a row's last version can save of the work of reading the next.
  private func leaves(of old: RowBox<Row>?) -> StateLeaves? {
    guard let old else { return nil }
    var leaves = StateLeaves()
    // A row that can't be encoded has nothing to save; that is no failure of reading.
    guard (try? StateCoder.encode(old.row, collecting: &leaves)) != nil else { return nil }
    return leaves.count == 0 ? nil : leaves
  }
}

extension TableStorage {
  /// This version's JSON, if it is known or can be made, which shares most with another JSON.
  fileprivate func bestImage(near target: TableImage) -> TableImage? {
    let images = mirror.images
    for case let image? in [images.decoded, images.encoded]
    where image.order.isIdentical(to: order) { return image }
    return images.encoded == nil && images.decoded == nil ? nil : try? image()
  }
}
