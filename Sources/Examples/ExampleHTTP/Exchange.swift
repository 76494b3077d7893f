import CMicroHTTPD
import DuxJSON
import Synchronization

/// One request on a server, from its first line to the end of its answer.
///
/// The daemon's thread collects the request and hands it to the handler, which runs as a task while
/// the connection is suspended; when there is an answer, the connection goes on and the daemon's
/// thread sends it.
final class Exchange: @unchecked Sendable {
  // Unchecked: the answer is behind a lock; all else is touched by the daemon's thread alone, but
  // for the connection, which `MHD_resume_connection` takes from any thread.
  private let target: String?
  private let connection: OpaquePointer
  private var hasStarted = false
  private var body: [UInt8] = []
  private let answer = Mutex<ServerResponse?>(nil)

  init(target: String?, connection: OpaquePointer) {
    self.target = target
    self.connection = connection
  }

  /// Takes what the daemon has of the request, and answers once there is an answer.
  func proceed(
    method: String, upload: UnsafePointer<CChar>?, uploadCount: UnsafeMutablePointer<Int>,
    on server: ServerCore
  ) -> MHD_Result {
    if let response = answer.withLock({ $0 }) { return send(response) }
    guard hasStarted else {
      hasStarted = true
      return begin(server)
    }
    guard uploadCount.pointee == 0 else {
      return append(upload, uploadCount, maximum: server.maximumBodyBytes)
    }
    guard let request = request(method: method) else {
      return send(.error("the request is not percent-encoded UTF-8", status: 400))
    }
    MHD_suspend_connection(connection)
    server.handle(request) { [self] response in
      answer.withLock { $0 = response }
      MHD_resume_connection(connection)
    }
    return .YES
  }

  /// Refuses a body that is announced as too long before it is sent.
  private func begin(_ server: ServerCore) -> MHD_Result {
    guard let text = header("Content-Length"), let length = Int(text),
      length > server.maximumBodyBytes
    else { return .YES }
    let limit = server.maximumBodyBytes
    return send(.error("the body is longer than \(limit) bytes", status: 413))
  }

  /// A body that grows too long unannounced ends the connection, for there is no way to answer.
  private func append(
    _ upload: UnsafePointer<CChar>?, _ count: UnsafeMutablePointer<Int>, maximum: Int
  ) -> MHD_Result {
    guard let upload, count.pointee <= maximum - body.count else { return .NO }
    body.append(contentsOf: UnsafeRawBufferPointer(start: upload, count: count.pointee))
    count.pointee = 0
    return .YES
  }

  private func request(method: String) -> ServerRequest? {
    guard let target = target.flatMap({ RequestTarget($0) }) else { return nil }
    var headers: [String: String] = [:]
    withUnsafeMutablePointer(to: &headers) { headers in
      _ = MHD_get_connection_values(
        connection, .HEADER_KIND,
        { context, _, name, value in
          guard let name, let headers = context?.assumingMemoryBound(to: [String: String].self)
          else { return .YES }
          headers.pointee[String(cString: name).lowercased()] = value.map { String(cString: $0) }
          return .YES
        }, headers)
    }
    return ServerRequest(
      method: method, path: target.path, query: target.query, headers: headers, body: body)
  }

  private func header(_ name: String) -> String? {
    MHD_lookup_connection_value(connection, .HEADER_KIND, name).map { String(cString: $0) }
  }

  private func send(_ response: ServerResponse) -> MHD_Result {
    let made = response.body.withUnsafeBytes { bytes in
      // The daemon copies the bytes, so that it never writes into them.
      MHD_create_response_from_buffer(
        bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
    }
    guard let made else { return .NO }
    defer { MHD_destroy_response(made) }
    for (name, value) in response.headers where MHD_add_response_header(made, name, value) != .YES {
      return .NO
    }
    return MHD_queue_response(connection, UInt32(clamping: response.status), made)
  }
}
