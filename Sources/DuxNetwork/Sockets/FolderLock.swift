import Glibc

/// Keeps two starting programs from replacing a stale socket file at the same time.
///
/// Without it both could find the file stale, and the second remove what the first has just made.
/// The lock is on the folder itself, so that no file is left behind.
struct FolderLock {
  private let descriptor: Int32

  /// Waits up to a second for the lock; `nil` when the folder cannot be locked, which is no reason
  /// not to start: anybody who may read the folder could hold the lock.
  init?(of path: String) {
    let folder = Self.folder(of: path)
    descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    for _ in 0..<100 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
        return
      }
      guard errno == EWOULDBLOCK || errno == EINTR else { break }
      usleep(10_000)
    }
    close(descriptor)
    return nil
  }

  /// Lets the next program go on.
  func release() {
    close(descriptor)
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.utf8.startIndex ? "/" : String(path[..<slash])
  }
}
