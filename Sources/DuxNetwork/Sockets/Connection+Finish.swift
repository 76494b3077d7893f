import CLibUV

extension Connection {
  /// Ends the connection so that the peer gets everything that ``write(_:)`` took.
  ///
  /// The end is sent after the last byte. What the peer still sends is read and thrown away, for to
  /// close a socket with unread bytes makes the system take back what it has not delivered yet. The
  /// connection closes when the peer has ended its side too, or when the time is over. No callback
  /// comes any more.
  package func finish(within limit: Duration) {
    forgetCallbacks()
    guard let stream, writing == .direct || writing == .blocked else { return }
    writing = .finishing
    let request = UnsafeMutablePointer<uv_shutdown_t>.allocate(capacity: 1)
    let status = uv_shutdown(request, stream) { request, status in
      guard let request else { return }
      // The stream's owner lives until its close callback, which comes after this one.
      let connection = Handle.owner(Connection.self, of: request.pointee.handle?.pointee.data)
      request.deallocate()
      connection?.sentEnd(status)
    }
    guard status == 0 else {
      request.deallocate()
      return close()
    }
    deadline = loop.timer(after: limit) { [weak self] in self?.close() }
    startReading()
  }

  /// Closes once both sides have ended.
  func closeIfFinished() {
    if writing == .finished, hasEnded {
      close()
    }
  }

  private func sentEnd(_ status: Int32) {
    guard writing == .finishing else { return }
    guard status == 0 else { return close() }
    writing = .finished
    closeIfFinished()
  }
}
