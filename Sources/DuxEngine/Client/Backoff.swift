/// How long to wait before the next attempt to connect.
///
/// The waits double and are drawn at random from the first on, so that many clients that lost one
/// daemon do not come back at the same moment. A mere connect does not start them over; a
/// connection that lasted does.
///
/// - Source: M. Brooker, "Exponential Backoff And Jitter", 2015 (equal jitter).
package struct Backoff: Sendable {
  private let firstMs: Int64
  private let greatestMs: Int64
  private var attempts = 0

  /// Makes a backoff.
  package init(firstMs: Int64, greatestMs: Int64) {
    self.firstMs = max(1, firstMs)
    self.greatestMs = max(firstMs, greatestMs)
  }

  /// The next wait, in milliseconds.
  package mutating func next(using random: inout SplitMix64) -> Int64 {
    let doubled = firstMs << min(Int64(attempts), 20)
    let ceiling = min(doubled, greatestMs)
    attempts += 1
    return ceiling / 2 + Int64.random(in: 0...max(1, ceiling / 2), using: &random)
  }

  /// Starts over, after a connection that lasted.
  package mutating func reset() {
    attempts = 0
  }
}
