import CLibUV

/// A call of a function on the loop whenever a descriptor can be read or written.
///
/// For terminals and other things that are no sockets of the loop's own. libuv makes the descriptor
/// non-blocking, and with it every other one of the same open file: a watch belongs on a file opened for
/// it, not on one that came with the process. Stays alive on its own until cancelled; does not close the
/// descriptor.
package final class DescriptorWatch: HandleOwner {
  /// What is watched for.
  package struct Readiness: OptionSet, Sendable {
    package let rawValue: Int32

    /// Makes a set of libuv's flags.
    package init(rawValue: Int32) {
      self.rawValue = rawValue
    }

    /// There is something to read, or the other side has hung up.
    package static let readable = Readiness(rawValue: Int32(UV_READABLE.rawValue))
    /// There is room to write.
    package static let writable = Readiness(rawValue: Int32(UV_WRITABLE.rawValue))
  }

  private var handle: UnsafeMutablePointer<uv_poll_t>?
  private var body: ((Readiness) -> Void)?

  init(
    on loop: EventLoop, _ descriptor: Int32, _ body: @escaping (Readiness) -> Void
  ) throws(NetworkError) {
    loop.assertOpen()
    let handle = Handle.allocate(uv_poll_t.self)
    let status = uv_poll_init(loop.loop, handle, descriptor)
    guard status == 0 else {
      Handle.discard(handle)
      throw NetworkError(.watch, "descriptor \(descriptor)", status: status)
    }
    self.handle = handle
    self.body = body
    Handle.tie(handle, to: self)
  }

  /// Sets what is watched for; nothing at first.
  ///
  /// A failure of the descriptor, or that its other side has hung up, shows as everything watched for.
  package func watch(for readiness: Readiness) {
    guard let handle else { return }
    guard !readiness.isEmpty else {
      uv_poll_stop(handle)
      return
    }
    // Cannot fail for an open handle; see uv_poll_start.
    uv_poll_start(handle, readiness.rawValue) { handle, status, events in
      let watch = Handle.owner(DescriptorWatch.self, of: handle?.pointee.data)
      watch?.tell(status < 0 ? [.readable, .writable] : Readiness(rawValue: events))
    }
  }

  /// Ends the watch.
  package func cancel() {
    closeHandle()
  }

  func closeHandle() {
    guard let handle else { return }
    self.handle = nil
    body = nil
    Handle.close(handle)
  }

  private func tell(_ readiness: Readiness) {
    body?(readiness)
  }
}

extension EventLoop {
  /// Watches a descriptor, which has to stay open until the watch is cancelled.
  ///
  /// - Throws: for a descriptor that cannot be watched, such as one of a file.
  package func watch(
    _ descriptor: Int32, _ body: @escaping (DescriptorWatch.Readiness) -> Void
  ) throws(NetworkError) -> DescriptorWatch {
    try DescriptorWatch(on: self, descriptor, body)
  }
}
