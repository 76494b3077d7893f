import Glibc

/// The time of day, which may jump.
package enum WallClock {
  /// Milliseconds since 1970.
  package static var nowMs: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}

extension Duration {
  /// The whole milliseconds in it, or as many as a number holds.
  package var milliseconds: Int64 {
    let (seconds, fraction) = (components.seconds, components.attoseconds / 1_000_000_000_000_000)
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
    let (sum, isBeyond) = whole.addingReportingOverflow(fraction)
    return overflow || isBeyond ? (seconds < 0 ? .min : .max) : sum
  }
}
