import CLibUV
import Glibc

/// Who is at the other end of a Unix socket, as the kernel knows it.
package struct PeerCredentials: Equatable, Sendable {
  /// The process that connected.
  package let processID: Int32
  /// The user it ran as when it connected.
  package let userID: UInt32
  /// The group it ran as when it connected.
  package let groupID: UInt32
}

extension Connection {
  /// The peer in words for a log: its address, or the process at the other end of a Unix socket.
  package var peerDescription: String {
    if let credentials = peerCredentials {
      return "unix:pid=\(credentials.processID),uid=\(credentials.userID)"
    }
    return peerEndpoint?.description ?? endpoint.description
  }

  /// The address of a TCP peer; `nil` for a Unix socket, or when the peer is gone.
  package var peerEndpoint: Endpoint? {
    guard let descriptor else { return nil }
    return SocketAddress(of: descriptor) { getpeername($0, $1, $2) }?.endpoint
  }

  /// The process at the other end of a Unix socket; `nil` for TCP.
  package var peerCredentials: PeerCredentials? {
    guard case .unix = endpoint, let descriptor else { return nil }
    // The layout of `struct ucred` (unix(7)), which is not in Swift's view of the C library.
    var words: (pid: Int32, uid: UInt32, gid: UInt32) = (0, 0, 0)
    let expected = socklen_t(MemoryLayout.size(ofValue: words))
    var size = expected
    let status = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &words, &size)
    guard status == 0, size == expected else { return nil }
    return PeerCredentials(processID: words.pid, userID: words.uid, groupID: words.gid)
  }

  /// The socket, for questions to the kernel; `nil` once closed.
  package var descriptor: Int32? {
    guard let stream else { return nil }
    var descriptor: Int32 = -1
    let status = uv_fileno(Handle.base(stream), &descriptor)
    return status == 0 ? descriptor : nil
  }
}
