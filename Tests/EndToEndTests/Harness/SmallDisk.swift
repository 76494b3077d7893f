import Glibc

/// A file system of a few megabytes in memory, for a disk that is full.
final class SmallDisk {
  let path: String
  private let folder: TemporaryFolder

  /// Mounts it, which takes the superuser.
  init(megabytes: Int) throws {
    folder = try TemporaryFolder()
    path = folder("disk")
    mkdir(path, 0o700)
    let mounted = try run(["mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", path])
    guard mounted.end == .code(0) else { throw Unexpected("mount: \(mounted.errors)") }
  }

  deinit {
    // Lazily, since a daemon that is being ended may still hold files open.
    _ = try? run(["umount", "-l", path])
  }

  static let isPossible = geteuid() == 0 && (try? SmallDisk(megabytes: 1)) != nil

  /// Takes all the space that is left.
  func fill() {
    let descriptor = open(path + "/filler", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    let block = [UInt8](repeating: 1, count: 4_096)
    while block.withUnsafeBytes({ Glibc.write(descriptor, $0.baseAddress, $0.count) }) > 0 {}
  }

  /// Gives back what ``fill()`` took.
  func free() {
    // A process that another test is starting may hold the file open for a moment longer.
    truncate(path + "/filler", 0)
    unlink(path + "/filler")
  }
}
