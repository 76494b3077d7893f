import Glibc

/// Writes to a descriptor that may be a terminal which takes nothing, such as one stopped by Ctrl-S.
///
/// What is not taken within a while is dropped, so that the end of a process is never held up. May be
/// called from a signal handler.
enum PatientWriting {
  private static let patienceMilliseconds: Int32 = 500

  /// Writes as much as is taken.
  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) {
    var start = 0
    while start < bytes.count {
      var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      let ready = poll(&request, 1, patienceMilliseconds)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { return }
      let count = Glibc.write(
        descriptor, bytes.baseAddress.map { $0 + start }, bytes.count - start)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { return }
      start += count
    }
  }

  /// Writes as much as is taken.
  static func write(_ bytes: [UInt8], to descriptor: Int32) {
    bytes.withUnsafeBytes { write($0, to: descriptor) }
  }
}
