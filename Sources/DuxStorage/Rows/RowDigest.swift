import DuxLog

/// The digests that go with rows, over every field, so that a row read back is the row written.
enum RowDigest {
  static func entry(
    seq: Int64, time: Int64, client: UnsafeRawBufferPointer, n: Int64?, total: Int64,
    actions: UnsafeRawBufferPointer, patch: UnsafeRawBufferPointer
  ) -> Int64 {
    var digest = QuickDigest(seed: seq)
    digest.update(time)
    digest.update(n == nil ? 0 : 1)
    digest.update(n ?? 0)
    digest.update(total)
    digest.update(client)
    digest.update(actions)
    digest.update(patch)
    return digest.signedValue
  }

  /// The digest of a run of steps, with the name of each of its clients.
  static func run(
    last: Int64, time: Int64, count: Int64, total: Int64, clients: [String],
    heads: UnsafeRawBufferPointer, payloads: UnsafeRawBufferPointer
  ) -> Int64 {
    var digest = QuickDigest(seed: last)
    digest.update(time)
    // Neither of what an entry has here: a row of the one kind never passes for one of the other.
    digest.update(2)
    digest.update(count)
    digest.update(total)
    for var client in clients {
      client.withUTF8 { digest.update(UnsafeRawBufferPointer($0)) }
    }
    digest.update(heads)
    digest.update(payloads)
    return digest.signedValue
  }

  static func outcomes(
    client: Int64, lastN: Int64, time: Int64, count: Int64, bytes: UnsafeRawBufferPointer
  ) -> Int64 {
    var digest = QuickDigest(seed: client)
    digest.update(lastN)
    digest.update(time)
    digest.update(count)
    digest.update(bytes)
    return digest.signedValue
  }

  static func recentOutcomes(id: Int64, time: Int64, bytes: UnsafeRawBufferPointer) -> Int64 {
    var digest = QuickDigest(seed: id)
    digest.update(time)
    digest.update(bytes)
    return digest.signedValue
  }

  static func outbox(
    id: Int64, key: UnsafeRawBufferPointer, bytes: UnsafeRawBufferPointer
  ) -> Int64 {
    var digest = QuickDigest(seed: id)
    digest.update(key)
    digest.update(bytes)
    return digest.signedValue
  }

  /// Begins the digest of a checkpoint, to be fed its parts.
  static func checkpoint(seq: Int64, time: Int64, byteCount: Int64) -> QuickDigest {
    var digest = QuickDigest(seed: seq)
    digest.update(time)
    digest.update(byteCount)
    return digest
  }
}
