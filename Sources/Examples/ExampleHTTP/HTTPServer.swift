import CMicroHTTPD
import Glibc
import Synchronization

/// An HTTP/1.1 server for examples and tests, on GNU libmicrohttpd.
///
/// It serves until it is stopped, also when nobody holds it any more.
package final class HTTPServer: Sendable {
  /// The address it listens on.
  package let host: String
  /// The port it listens on.
  package let port: UInt16
  private let core: ServerCore
  private let daemon: Mutex<Daemon?>

  /// A pointer that the lock around it makes safe to hand over.
  private struct Daemon: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - host: an IPv4 or IPv6 address of this machine.
  ///   - port: 0 for one that is free.
  ///   - maximumBodyBytes: longer bodies of requests are refused with status 413.
  ///   - idleSeconds: how long a connection may be silent.
  ///   - handler: answers a request; several run at a time. Stopping the server cancels its task.
  /// - Throws: ``ListeningError``.
  package init(
    host: String = "127.0.0.1", port: UInt16 = 0, maximumBodyBytes: Int = 1 << 20,
    idleSeconds: UInt32 = 60,
    handler: @escaping @Sendable (ServerRequest) async -> ServerResponse
  ) throws(ListeningError) {
    let listening = try ListeningSocket(host: host, port: port)
    core = ServerCore(maximumBodyBytes: maximumBodyBytes, handler: handler)
    self.host = host
    self.port = listening.port
    guard let started = core.start(on: listening.descriptor, idleSeconds: idleSeconds) else {
      let error = ListeningError(host: host, port: port, errno: errno)
      close(listening.descriptor)
      throw error
    }
    daemon = Mutex(Daemon(pointer: started))
  }

  /// Where it is reached.
  package var url: String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port)" }

  /// Cancels the handlers, waits for them, and closes all connections.
  ///
  /// Only the first call does anything.
  package func stop() async {
    let taken = daemon.withLock { daemon in
      defer { daemon = nil }
      return daemon
    }
    guard let taken else { return }
    // A connection whose handler still runs is suspended, and must not be when the daemon stops.
    await core.stop()
    MHD_stop_daemon(taken.pointer)
    Unmanaged.passUnretained(core).release()
  }

  /// Starts a server, runs `body` with it, and stops it.
  package static func running<Result: Sendable>(
    maximumBodyBytes: Int = 1 << 20, idleSeconds: UInt32 = 60,
    handler: @escaping @Sendable (ServerRequest) async -> ServerResponse,
    body: (HTTPServer) async throws -> Result
  ) async throws -> Result {
    let server = try HTTPServer(
      maximumBodyBytes: maximumBodyBytes, idleSeconds: idleSeconds, handler: handler)
    do {
      let result = try await body(server)
      await server.stop()
      return result
    } catch {
      await server.stop()
      throw error
    }
  }
}

extension ServerCore {
  private static let connections: UInt32 = 1_000

  /// Starts the daemon, which holds this object until it is stopped.
  fileprivate func start(on descriptor: Int32, idleSeconds: UInt32) -> OpaquePointer? {
    let context = Unmanaged.passRetained(self).toOpaque()
    let daemon = MHD_start_on_socket(
      descriptor, Self.connections, idleSeconds,
      { _, uri, connection in
        guard let connection else { return nil }
        let exchange = Exchange(
          target: uri.flatMap { String(validatingCString: $0) }, connection: connection)
        return Unmanaged.passRetained(exchange).toOpaque()
      },
      { context, _, _, method, _, upload, uploadCount, exchange in
        guard let context, let uploadCount, let exchange = exchange?.pointee else { return .NO }
        let core = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
        return Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue().proceed(
          method: method.map { String(cString: $0) } ?? "", upload: upload,
          uploadCount: uploadCount, on: core)
      },
      { _, _, exchange, _ in
        guard let object = exchange?.pointee else { return }
        exchange?.pointee = nil
        Unmanaged<Exchange>.fromOpaque(object).release()
      }, context)
    if daemon == nil { Unmanaged<ServerCore>.fromOpaque(context).release() }
    return daemon
  }
}
