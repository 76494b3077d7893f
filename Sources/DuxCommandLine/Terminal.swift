import Glibc

/// What the program's output goes to.
package struct Terminal: Equatable, Sendable {
  /// Whether somebody may be looking: a terminal, not a file or a pipe.
  package let isInteractive: Bool
  /// Columns to fill.
  package let columns: Int
  /// How to emphasise.
  package let style: Style

  /// Columns where nobody says how many there are.
  package static let usualColumns = 80
  private static let possibleColumns = 20...1_000

  /// Decides from facts.
  ///
  /// `COLUMNS` goes before the measured width, which is what the terminal reports, 0 when it does not.
  /// There is no emphasis off a terminal, on one that is `dumb`, or with a `NO_COLOR` that is not
  /// empty (no-color.org).
  package init(isInteractive: Bool, measured: Int, environment: [String: String]) {
    self.isInteractive = isInteractive
    let candidates = [environment["COLUMNS"].flatMap { Int($0) }, isInteractive ? measured : nil]
    columns =
      candidates.compactMap { $0 }.first { Self.possibleColumns.contains($0) } ?? Self.usualColumns
    let isWanted = (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    style = isInteractive && isWanted ? .terminal : .plain
  }

  /// Asks about an open descriptor, such as `STDOUT_FILENO`.
  package static func of(_ descriptor: Int32, environment: [String: String]) -> Terminal {
    var size = winsize()
    let isMeasured = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
    return Terminal(
      isInteractive: isatty(descriptor) == 1, measured: isMeasured ? Int(size.ws_col) : 0,
      environment: environment)
  }
}
