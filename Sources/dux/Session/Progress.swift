import DuxCommandLine

/// How many steps ended how.
struct Tally {
  var accepted = 0
  var rejected = 0

  /// The counts for people, with those of the steps that were sent and whose outcome is not known.
  func text(unknown: Int) -> String {
    "\(accepted.grouped) accepted, \(rejected.grouped) rejected"
      + (unknown > 0 ? ", \(unknown.grouped) of unknown outcome" : "")
  }
}

/// A line on a terminal that tells how far a long run is, written over again and again.
struct Progress {
  private let output: Output
  private let began = ContinuousClock().now
  private var isShown = false

  /// Short runs show none.
  static let delay = Duration.seconds(1)
  static let period = Duration.milliseconds(250)

  init(_ output: Output) {
    self.output = output
  }

  mutating func show(_ tally: Tally) {
    guard output.terminal.isInteractive else { return }
    let (seconds, attoseconds) = (ContinuousClock().now - began).components
    let elapsed = Double(seconds) + Double(attoseconds) / 1e18
    let rate = Int(Double(tally.accepted + tally.rejected) / max(0.001, elapsed))
    output.write("\r" + Self.clearLine + tally.text(unknown: 0) + ", \(rate.grouped) a second")
    output.flush()
    isShown = true
  }

  mutating func clear() {
    guard isShown else { return }
    output.write("\r" + Self.clearLine)
    // What follows may go to standard output, which is on the same screen.
    output.flush()
    isShown = false
  }

  private static let clearLine = "\u{1b}[K"
}
