import Glibc

/// A read-only look at a write-ahead log before SQLite recovers it.
///
/// SQLite takes the frames up to the first that fails its checksum and forgets the rest without a
/// word. That is right for a commit that was being written when the power went, and wrong for a
/// bit that flipped in the middle: what follows it was acknowledged. The two are told apart by
/// what comes after.
///
/// - Source: "Database File Format", section 4, "The Write-Ahead Log".
struct WALFile {
  private static let headerSize = 32
  private static let frameHeaderSize = 24
  private static let frameSize = frameHeaderSize + PageChecksum.pageSize

  let path: String

  /// Counts the frames of whole commits.
  ///
  /// With `full`, each commit was on disk before the next began, so at most one commit may be
  /// torn, and nothing can follow it.
  ///
  /// - Throws: `damaged` when a commit was lost that was followed by another one.
  func framesInForce(_ durability: Durability) throws(StorageError) -> Int {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StorageError(errno: errno, file: path, check: "open") }
    defer { close(descriptor) }
    var scan = Scan()
    var buffer = [UInt8](repeating: 0, count: Self.frameSize)
    let headerCount = read(descriptor, &buffer, Self.headerSize, at: 0)
    guard headerCount >= 0 else { throw StorageError(errno: errno, file: path, check: "read") }
    var offset = Int64(Self.headerSize)
    let headerIsGood = headerCount == Self.headerSize && scan.takeHeader(buffer)
    while true {
      let count = read(descriptor, &buffer, Self.frameSize, at: offset)
      guard count >= 0 else { throw StorageError(errno: errno, file: path, check: "read") }
      guard count == Self.frameSize else { break }
      guard headerIsGood || durability == .normal else {
        throw StorageError(.damaged, file: path, check: "the header fails its checksum")
      }
      scan.takeFrame(buffer)
      offset += Int64(Self.frameSize)
    }
    if durability == .full && scan.hasCommitPastTheTear {
      throw StorageError(
        .damaged, file: path,
        check: "frame \(scan.goodFrames + 1) fails its checksum, and commits follow it (if the "
          + "log was last kept with durability normal and the power was cut, start once so)")
    }
    return scan.committedFrames
  }

  private func read(
    _ descriptor: Int32, _ buffer: inout [UInt8], _ count: Int, at offset: Int64
  ) -> Int {
    buffer.withUnsafeMutableBytes {
      SystemFile.readFully(
        descriptor, into: UnsafeMutableRawBufferPointer(rebasing: $0.prefix(count)), at: offset)
    }
  }

  /// The running checksum over header and frames.
  private struct Scan {
    private var sum: (UInt32, UInt32) = (0, 0)
    private var salt: (UInt32, UInt32) = (0, 0)
    private var bigEndianSums = false
    private var isTorn = true
    private var sawCommitPastTheTear = false
    private(set) var goodFrames = 0
    private(set) var committedFrames = 0
    private(set) var hasCommitPastTheTear = false

    mutating func takeHeader(_ bytes: [UInt8]) -> Bool {
      let magic = word(bytes, 0)
      guard magic & ~1 == 0x377f_0682 else { return false }
      bigEndianSums = magic & 1 == 1
      add(bytes, 0..<24)
      salt = (word(bytes, 16), word(bytes, 20))
      isTorn = sum != (word(bytes, 24), word(bytes, 28))
      return !isTorn
    }

    mutating func takeFrame(_ bytes: [UInt8]) {
      let ofThisLog = (word(bytes, 8), word(bytes, 12)) == salt
      let commits = word(bytes, 4) != 0
      if !isTorn {
        let before = sum
        add(bytes, 0..<8)
        add(bytes, WALFile.frameHeaderSize..<WALFile.frameSize)
        if ofThisLog && word(bytes, 0) != 0 && sum == (word(bytes, 16), word(bytes, 20)) {
          goodFrames += 1
          if commits { committedFrames = goodFrames }
          return
        }
        sum = before
        isTorn = true
      }
      guard ofThisLog else { return }
      hasCommitPastTheTear = hasCommitPastTheTear || sawCommitPastTheTear
      sawCommitPastTheTear = sawCommitPastTheTear || commits
    }

    private mutating func add(_ bytes: [UInt8], _ range: Range<Int>) {
      bytes.withUnsafeBytes { buffer in
        for offset in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
          let first = buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
          let second = buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
          sum.0 &+= (bigEndianSums ? first.bigEndian : first.littleEndian) &+ sum.1
          sum.1 &+= (bigEndianSums ? second.bigEndian : second.littleEndian) &+ sum.0
        }
      }
    }

    private func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
      bytes.withUnsafeBytes {
        UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      }
    }
  }
}
