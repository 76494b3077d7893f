import Testing

/// A daemon that refuses to start.
struct FailedStart {
  let code: Int32
  let message: String

  /// Starts one that must end by itself.
  init(
    data: String, options: [String] = [], listen: String = "127.0.0.1:0", prefix: [String] = []
  ) throws {
    let result = try run(
      prefix + DaemonProcess.command(data: data, options, listen: listen))
    guard case .code(let code) = result.end, code != 0 else {
      throw Unexpected("it ended with \(result.end): \(result.output) \(result.errors)")
    }
    self.code = code
    message = result.errors
  }

  /// The exit codes of `duxd --help`.
  enum Code {
    static let usage: Int32 = 64
    static let data: Int32 = 65
    static let unavailable: Int32 = 69
    static let storage: Int32 = 74
    static let busy: Int32 = 75
  }
}
