import Glibc

/// The file of a listening Unix socket: made for its owner alone, and removed again.
struct UnixSocketFile {
  private let path: String
  private let device: dev_t
  private let inode: ino_t

  /// Makes a socket bound to a path, with mode 0600 from the first instant.
  ///
  /// A socket file that nobody listens on any more is replaced.
  /// - Throws: address in use when somebody listens there; "not a socket" when another kind of file
  ///   is there, which is left alone; and what the file system refuses.
  static func bind(
    _ path: String, name: String
  ) throws(NetworkError) -> (descriptor: Int32, file: UnixSocketFile) {
    guard let address = UnixSocketAddress(path: path) else {
      let limit = "a socket path has 1 to \(UnixSocketAddress.longestPathBytes) bytes, not NUL"
      throw NetworkError(.listen, name, errno: ENAMETOOLONG, detail: limit)
    }
    let lock = FolderLock(of: path)
    defer { lock?.release() }
    try removeStale(path, address, name)
    let descriptor = try ListeningSocket.openSocket(AF_UNIX, .listen, name)
    // On Linux `bind` gives the file the mode of the socket itself, so there is no moment in which
    // others may connect; `umask` would do the same, but for all threads of the process.
    guard fchmod(descriptor, 0o600) == 0,
      address.withPointer({ Glibc.bind(descriptor, $0, $1) }) == 0,
      let file = UnixSocketFile(at: path)
    else {
      let error = NetworkError(.listen, name, errno: errno)
      close(descriptor)
      throw error
    }
    return (descriptor, file)
  }

  /// Removes the file, unless another socket has taken its place.
  func remove() {
    guard let now = UnixSocketFile(at: path), now.device == device, now.inode == inode else {
      return
    }
    unlink(path)
  }

  private init?(at path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.path = path
    device = status.st_dev
    inode = status.st_ino
  }

  private static func removeStale(
    _ path: String, _ address: UnixSocketAddress, _ name: String
  ) throws(NetworkError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw NetworkError(
        .listen, name, errno: ENOTSOCK, detail: "another kind of file is there, and was left alone")
    }
    let probe = try ListeningSocket.openSocket(AF_UNIX, .listen, name)
    defer { close(probe) }
    if address.withPointer({ connect(probe, $0, $1) }) == 0 {
      throw inUse(name)
    }
    switch errno {
    case ECONNREFUSED:
      unlink(path)
    case ENOENT:
      // Its owner removed it just now.
      return
    case EACCES, EPERM:
      throw NetworkError(.listen, name, errno: errno)
    default:
      // A full backlog (EAGAIN) or a socket of another type (EPROTOTYPE): somebody is there.
      throw inUse(name)
    }
  }

  private static func inUse(_ name: String) -> NetworkError {
    NetworkError(.listen, name, errno: EADDRINUSE, detail: "another program listens there")
  }
}
