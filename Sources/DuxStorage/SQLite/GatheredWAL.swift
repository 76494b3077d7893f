import CSQLite
import Glibc

/// The write-ahead log's file with the writes of a commit gathered into one call of the system.
///
/// SQLite hands over each frame's header and each frame's page by itself, and the system's part of
/// a write costs more than copying the bytes. What comes right behind the last write waits here:
/// until the frame that ends its transaction is whole, so that nothing of a commit is left when
/// SQLite makes it visible, whatever the durability; or until anything else is asked of the file. A
/// write elsewhere goes straight through. A failure is that of the write or call that was to
/// carry the bytes, before SQLite has counted the commit.
///
/// - Source: "Database File Format", section 4.1, for the frame's header.
enum GatheredWAL {
  /// The methods of such a file; made once and never changed, so any thread may read them.
  private nonisolated(unsafe) static let methods = makeMethods()

  private struct State {
    var base: sqlite3_file
    var buffer: UnsafeMutableRawPointer?
    /// How many bytes wait.
    var count: Int
    /// Where in the file the last write ended, with those that wait.
    var end: Int64
    /// Whether the next page ends a transaction.
    var isCommit: Bool
  }

  private static let frameHeaderSize = 24
  /// Some frames: SQLite's own layer writes less than 128 KiB at a time.
  private static let capacity = 30 * (frameHeaderSize + PageChecksum.pageSize)

  /// Puts the methods over a file that was opened behind our state, with the code of that.
  static func adopt(_ file: CheckedVFS.File) {
    let base = sqlite3_file(pMethods: UnsafePointer(methods))
    UnsafeMutableRawPointer(file).initializeMemory(
      as: State.self, to: State(base: base, buffer: nil, count: 0, end: 0, isCommit: false))
  }

  private static func state(_ file: CheckedVFS.File) -> UnsafeMutablePointer<State> {
    UnsafeMutableRawPointer(file).assumingMemoryBound(to: State.self)
  }

  private static func makeMethods() -> UnsafeMutablePointer<sqlite3_io_methods> {
    let table = CheckedVFS.makeForwards()
    table.pointee.xClose = { GatheredWAL.close($0) }
    table.pointee.xRead = { GatheredWAL.read($0, $1, $2, $3) }
    table.pointee.xWrite = { GatheredWAL.write($0, $1, $2, $3) }
    table.pointee.xTruncate = { file, size in
      GatheredWAL.flushed(file) { $1.xTruncate?($0, size) }
    }
    table.pointee.xSync = { file, flags in GatheredWAL.flushed(file) { $1.xSync?($0, flags) } }
    table.pointee.xFileSize = { file, size in
      GatheredWAL.flushed(file) { $1.xFileSize?($0, size) }
    }
    return table
  }

  private static func flushed(
    _ file: CheckedVFS.File?, _ call: (CheckedVFS.File, sqlite3_io_methods) -> Int32?
  ) -> Int32 {
    let code = flush(file)
    return code == SQLITE_OK ? CheckedVFS.forward(file, call) : code
  }

  /// Writes what waits.
  ///
  /// When that fails the bytes are dropped: SQLite undoes the transaction.
  private static func flush(_ file: CheckedVFS.File?) -> Int32 {
    guard let file else { return SQLITE_MISUSE }
    let state = state(file)
    let count = state.pointee.count
    guard count > 0 else { return SQLITE_OK }
    let (buffer, offset) = (state.pointee.buffer, state.pointee.end - Int64(count))
    state.pointee.count = 0
    let code = CheckedVFS.forward(file) { $1.xWrite?($0, buffer, Int32(count), offset) }
    if code != SQLITE_OK { state.pointee.end = -1 }
    return code
  }

  private static func read(
    _ file: CheckedVFS.File?, _ bytes: UnsafeMutableRawPointer?, _ count: Int32, _ offset: Int64
  ) -> Int32 {
    // SQLite may go on with a transaction after "full", but not after a failure of the disk.
    guard flush(file) == SQLITE_OK else { return ExtendedCode.writeFailed }
    return CheckedVFS.forward(file) { $1.xRead?($0, bytes, count, offset) }
  }

  private static func write(
    _ file: CheckedVFS.File?, _ bytes: UnsafeRawPointer?, _ count: Int32, _ offset: Int64
  ) -> Int32 {
    guard let file, let bytes else { return SQLITE_MISUSE }
    let (state, length) = (state(file), Int(count))
    let isNext = offset == state.pointee.end
    if !isNext || state.pointee.count + length > capacity {
      let code = flush(file)
      guard code == SQLITE_OK else { return code }
    }
    if state.pointee.buffer == nil { state.pointee.buffer = malloc(capacity) }
    state.pointee.end = offset + Int64(length)
    guard isNext, length <= capacity, let buffer = state.pointee.buffer else {
      let code = CheckedVFS.forward(file) { $1.xWrite?($0, bytes, count, offset) }
      if code != SQLITE_OK { state.pointee.end = -1 }
      return note(bytes, length, state, code)
    }
    buffer.advanced(by: state.pointee.count).copyMemory(from: bytes, byteCount: length)
    state.pointee.count += length
    let endsCommit = state.pointee.isCommit && length == PageChecksum.pageSize
    return note(bytes, length, state, endsCommit ? flush(file) : SQLITE_OK)
  }

  /// Looks whether a frame's header says that its page is the last of a transaction.
  private static func note(
    _ bytes: UnsafeRawPointer, _ length: Int, _ state: UnsafeMutablePointer<State>, _ code: Int32
  ) -> Int32 {
    state.pointee.isCommit =
      length == frameHeaderSize && bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self) != 0
    return code
  }

  private static func close(_ file: CheckedVFS.File?) -> Int32 {
    guard let file else { return SQLITE_MISUSE }
    let code = flush(file)
    free(state(file).pointee.buffer)
    state(file).pointee.buffer = nil
    let closed = CheckedVFS.forward(file) { $1.xClose?($0) }
    return code == SQLITE_OK ? closed : code
  }
}
