import DuxLog

/// The bytes of outcomes of one client.
///
/// One outcome after another: `n` and body digest, 8 bytes each, then a tag: 0 accepted without a
/// change and 1 with one, the step's number following; 2 rejected and 3 rejected with a reason,
/// the strings following (code, message, reason), each with its length before it in 4 bytes.
/// All numbers little endian.
enum OutcomeCoding {
  static func append(_ outcome: Outcome, to bytes: inout [UInt8]) {
    switch outcome.result {
    case .accepted(let seq, let changed):
      append(outcome, tag: changed ? 1 : 0, seq.value, to: &bytes)
    case .rejected(let code, let reason, let message):
      append(outcome.n, to: &bytes)
      append(Int64(bitPattern: outcome.bodyDigest), to: &bytes)
      bytes.append(reason == nil ? 2 : 3)
      append(code, to: &bytes)
      append(message, to: &bytes)
      if let reason { append(reason, to: &bytes) }
    }
  }

  /// Finds the outcome of `n` in a list.
  ///
  /// - Returns: `nil` when the list does not have it.
  /// - Throws: `Malformed` when the bytes are no list of outcomes.
  /// - Complexity: O(*m*) in the number of outcomes.
  static func find(n: Int64, in bytes: UnsafeRawBufferPointer) throws(Malformed) -> Outcome? {
    var reader = Reader(bytes: bytes)
    while !reader.isAtEnd {
      let outcome = try reader.outcome()
      if outcome.n == n { return outcome }
      if outcome.n > n { return nil }
    }
    return nil
  }

  /// Bytes that are no list of outcomes.
  struct Malformed: Error {}

  /// Adds what nearly every outcome is in one piece.
  private static func append(
    _ outcome: Outcome, tag: UInt8, _ seq: Int64, to bytes: inout [UInt8]
  ) {
    withUnsafeTemporaryAllocation(byteCount: 25, alignment: 8) { piece in
      piece.storeBytes(of: outcome.n.littleEndian, as: Int64.self)
      piece.storeBytes(of: outcome.bodyDigest.littleEndian, toByteOffset: 8, as: UInt64.self)
      piece.storeBytes(of: tag, toByteOffset: 16, as: UInt8.self)
      piece.storeBytes(of: seq.littleEndian, toByteOffset: 17, as: Int64.self)
      bytes.append(contentsOf: piece)
    }
  }

  private static func append(_ number: Int64, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  private static func append(_ string: String, to bytes: inout [UInt8]) {
    let count = UInt32(clamping: string.utf8.count)
    withUnsafeBytes(of: count.littleEndian) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: string.utf8.prefix(Int(count)))
  }

  private struct Reader {
    let bytes: UnsafeRawBufferPointer
    var offset = 0

    var isAtEnd: Bool { offset >= bytes.count }

    mutating func outcome() throws(Malformed) -> Outcome {
      let n = Int64(bitPattern: try number())
      let bodyDigest = try number()
      let tag = try take(1)[0]
      switch tag {
      case 0, 1:
        let seq = SequenceNumber(Int64(bitPattern: try number()))
        return Outcome(
          n: n, bodyDigest: bodyDigest, result: .accepted(seq: seq, changed: tag == 1))
      case 2, 3:
        let code = try string()
        let message = try string()
        let reason = tag == 3 ? try string() : nil
        return Outcome(
          n: n, bodyDigest: bodyDigest,
          result: .rejected(code: code, reason: reason, message: message))
      default: throw Malformed()
      }
    }

    private mutating func take(_ count: Int) throws(Malformed) -> UnsafeRawBufferPointer {
      guard count <= bytes.count - offset else { throw Malformed() }
      defer { offset += count }
      return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }

    private mutating func number() throws(Malformed) -> UInt64 {
      UInt64(littleEndian: try take(8).loadUnaligned(as: UInt64.self))
    }

    private mutating func string() throws(Malformed) -> String {
      let count = UInt32(littleEndian: try take(4).loadUnaligned(as: UInt32.self))
      return String(decoding: try take(Int(count)), as: UTF8.self)
    }
  }
}
