import DuxCommandLine
import DuxNetwork

/// Tells on a terminal once a second how a load run goes.
final class LoadProgress {
  private let output: Output
  private let isShown: Bool
  private var timer: LoopTimer?
  private var began: Int64 = 0
  private var last: (time: Int64, acked: Int, delivered: Int) = (0, 0, 0)

  private static let period = Duration.seconds(1)

  /// Makes one that says nothing where nobody looks, or where a script reads.
  init(_ call: Call) {
    output = call.complaints
    isShown = call.complaints.terminal.isInteractive && !call.isJSON
  }

  /// Begins; `look` gives the acks and deliveries so far, and the times of the acks since the last
  /// look.
  func begin(
    on loop: EventLoop,
    _ look: @escaping () -> (acked: Int, delivered: Int, recent: LatencyHistogram)
  ) {
    guard isShown else { return }
    began = MonotonicClock.now
    last = (began, 0, 0)
    timer = loop.timer(after: Self.period, repeating: Self.period) { [unowned self] in
      let (acked, delivered, recent) = look()
      let now = MonotonicClock.now
      let seconds = Double(max(1, now - last.time)) / 1e9
      output.print(
        output.style.faint(
          Self.line(
            elapsed: now - began, acked: Double(acked - last.acked) / seconds,
            delivered: Double(delivered - last.delivered) / seconds, p99: recent.value(at: 0.99))))
      output.flush()
      last = (now, acked, delivered)
    }
  }

  /// Ends; harmless when repeated.
  func end() {
    timer?.cancel()
    timer = nil
  }

  /// One line: `  3 s  52,311 acked/s  523,110 deliveries/s  p99 1.72 ms`.
  static func line(elapsed: Int64, acked: Double, delivered: Double, p99: Int64?) -> String {
    let seconds = (Double(elapsed) / 1e9).fixed(0)
    let blanks = String(repeating: " ", count: max(0, 4 - seconds.count))
    return "\(blanks)\(seconds) s  \(Int(acked.rounded()).grouped) acked/s"
      + "  \(Int(delivered.rounded()).grouped) deliveries/s"
      + (p99.map { "  p99 \(LatencyText.ms($0)) ms" } ?? "  nothing acked")
  }
}
