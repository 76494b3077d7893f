import Glibc

/// The file that a history is kept in, a line each; only its owner may read it.
struct HistoryFile {
  private let folder: String
  private let path: String

  /// What is read of a file at most, from its end.
  private static let readLimit = 1 << 20

  /// Makes a file in the folder for state of the XDG base directories; `nil` where there is none.
  ///
  /// - Source: XDG Base Directory Specification 0.8.
  init?(environment: [String: String]) {
    if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") {
      self.folder = folder + "/dux"
    } else if let home = environment["HOME"], home.hasPrefix("/") {
      folder = home + "/.local/state/dux"
    } else {
      return nil
    }
    path = folder + "/history"
  }

  /// The variables that say where it is.
  static let variables = ["XDG_STATE_HOME", "HOME"]

  /// The lines kept, oldest first; none where the file can't be read.
  func read() -> [String] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    let end = lseek(descriptor, 0, SEEK_END)
    let start = max(0, end - Self.readLimit)
    lseek(descriptor, start, SEEK_SET)
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.readLimit) { buffer, count in
      while count < buffer.count {
        let read = Glibc.read(
          descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
        guard read > 0 else { return }
        count += read
      }
    }
    var lines = bytes.split(separator: UInt8(ascii: "\n")).map {
      String(decoding: $0, as: UTF8.self)
    }
    if start > 0, !lines.isEmpty { lines.removeFirst() }
    return lines
  }

  /// Adds a line.
  ///
  /// - Returns: the `errno` of a failure.
  func append(_ line: String) -> Int32? {
    makeFolders()
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    // One call, so that the lines of two programs do not mix.
    let bytes = Array((line + "\n").utf8)
    return write(descriptor, bytes, bytes.count) == bytes.count ? nil : errno
  }

  /// Writes the file anew, with fewer lines, where it has grown long.
  func shorten(to lines: [String]) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_size > Self.readLimit else { return }
    let draft = path + ".\(getpid())"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
    let isWritten = write(descriptor, bytes, bytes.count) == bytes.count
    close(descriptor)
    if !isWritten || rename(draft, path) != 0 { unlink(draft) }
  }

  private func makeFolders() {
    var end = folder.startIndex
    while end < folder.endIndex {
      end = folder[folder.index(after: end)...].firstIndex(of: "/") ?? folder.endIndex
      mkdir(String(folder[..<end]), 0o700)
    }
  }
}
