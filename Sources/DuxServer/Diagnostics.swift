import Foundation

/// How much the daemon says on standard error.
package enum LogLevel: String, CaseIterable, Comparable, Sendable {
  case error
  case warning
  case info
  case debug

  package static func < (left: Self, right: Self) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int {
    switch self {
    case .error: 0
    case .warning: 1
    case .info: 2
    case .debug: 3
    }
  }
}

/// What the daemon says of itself, a line each on standard error.
struct Diagnostics: Sendable {
  let level: LogLevel

  func error(_ text: @autoclosure () -> String) {
    write(.error, text)
  }

  func warning(_ text: @autoclosure () -> String) {
    write(.warning, text)
  }

  func info(_ text: @autoclosure () -> String) {
    write(.info, text)
  }

  func debug(_ text: @autoclosure () -> String) {
    write(.debug, text)
  }

  private func write(_ level: LogLevel, _ text: () -> String) {
    guard level <= self.level else { return }
    let prefix = level == .info ? "duxd: " : "duxd: \(level.rawValue): "
    // Nobody may be reading; that must not end the daemon.
    try? FileHandle.standardError.write(contentsOf: Data((prefix + text() + "\n").utf8))
  }
}
