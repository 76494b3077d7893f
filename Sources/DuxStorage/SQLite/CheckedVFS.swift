import CSQLite

/// The layer below SQLite that stamps each page on its way to the database file and checks it on
/// its way back.
///
/// It wraps SQLite's own `unix-excl`: that keeps the index of the write-ahead log in memory, so
/// there is no `-shm` file to create on a full disk or to fault on when the disk fills, and it
/// keeps other processes out of the database. Pages within the write-ahead log are left alone:
/// its frames have checksums of their own. Its file is one of `GatheredWAL`, and is named
/// `dux.wal`, not `dux.db-wal`: any other program that opened the database after a crash would
/// move that one's pages into the database without our checksums.
enum CheckedVFS {
  /// The name to open a connection with.
  static let name = "dux"

  /// Registers the layer with SQLite, once; the result is SQLite's code.
  static let registration: Int32 = register()

  /// The page that last failed its check on a connection, if one did.
  static func damagedPage(of connection: OpaquePointer) -> Int64? {
    guard let file = databaseFile(of: connection) else { return nil }
    let page = state(file).pointee.damagedPage
    return page == 0 ? nil : page
  }

  /// Syncs the database file of a connection; the result is SQLite's code.
  static func sync(_ connection: OpaquePointer) -> Int32 {
    guard let file = databaseFile(of: connection), let methods = file.pointee.pMethods else {
      return SQLITE_MISUSE
    }
    return methods.pointee.xSync?(file, SQLITE_SYNC_NORMAL) ?? SQLITE_MISUSE
  }

  /// Whether a connection has written to the database file since it last synced it.
  ///
  /// What another connection wrote counts there alone.
  static func hasUnsyncedWrites(_ connection: OpaquePointer) -> Bool {
    databaseFile(of: connection).map { state($0).pointee.hasUnsyncedWrites } ?? false
  }

