import DuxCommandLine
import DuxNetwork

/// Where a user's programs keep their things.
///
/// - Source: XDG Base Directory Specification 0.8.
struct UserFolders: Sendable {
  /// How the help names the default folder of the data.
  static let dataText = "$XDG_STATE_HOME/dux"
  /// How the help names the default socket.
  static let socketText = "$XDG_RUNTIME_DIR/dux.sock"

  private let environment: [String: String]

  init(_ environment: [String: String]) {
    self.environment = environment
  }

  /// Reads the folder of the data; the default stands for `~/.local/state/dux` where the
  /// environment names no folder for such things.
  var dataFolder: ValueReader<String> {
    ValueReader { (text) throws(ValueError) in
      guard !text.isEmpty else { throw ValueError(text, "is empty") }
      guard text == Self.dataText else { return text }
      if let state = absolutePath("XDG_STATE_HOME") { return state + "/dux" }
      if let home = absolutePath("HOME") { return home + "/.local/state/dux" }
      throw ValueError(text, "can't be found, HOME is not set: give --data DIR")
    }
  }

  /// The socket that is listened on where none is asked for; beside the data where there is no
  /// runtime folder, and none at all where that path is too long for a socket.
  func socket(besides dataFolder: String) -> Endpoint? {
    let folder = absolutePath("XDG_RUNTIME_DIR") ?? dataFolder
    let path = folder + "/dux.sock"
    return path.utf8.count < Self.socketPathBytes ? .unix(path: path) : nil
  }

  /// The length of `sun_path`, its end included.
  private static let socketPathBytes = 108

  private func absolutePath(_ variable: String) -> String? {
    guard let path = environment[variable], path.hasPrefix("/") else { return nil }
    return path
  }
}

extension ValueReader where Value == Endpoint {
  /// `HOST:PORT`.
  static var tcpEndpoint: ValueReader {
    ValueReader { (text) throws(ValueError) in
      do throws(EndpointError) {
        let endpoint = try Endpoint(text)
        if case .tcp = endpoint { return endpoint }
      } catch {
        throw ValueError(text, "is no address: \(error)")
      }
      throw ValueError(text, "is a socket; give it with --socket")
    }
  }
}

extension ValueReader where Value == Int64? {
  /// How long something is kept, in milliseconds; `forever` is no limit.
  static var age: ValueReader {
    let duration = ValueReader<Duration>.duration(in: .seconds(1)...(.seconds(100 * 366 * 86_400)))
    return ValueReader { (text) throws(ValueError) in
      guard text != "forever" else { return nil }
      return try duration.read(text).components.seconds * 1_000
    }
  }
}
