import DuxLog

/// The outcomes of one client within the bytes of a commit's outcomes.
///
/// Each group is the client's number, its highest `n` (8 bytes each), the number of outcomes and
/// of bytes that follow (4 bytes each), little endian, then the outcomes as `OutcomeCoding` has
/// them.
struct OutcomeGroup {
  var client: Int64
  var lastN: Int64
  var count: Int
  var bytes: UnsafeRawBufferPointer

  private static let headerSize = 24

  /// Adds a group to a commit's bytes.
  static func append(_ outcomes: [Outcome], of client: Int64, to bytes: inout [UInt8]) {
    let start = bytes.count
    append(client, to: &bytes)
    append(outcomes.last?.n ?? 0, to: &bytes)
    append(UInt32(clamping: outcomes.count), to: &bytes)
    append(UInt32(0), to: &bytes)
    for outcome in outcomes {
      OutcomeCoding.append(outcome, to: &bytes)
    }
    let length = UInt32(clamping: bytes.count - start - headerSize)
    bytes.withUnsafeMutableBytes {
      $0.storeBytes(of: length.littleEndian, toByteOffset: start + 20, as: UInt32.self)
    }
  }

  /// Goes through the groups of a commit's bytes.
  ///
  /// - Throws: `Malformed` when the bytes are no list of groups.
  static func forEach(
    in bytes: UnsafeRawBufferPointer, _ body: (OutcomeGroup) -> Void
  ) throws(OutcomeCoding.Malformed) {
    var offset = 0
    while offset < bytes.count {
      guard bytes.count - offset >= headerSize else { throw OutcomeCoding.Malformed() }
      func load<Number: FixedWidthInteger>(_ place: Int) -> Number {
        Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + place, as: Number.self))
      }
      let count: UInt32 = load(16)
      let length: UInt32 = load(20)
      let start = offset + headerSize
      guard bytes.count - start >= Int(length) else { throw OutcomeCoding.Malformed() }
      body(
        OutcomeGroup(
          client: load(0), lastN: load(8), count: Int(count),
          bytes: UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(length)])))
      offset = start + Int(length)
    }
  }

  private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
