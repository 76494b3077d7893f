/// The checks before SQLite may touch what is in the data folder, and the making of a new database.
///
/// A refused file is only read here, by plain calls: SQLite itself would repair, truncate or
/// delete, each of which is a write to a file that someone may want to salvage.
enum DatabaseFile {
  /// Makes the database where there is none, or checks the one that is there.
  ///
  /// - Parameters:
  ///   - folder: where it is.
  ///   - schema: how it is laid out.
  ///   - durability: how its write-ahead log was kept.
  ///   - fill: puts the first rows into a new one.
  /// - Returns: How many frames of the write-ahead log are in force.
  /// - Throws: `damaged`, `foreign`, `newerFormat` or a failure of the disk; nothing is written
  ///   then.
  static func prepare(
    _ folder: DataFolder, _ schema: Schema, _ durability: Durability,
    fill: (Connection) throws(StorageError) -> Void
  ) throws(StorageError) -> Int {
    guard let size = try SystemFile.length(of: folder.databasePath) else {
      try refuseLeftovers(folder)
      try create(folder, schema, fill)
      return 0
    }
    let header = try checkedHeader(of: folder.databasePath, size: size, schema)
    guard let walSize = try SystemFile.length(of: folder.walPath) else {
      throw StorageError(
        .damaged, file: folder.walPath,
        check: "missing beside dux.db, and it holds the latest commits (after a clean stop it is "
          + "empty: then an empty file of this name will do)")
    }
    guard walSize == 0 else {
      return try WALFile(path: folder.walPath).framesInForce(durability)
    }
    let expected = Int64(header.pageCount) * Int64(PageChecksum.pageSize)
    guard size >= expected else {
      throw StorageError(
        .damaged, file: folder.databasePath,
        check: "\(size) bytes long where its header says \(expected)")
    }
    return 0
  }

  /// A new store is made only where there are no signs of an old one.
  private static func refuseLeftovers(_ folder: DataFolder) throws(StorageError) {
    let unfinished = try SystemFile.length(of: folder.unfinishedDatabasePath) != nil
    for path in [folder.walPath, folder.databasePath + "-journal"] {
      guard let size = try SystemFile.length(of: path) else { continue }
      if unfinished && size == 0 && path == folder.walPath { continue }
      throw StorageError(
        .damaged, file: folder.databasePath,
        check: "missing, but \(path.split(separator: "/").last ?? "") is there")
    }
  }

  /// Builds the database beside its place and renames it there when it is whole and on disk, so
  /// that a crash at any instant leaves either no database or a good one.
  private static func create(
    _ folder: DataFolder, _ schema: Schema, _ fill: (Connection) throws(StorageError) -> Void
  ) throws(StorageError) {
    let path = folder.unfinishedDatabasePath
    for suffix in ["", "-wal", "-journal"] {
      try SystemFile.remove(path + suffix)
    }
    try SystemFile.create(path)
    try build(path, schema, fill)
    for suffix in ["-wal", "-journal"] {
      try SystemFile.remove(path + suffix)
    }
    try SystemFile.sync(path)
    if try SystemFile.length(of: folder.walPath) == nil {
      try SystemFile.create(folder.walPath)
    }
    try SystemFile.sync(folder.path)
    try SystemFile.rename(path, to: folder.databasePath)
    try SystemFile.sync(folder.path)
  }

  private static func build(
    _ path: String, _ schema: Schema, _ fill: (Connection) throws(StorageError) -> Void
  ) throws(StorageError) {
    let connection = try Connection(path, .creating)
    defer { connection.close() }
    try connection.execute("PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF")
    try schema.create(in: connection)
    try fill(connection)
    try connection.execute("PRAGMA journal_mode=WAL")
  }

  private struct Header {
    var pageCount: UInt32
  }

  /// - Source: "Database File Format", section 1.3, for the places of the fields.
  private static func checkedHeader(
    of path: String, size: Int64, _ schema: Schema
  ) throws(StorageError) -> Header {
    guard size > 0 else {
      throw StorageError(.damaged, file: path, check: "the file is empty")
    }
    let bytes = try SystemFile.prefix(of: path, count: 100)
    guard bytes.count == 100 else {
      throw StorageError(.damaged, file: path, check: "too short for a database's header")
    }
    guard bytes.prefix(16) == Array("SQLite format 3\0".utf8)[...] else {
      throw StorageError(.damaged, file: path, check: "not an SQLite database")
    }
    let id = Int64(bigEndian(bytes, at: 68))
    guard id == schema.applicationID else {
      throw StorageError(.foreign, file: path, check: "application id \(id)")
    }
    let format = Int64(Int32(bitPattern: bigEndian(bytes, at: 60)))
    try schema.check(format: format, of: path)
    let pageSize = bigEndian(bytes, at: 16) >> 16
    guard pageSize == UInt32(PageChecksum.pageSize),
      bytes[18] == 2, bytes[19] == 2, Int(bytes[20]) == PageChecksum.reservedSize
    else {
      throw StorageError(
        .damaged, file: path, check: "page size or journal mode in the header")
    }
    return Header(pageCount: bigEndian(bytes, at: 28))
  }

  private static func bigEndian(_ bytes: [UInt8], at offset: Int) -> UInt32 {
    bytes.withUnsafeBytes {
      UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
  }
}
