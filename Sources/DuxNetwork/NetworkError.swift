import CLibUV
import Glibc

/// A refusal of the operating system, with what was tried and where.
package struct NetworkError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What was tried; the raw value is the verb of the description.
  package enum Operation: String, Equatable, Sendable {
    /// Binding, or taking over a socket file.
    case listen = "listen on"
    /// Taking a connection that a peer opened.
    case accept = "accept on"
    /// Looking up a host name.
    case resolve = "look up"
    /// Opening a connection.
    case connect = "connect to"
    /// Receiving bytes.
    case read = "read from"
    /// Sending bytes.
    case write = "write to"
    /// Making an event loop, a wakeup or a signal watch.
    case watch = "watch"
    /// Starting a thread.
    case startThread = "start thread"
    /// Starting a program.
    case startProgram = "start"
  }

  /// What was tried.
  package let operation: Operation
  /// Where, as text: an endpoint, a peer, a signal, a thread.
  package let endpoint: String
  /// The `errno` of the system call; for a name lookup libuv's positive number of the failure.
  package let code: Int32
  /// What is known beyond the code, such as "a live server holds it"; may be empty.
  package let detail: String

  /// An error with a positive `errno`.
  package init(_ operation: Operation, _ endpoint: String, errno code: Int32, detail: String = "") {
    self.operation = operation
    self.endpoint = endpoint
    self.code = code
    self.detail = detail
  }

  /// An error with a status of libuv, which is a negative `errno` on this platform.
  init(_ operation: Operation, _ endpoint: String, status: Int32, detail: String = "") {
    let code = status == .min ? EINVAL : abs(status)
    self.init(operation, endpoint, errno: code, detail: detail)
  }

  /// The code in words, such as "connection refused".
  package var message: String {
    var text = [CChar](repeating: 0, count: 128)
    // The `_r` form fills our buffer; the plain one leaks memory for an unknown code.
    uv_strerror_r(-code, &text, text.count)
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  package var description: String {
    let reason = detail.isEmpty ? message : "\(message) (\(detail))"
    return "cannot \(operation.rawValue) \(endpoint): \(reason)"
  }

  /// Nobody listens there.
  package var isConnectionRefused: Bool {
    code == ECONNREFUSED
  }

  /// The socket path, the host name or its folder does not exist.
  package var isNotFound: Bool {
    [ENOENT, ENOTDIR].contains(code) || isUnknownHost
  }

  /// The host name has no address.
  package var isUnknownHost: Bool {
    [UV_EAI_NONAME.rawValue, UV_EAI_NODATA.rawValue, UV_EAI_ADDRFAMILY.rawValue].contains(-code)
  }

  /// A name server did not answer; worth another try.
  package var isLookupUnanswered: Bool {
    -code == UV_EAI_AGAIN.rawValue
  }

  /// Another socket holds the address.
  package var isAddressInUse: Bool {
    code == EADDRINUSE
  }

  /// No interface of this machine has the address.
  package var isAddressUnavailable: Bool {
    code == EADDRNOTAVAIL
  }

  /// The file system or a privileged port refuses this user.
  package var isPermissionDenied: Bool {
    [EACCES, EPERM].contains(code)
  }

  /// The process or the system has no descriptor left.
  package var isDescriptorLimit: Bool {
    [EMFILE, ENFILE].contains(code)
  }

  /// The peer went away without an orderly end.
  package var isConnectionLost: Bool {
    [ECONNRESET, EPIPE, ECONNABORTED, ETIMEDOUT, EHOSTUNREACH, ENETUNREACH, ENETDOWN]
      .contains(code)
  }

  /// The socket path is longer than a socket address holds.
  package var isPathTooLong: Bool {
    code == ENAMETOOLONG
  }

  /// The path holds a file that is no socket.
  package var isNotASocket: Bool {
    code == ENOTSOCK
  }
}
