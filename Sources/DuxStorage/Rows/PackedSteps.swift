import DuxLog

/// Steps packed into the bytes of a run, as `StepRun` has them.
struct PackedSteps {
  /// What the steps of one run may count for, as `LogEntry.storedSize` has it.
  ///
  /// A reader of one step reads its whole run, and a longer run would save next to nothing: what a
  /// row costs is already shared by a hundred steps.
  static let maximumSize = 64 << 10

  let heads: [UInt8]
  let payloads: [UInt8]
  /// The names of the clients, each once, in the order of their first steps.
  let clients: [String]

  /// Where the run ends that begins with an entry: before the first that would make it too large.
  static func end(of entries: [LogEntry], from start: Int) -> Int {
    var size = entries[start].storedSize
    var end = start + 1
    while end < entries.count {
      size += entries[end].storedSize
      if size > maximumSize { break }
      end += 1
    }
    return end
  }

  /// Packs entries whose numbers follow one another.
  ///
  /// Call it within a transaction, for clients get their numbers here.
  ///
  /// - Parameters:
  ///   - entries: no more than `maximumSize` of them, so that all lengths fit.
  ///   - names: gives the clients their numbers.
  /// - Throws: a failure of the disk.
  init(_ entries: ArraySlice<LogEntry>, _ names: ClientNames) throws(StorageError) {
    // Parts are taken out of the elements in place: a copy of an element costs as much as the rest.
    (heads, payloads, clients) = try entries.withUnsafeBufferPointer {
      (entries) throws(StorageError) in
      var list = Clients()
      let places = try list.places(of: entries, names)
      return (
        Self.heads(of: entries, places, list.numbers), Self.payloads(of: entries),
        list.names
      )
    }
  }

  /// The clients of a run, in the order of their first steps.
  private struct Clients {
    var names: [String] = []
    var numbers: [Int64] = []
    private var known: [Int64: UInt32] = [:]

    /// The place of each step's client.
    mutating func places(
      of entries: UnsafeBufferPointer<LogEntry>, _ numbers: ClientNames
    ) throws(StorageError) -> [UInt32] {
      var places: [UInt32] = []
      places.reserveCapacity(entries.count)
      for index in entries.indices {
        if let last = places.last,
          ClientName.isSame(entries[index].client, entries[index - 1].client)
        {
          places.append(last)
        } else {
          places.append(place(of: entries[index].client, try numbers.id(entries[index].client)))
        }
      }
      return places
    }

    private mutating func place(of name: String, _ number: Int64) -> UInt32 {
      if let place = known[number] { return place }
      let place = UInt32(clamping: names.count)
      known[number] = place
      names.append(name)
      numbers.append(number)
      return place
    }
  }

  private static func heads(
    of entries: UnsafeBufferPointer<LogEntry>, _ places: [UInt32], _ clients: [Int64]
  ) -> [UInt8] {
    bytes(count: entries.count * StepRun.headSize + clients.count * StepRun.clientSize) { heads in
      var head = 0
      var end = 0
      for index in entries.indices {
        let n = entries[index].n
        let middle = end + entries[index].actions.count
        end = middle + entries[index].patch.count
        heads.store(entries[index].time, at: head)
        heads.store(n ?? 0, at: head + 8)
        heads.store(places[index] << 1 | (n == nil ? 0 : 1), at: head + 16)
        heads.store(UInt32(clamping: middle), at: head + 20)
        heads.store(UInt32(clamping: end), at: head + 24)
        head += StepRun.headSize
      }
      for client in clients {
        heads.store(client, at: head)
        head += StepRun.clientSize
      }
    }
  }

  private static func payloads(of entries: UnsafeBufferPointer<LogEntry>) -> [UInt8] {
    let size = entries.indices.reduce(0) {
      $0 + entries[$1].actions.count + entries[$1].patch.count
    }
    return bytes(count: size) { payloads in
      var end = 0
      for index in entries.indices {
        end = payloads.copy(entries[index].actions, at: end)
        end = payloads.copy(entries[index].patch, at: end)
      }
    }
  }

  /// Bytes that a body writes, every one of them; to write zeros first, or to add piece by piece,
  /// takes longer than to copy a step.
  private static func bytes(
    count: Int, _ body: (UnsafeMutableRawBufferPointer) -> Void
  ) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      body(UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: count))
      initialized = count
    }
  }
}

extension UnsafeMutableRawBufferPointer {
  fileprivate func store(_ number: some FixedWidthInteger & BitwiseCopyable, at place: Int) {
    storeBytes(of: number.littleEndian, toByteOffset: place, as: type(of: number))
  }

  /// Gives where the copy ends.
  fileprivate func copy(_ bytes: [UInt8], at place: Int) -> Int {
    bytes.withUnsafeBytes {
      UnsafeMutableRawBufferPointer(rebasing: self[place...]).copyMemory(from: $0)
    }
    return place + bytes.count
  }
}