  private static func databaseFile(
    of connection: OpaquePointer
  ) -> UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    return code == SQLITE_OK ? file : nil
  }

  private struct FileState {
    var base: sqlite3_file
    var damagedPage: Int64
    var hasUnsyncedWrites: Bool
  }

  /// Where the wrapped file begins in the memory that SQLite gives us: after our own state, at an
  /// alignment that fits any structure of C.
  private static let wrappedOffset = 64

  /// Both tables are filled before SQLite sees them and never change: reading them from any
  /// thread is safe, and they live as long as the process.
  private nonisolated(unsafe) static let methods = makeMethods()
  private nonisolated(unsafe) static let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(
    capacity: 1)
  private nonisolated(unsafe) static let wrappedVFS = sqlite3_vfs_find("unix-excl")

  private static func register() -> Int32 {
    let code = sqlite3_initialize()
    guard code == SQLITE_OK, let wrapped = wrappedVFS else { return max(code, SQLITE_ERROR) }
    vfs.initialize(to: wrapped.pointee)
    vfs.pointee.pNext = nil
    vfs.pointee.zName = name.withCString { UnsafePointer(strdupForever($0)) }
    vfs.pointee.szOsFile =
      Int32(wrappedOffset) + wrapped.pointee.szOsFile + wrapped.pointee.mxPathname + 1
    vfs.pointee.xOpen = { CheckedVFS.open($1, $2, $3, $4) }
    vfs.pointee.xDelete = { CheckedVFS.delete($1, $2) }
    vfs.pointee.xAccess = { CheckedVFS.access($1, $2, $3) }
    return sqlite3_vfs_register(vfs, 0)
  }

  private static func strdupForever(_ text: UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar> {
    var count = 0
    while text[count] != 0 { count += 1 }
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: count + 1)
    copy.initialize(from: text, count: count + 1)
    return copy
  }

  private static func open(
    _ name: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let wrapped = wrappedVFS, let file, let xOpen = wrapped.pointee.xOpen else {
      return SQLITE_CANTOPEN
    }
    if flags & SQLITE_OPEN_WAL != 0, let name {
      return openWAL(name, file) { xOpen(wrapped, $0, inner(file), flags, outFlags) }
    }
    guard flags & SQLITE_OPEN_MAIN_DB != 0 else {
      return xOpen(wrapped, name, file, flags, outFlags)
    }
    state(file).pointee.damagedPage = 0
    state(file).pointee.hasUnsyncedWrites = false
    file.pointee.pMethods = nil
    let code = xOpen(wrapped, name, inner(file), flags, outFlags)
    file.pointee.pMethods = inner(file).pointee.pMethods == nil ? nil : UnsafePointer(methods)
    return code
  }

  /// The wrapped layer keeps the pointer to the name while the file is open, so the name is put
  /// behind the file's own state, in memory that lives as long.
  private static func openWAL(
    _ name: UnsafePointer<CChar>, _ file: UnsafeMutablePointer<sqlite3_file>,
    _ open: (UnsafePointer<CChar>) -> Int32
  ) -> Int32 {
    guard let wrapped = wrappedVFS else { return SQLITE_CANTOPEN }
    let mapped = Array(walName(name).utf8CString)
    guard mapped.count <= Int(wrapped.pointee.mxPathname) else { return SQLITE_CANTOPEN }
    let kept = UnsafeMutableRawPointer(inner(file))
      .advanced(by: Int(wrapped.pointee.szOsFile))
      .bindMemory(to: CChar.self, capacity: mapped.count)
    mapped.withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return }
      kept.update(from: start, count: mapped.count)
    }
    file.pointee.pMethods = nil
    let code = open(kept)
    if inner(file).pointee.pMethods != nil { GatheredWAL.adopt(file) }
    return code
  }

  /// Our name for a write-ahead log; any other name stays.
  private static func walName(_ name: UnsafePointer<CChar>) -> String {
    let path = String(cString: name)
    return path.hasSuffix("/dux.db-wal") ? path.dropLast("db-wal".count) + "wal" : path
  }

  private static func delete(_ name: UnsafePointer<CChar>?, _ syncFolder: Int32) -> Int32 {
    guard let wrapped = wrappedVFS, let name else { return SQLITE_MISUSE }
    return walName(name).withCString {
      wrapped.pointee.xDelete?(wrapped, $0, syncFolder) ?? SQLITE_MISUSE
    }
  }

  private static func access(
    _ name: UnsafePointer<CChar>?, _ question: Int32, _ answer: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let wrapped = wrappedVFS, let name else { return SQLITE_MISUSE }
    return walName(name).withCString {
      wrapped.pointee.xAccess?(wrapped, $0, question, answer) ?? SQLITE_MISUSE
    }
  }

  private static func state(
    _ file: UnsafeMutablePointer<sqlite3_file>
  ) -> UnsafeMutablePointer<FileState> {
    UnsafeMutableRawPointer(file).assumingMemoryBound(to: FileState.self)
  }

  static func inner(
    _ file: UnsafeMutablePointer<sqlite3_file>
  ) -> UnsafeMutablePointer<sqlite3_file> {
    UnsafeMutableRawPointer(file).advanced(by: wrappedOffset)
      .assumingMemoryBound(to: sqlite3_file.self)
  }

  typealias File = UnsafeMutablePointer<sqlite3_file>

  /// Hands a call through to the wrapped file.
  static func forward(
    _ file: File?, _ call: (File, sqlite3_io_methods) -> Int32?
  ) -> Int32 {
    guard let file, let methods = inner(file).pointee.pMethods else { return SQLITE_MISUSE }
    return call(inner(file), methods.pointee) ?? SQLITE_MISUSE
  }

  private static func isPage(_ count: Int32, _ offset: Int64) -> Bool {
    Int(count) == PageChecksum.pageSize && offset % Int64(PageChecksum.pageSize) == 0
  }

  static func read(
    _ file: File?, _ buffer: UnsafeMutableRawPointer?, _ count: Int32, _ offset: Int64
  ) -> Int32 {
    let code = forward(file) { $1.xRead?($0, buffer, count, offset) }
    guard code == SQLITE_OK, isPage(count, offset), let file, let buffer else { return code }
    let number = offset / Int64(PageChecksum.pageSize) + 1
    let page = UnsafeRawBufferPointer(start: buffer, count: Int(count))
    guard !PageChecksum.matches(page, number: number) else { return code }
    state(file).pointee.damagedPage = number
    return ExtendedCode.damagedPage
  }

  /// The stamp goes into SQLite's own buffer: the bytes there are reserved for us, and what
  /// SQLite keeps of them in its cache is never looked at.
  static func write(
    _ file: File?, _ buffer: UnsafeRawPointer?, _ count: Int32, _ offset: Int64
  ) -> Int32 {
    if isPage(count, offset), let buffer {
      let page = UnsafeMutableRawBufferPointer(
        start: UnsafeMutableRawPointer(mutating: buffer), count: Int(count))
      PageChecksum.stamp(page, number: offset / Int64(PageChecksum.pageSize) + 1)
    }
    if let file { state(file).pointee.hasUnsyncedWrites = true }
    return forward(file) { $1.xWrite?($0, buffer, count, offset) }
  }

  static func sync(_ file: File?, _ flags: Int32) -> Int32 {
    let code = forward(file) { $1.xSync?($0, flags) }
    if code == SQLITE_OK, let file { state(file).pointee.hasUnsyncedWrites = false }
    return code
  }
}
