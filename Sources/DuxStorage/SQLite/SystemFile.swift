import Glibc

/// The few calls on files that SQLite does not make for us, with the system's errors translated.
enum SystemFile {
  /// The length of a file in bytes, `nil` where there is none.
  static func length(of path: String) throws(StorageError) -> Int64? {
    var status = stat()
    if stat(path, &status) == 0 {
      return Int64(status.st_size)
    }
    guard errno == ENOENT else { throw StorageError(errno: errno, file: path, check: "stat") }
    return nil
  }

  /// The first `count` bytes of a file, fewer where it is shorter.
  static func prefix(of path: String, count: Int) throws(StorageError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StorageError(errno: errno, file: path, check: "open") }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count)
    let read = bytes.withUnsafeMutableBytes { readFully(descriptor, into: $0, at: 0) }
    guard read >= 0 else { throw StorageError(errno: errno, file: path, check: "read") }
    bytes.removeLast(count - read)
    return bytes
  }

  /// Reads until the buffer is full or the file ends; -1 with `errno` set when the system fails.
  static func readFully(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) -> Int {
    var done = 0
    while done < buffer.count {
      let target = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = pread(descriptor, target.baseAddress, target.count, off_t(offset) + done)
      if count < 0 && errno == EINTR { continue }
      if count < 0 { return -1 }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Creates an empty file readable by its owner alone, and syncs it.
  static func create(_ path: String) throws(StorageError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StorageError(errno: errno, file: path, check: "create") }
    close(descriptor)
  }

  /// Waits until a file's bytes, or a folder's names, are on disk.
  static func sync(_ path: String) throws(StorageError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StorageError(errno: errno, file: path, check: "open") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else {
      throw StorageError(errno: errno, file: path, check: "sync")
    }
  }

  /// Gives a file another name in the same folder, replacing what has that name.
  static func rename(_ path: String, to target: String) throws(StorageError) {
    guard Glibc.rename(path, target) == 0 else {
      throw StorageError(errno: errno, file: path, check: "rename")
    }
  }

  /// Removes a file if it is there.
  static func remove(_ path: String) throws(StorageError) {
    guard unlink(path) == 0 || errno == ENOENT else {
      throw StorageError(errno: errno, file: path, check: "remove")
    }
  }
}

extension StorageError {
  /// Translates the system's error number.
  init(errno code: Int32, file: String, check: String) {
    let kind: Kind =
      switch code {
      case ENOSPC, EDQUOT: .full
      case EACCES, EPERM, EROFS, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG, EEXIST, ENOENT:
        .unwritable
      default: .io
      }
    self.init(kind, file: file, check: check, code: code, message: String(cString: strerror(code)))
  }
}
