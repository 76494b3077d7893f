import Glibc

/// Keeps what the process says on standard output and error while the terminal is taken over, where it
/// would write across the screen, and says it afterwards.
final class CapturedMessages {
  /// Where it is kept.
  let file: Int32
  /// Standard error as it was.
  let errors: Int32
  private var replaced: [(descriptor: Int32, former: Int32)] = []

  /// The most that is said afterwards, the end of it all, in bytes.
  private static let limitBytes = 1 << 16

  /// Begins to keep; `nil` where neither of the two is a terminal, or there is no room.
  init?() {
    guard let stream = tmpfile() else { return nil }
    defer { fclose(stream) }
    file = fcntl(fileno(stream), F_DUPFD_CLOEXEC, 3)
    guard file >= 0 else { return nil }
    // So that two descriptors write one after the other, as into a log.
    _ = fcntl(file, F_SETFL, O_APPEND)
    fflush(nil)
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] where isatty(descriptor) == 1 {
      let former = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
      guard former >= 0, dup2(file, descriptor) >= 0 else { continue }
      replaced.append((descriptor, former))
    }
    errors = replaced.last?.former ?? STDERR_FILENO
  }

  /// Ends keeping, and says what was kept.
  func release() {
    fflush(nil)
    for (descriptor, former) in replaced {
      dup2(former, descriptor)
      close(former)
    }
    replaced = []
    copy()
    close(file)
  }

  private func copy() {
    let end = lseek(file, 0, SEEK_END)
    guard end > 0 else { return }
    let start = max(0, end - off_t(Self.limitBytes))
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(end - start)) { buffer, initializedCount in
      initializedCount = max(0, pread(file, buffer.baseAddress, buffer.count, start))
    }
    PatientWriting.write(bytes, to: STDERR_FILENO)
  }
}
