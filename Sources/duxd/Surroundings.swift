import Foundation

/// Where the examples find what they work with: as the environment says, or where it is unless it was
/// told otherwise.
enum Surroundings {
  /// The catalogue's server.
  static var catalogue: URL { server("DUX_CATALOGUE", usually: "http://127.0.0.1:8391") }

  /// The login server.
  static var loginServer: URL { server("DUX_LOGIN", usually: "http://127.0.0.1:8392") }

  /// The folder for the tokens of the login server, apart from the daemon's data.
  static var loginVault: URL {
    if let path = value("DUX_LOGIN_VAULT") { return URL(filePath: path) }
    let home = value("HOME") ?? NSHomeDirectory()
    let state = value("XDG_STATE_HOME") ?? home + "/.local/state"
    return URL(filePath: state).appending(path: "dux-login")
  }

  private static func server(_ variable: String, usually address: String) -> URL {
    let text = value(variable) ?? address
    guard let url = URL(string: text) else {
      try? FileHandle.standardError.write(
        contentsOf: Data("duxd: \(variable) is no URL: \(text)\n".utf8))
      exit(64)
    }
    return url
  }

  private static func value(_ variable: String) -> String? {
    ProcessInfo.processInfo.environment[variable].flatMap { $0.isEmpty ? nil : $0 }
  }
}
