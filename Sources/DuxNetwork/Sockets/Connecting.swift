import CLibUV
import Glibc

/// An attempt to connect that has not ended yet.
package final class Connecting {
  private let endpoint: Endpoint
  private let loop: EventLoop
  private var done: ((Result<Connection, NetworkError>) -> Void)?
  private var attempt: Connection?
  private var lookup: UnsafeMutablePointer<uv_getaddrinfo_t>?
  private var addresses: ArraySlice<SocketAddress> = []

  fileprivate init(
    _ endpoint: Endpoint, _ loop: EventLoop,
    _ done: @escaping (Result<Connection, NetworkError>) -> Void
  ) {
    self.endpoint = endpoint
    self.loop = loop
    self.done = done
  }

  /// Gives up: the callback does not come any more; harmless once it came.
  package func cancel() {
    loop.assertConfined()
    done = nil
    attempt?.close()
    attempt = nil
    // A lookup that already runs on its thread is left to end; its answer is then ignored.
    lookup.map { _ = uv_cancel(UnsafeMutableRawPointer($0).assumingMemoryBound(to: uv_req_t.self)) }
  }

  fileprivate func start() {
    switch endpoint {
    case .unix(let path):
      connect(path: path)
    case .tcp(let host, let port):
      // A literal address needs no thread of the lookup pool.
      let literal = try? SocketAddress.resolve(host: host, port: port, flags: AI_NUMERICHOST)
      guard let literal else { return look(up: host, port) }
      addresses = literal[...]
      connectToNext(after: nil)
    }
  }

  private func finish(_ result: Result<Connection, NetworkError>) {
    let done = done
    self.done = nil
    attempt = nil
    done?(result)
  }

  private func finishLater(_ error: NetworkError) {
    loop.deferred { self.finish(.failure(error)) }
  }

  private func look(up host: String, _ port: UInt16) {
    let request = UnsafeMutablePointer<uv_getaddrinfo_t>.allocate(capacity: 1)
    // The retain is given back in the callback, which comes exactly once, cancelled or not.
    request.pointee.data = Unmanaged.passRetained(self).toOpaque()
    var hints = SocketAddress.lookupHints(0)
    let status = uv_getaddrinfo(
      loop.loop, request,
      { request, status, first in
        guard let request, let data = request.pointee.data else { return }
        let connecting = Unmanaged<Connecting>.fromOpaque(data).takeRetainedValue()
        let addresses = SocketAddress.list(first)
        uv_freeaddrinfo(first)
        request.deallocate()
        connecting.lookedUp(status, addresses)
      }, host, String(port), &hints)
    guard status == 0 else {
      Unmanaged.passUnretained(self).release()
      request.deallocate()
      return finishLater(NetworkError(.resolve, host, status: status))
    }
    lookup = request
  }

  private func lookedUp(_ status: Int32, _ found: [SocketAddress]) {
    lookup = nil
    guard done != nil, !loop.isClosed else { return }
    guard status == 0, !found.isEmpty else {
      let code = status == 0 ? UV_EAI_NONAME.rawValue : status
      return finish(.failure(NetworkError(.resolve, endpoint.description, status: code)))
    }
    addresses = found[...]
    connectToNext(after: nil)
  }

  /// Tries the next address of the host; when none is left, the last failure is the answer.
  private func connectToNext(after failure: NetworkError?) {
    guard let address = addresses.popFirst() else {
      return finishLater(failure ?? NetworkError(.connect, endpoint.description, errno: ENOENT))
    }
    connect { stream, request, callback in
      let handle = UnsafeMutableRawPointer(stream).assumingMemoryBound(to: uv_tcp_t.self)
      return address.withPointer { uv_tcp_connect(request, handle, $0, callback) }
    }
  }

  private func connect(path: String) {
    guard UnixSocketAddress(path: path) != nil else {
      // libuv would cut the path and connect to another one.
      let limit = "a socket path has 1 to \(UnixSocketAddress.longestPathBytes) bytes, not NUL"
      return finishLater(
        NetworkError(.connect, endpoint.description, errno: ENAMETOOLONG, detail: limit))
    }
    connect { stream, request, callback in
      let handle = UnsafeMutableRawPointer(stream).assumingMemoryBound(to: uv_pipe_t.self)
      uv_pipe_connect(request, handle, path, callback)
      return 0
    }
  }

  private typealias Opening = (
    UnsafeMutablePointer<uv_stream_t>, UnsafeMutablePointer<uv_connect_t>, uv_connect_cb?
  ) -> Int32

  private func connect(_ open: Opening) {
    let connection: Connection
    do throws(NetworkError) {
      connection = try Connection(to: endpoint, on: loop)
    } catch {
      return finishLater(error)
    }
    guard let stream = connection.stream else { return }
    attempt = connection
    let request = UnsafeMutablePointer<uv_connect_t>.allocate(capacity: 1)
    // The retain is given back in the callback, which comes exactly once, closed or not.
    request.pointee.data = Unmanaged.passRetained(self).toOpaque()
    let status = open(stream, request) { request, status in
      guard let request, let data = request.pointee.data else { return }
      let connecting = Unmanaged<Connecting>.fromOpaque(data).takeRetainedValue()
      request.deallocate()
      connecting.connected(status)
    }
    guard status == 0 else {
      Unmanaged.passUnretained(self).release()
      request.deallocate()
      return failed(NetworkError(.connect, endpoint.description, status: status))
    }
  }

  private func connected(_ status: Int32) {
    guard done != nil, let connection = attempt, !connection.isClosed else { return }
    guard status == 0 else {
      return failed(NetworkError(.connect, endpoint.description, status: status))
    }
    connection.descriptor.map(connection.tune)
    finish(.success(connection))
  }

  private func failed(_ error: NetworkError) {
    attempt?.close()
    attempt = nil
    connectToNext(after: error)
  }
}

extension Connection {
  /// Connects, and calls back once with the connection or the failure; never from inside this call.
  ///
  /// A host name is looked up on a thread of libuv, and its addresses are tried one after the other.
  /// There is no time limit but the system's: set a timer and ``Connecting/cancel()``.
  @discardableResult
  package static func connect(
    to endpoint: Endpoint, loop: EventLoop,
    _ done: @escaping (Result<Connection, NetworkError>) -> Void
  ) -> Connecting {
    loop.assertOpen()
    let connecting = Connecting(endpoint, loop, done)
    connecting.start()
    return connecting
  }
}
