import Glibc

/// The folder that holds one daemon's log, locked against a second daemon while this value lives.
///
/// It holds `dux.db`, its write-ahead log `dux.wal`, and `lock`. The lock is the system's, on the
/// open file, so it ends with the process however that ends; the process id written in it is for
/// people.
package final class DataFolder: Sendable {
  /// The folder's absolute path.
  package let path: String

  private let lockDescriptor: Int32

  /// Opens the folder, making it and its parents where they are missing, and locks it.
  ///
  /// A folder made here can be entered by its owner alone; one that is there keeps its mode.
  ///
  /// - Throws: `busy` with the other's process id when the folder is locked; `unwritable` when
  ///   the path cannot be made, is not a folder or may not be written.
  package init(path: String) throws(StorageError) {
    try Self.make(path)
    guard let resolved = realpath(path, nil) else {
      throw StorageError(errno: errno, file: path, check: "resolve the path")
    }
    self.path = String(cString: resolved)
    free(resolved)
    self.lockDescriptor = try Self.lock(folder: self.path)
  }

  deinit {
    // Unlocked by name: a process that is being started may hold a copy of the descriptor for an
    // instant, and closing ours would not end the lock then.
    flock(lockDescriptor, LOCK_UN)
    close(lockDescriptor)
  }

  /// The database file.
  package var databasePath: String { path + "/dux.db" }
  /// The database's write-ahead log, present from the creation on.
  package var walPath: String { path + "/dux.wal" }
  /// The database while it is being created.
  var unfinishedDatabasePath: String { path + "/dux.db.new" }

  private static func make(_ path: String) throws(StorageError) {
    guard !path.isEmpty else {
      throw StorageError(.unwritable, file: path, check: "the path is empty")
    }
    var parent = path.utf8.first == UInt8(ascii: "/") ? "/" : ""
    let names = path.split(separator: "/")
    for (index, name) in names.enumerated() {
      let folder = parent + name
      if mkdir(folder, index == names.count - 1 ? 0o700 : 0o755) == 0 {
        try SystemFile.sync(parent.isEmpty ? "." : parent)
      } else if errno != EEXIST && errno != EISDIR && !isFolder(folder) {
        throw StorageError(errno: errno, file: folder, check: "make the folder")
      }
      parent = folder + "/"
    }
    guard isFolder(path) else {
      throw StorageError(errno: ENOTDIR, file: path, check: "the data folder must be a folder")
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    let saved = errno
    defer { errno = saved }
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func lock(folder: String) throws(StorageError) -> Int32 {
    let file = folder + "/lock"
    let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StorageError(errno: errno, file: file, check: "open") }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      defer { close(descriptor) }
      guard code == EWOULDBLOCK else { throw StorageError(errno: code, file: file, check: "lock") }
      throw StorageError(
        .busy(pid: holder(descriptor)), file: folder, check: "lock the data folder")
    }
    write(pid: getpid(), to: descriptor)
    return descriptor
  }

  private static func holder(_ descriptor: Int32) -> Int32? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = bytes.withUnsafeMutableBytes {
      SystemFile.readFully(descriptor, into: $0, at: 0)
    }
    return Int32(String(decoding: bytes.prefix(max(0, count)).filter { $0 > 32 }, as: UTF8.self))
  }

  /// Of fixed width, so that it overwrites in place and needs no space on a full disk; a failure
  /// is ignored because the lock does not depend on it.
  private static func write(pid: Int32, to descriptor: Int32) {
    let digits = Array(String(pid).utf8)
    let line = [UInt8](repeating: 32, count: max(0, 11 - digits.count)) + digits + [10]
    _ = line.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }
}
