import DuxNetwork
import Glibc

/// What a process of this machine has used of its processors.
struct ProcessUse {
  private let path: String

  /// Fields of `/proc/PID/stat` behind the name, which may hold blanks and brackets.
  private static let userTime = 11
  private static let systemTime = 12
  private static let startTime = 19
  /// Seconds that the beginning of a process and what it says of it may differ by.
  private static let tolerance = 3.0

  /// Finds the daemon's process; `nil` where it is not certainly this machine's.
  ///
  /// A number alone may be that of another process here, so the daemon's age has to be that process's.
  init?(_ processID: Int64, uptimeMs: Int64, at endpoint: Endpoint) {
    guard processID > 0, endpoint.isOnThisMachine else { return nil }
    path = "/proc/\(processID)/stat"
    guard let fields = Self.fields(of: path), let start = fields[Self.startTime],
      let uptime = Self.text(of: "/proc/uptime").split(separator: " ").first.flatMap({ Double($0) }
      ),
      abs(uptime - start - Double(uptimeMs) / 1_000) < Self.tolerance
    else { return nil }
  }

  /// Seconds of all its threads so far; `nil` once it is gone.
  func seconds() -> Double? {
    guard let fields = Self.fields(of: path), let user = fields[Self.userTime],
      let system = fields[Self.systemTime]
    else { return nil }
    return user + system
  }

  /// The fields that are numbers, by their places, times in seconds.
  private static func fields(of path: String) -> [Int: Double]? {
    let text = text(of: path)
    guard let name = text.lastIndex(of: ")") else { return nil }
    let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
    guard ticks > 0 else { return nil }
    var fields: [Int: Double] = [:]
    for (place, field) in text[name...].dropFirst().split(separator: " ").enumerated() {
      fields[place] = Double(field).map { $0 / ticks }
    }
    return fields
  }

  private static func text(of path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}

extension Endpoint {
  /// Whether whoever listens there runs on this machine.
  fileprivate var isOnThisMachine: Bool {
    switch self {
    case .unix: true
    case .tcp(let host, _): host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }
  }
}
