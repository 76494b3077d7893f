import Testing

@testable import dux

struct LatencyHistogramTests {
  /// The value below which a share of all lies, as it is defined.
  private static func exact(_ times: [Int64], _ quantile: Double) -> Int64 {
    let sorted = times.sorted()
    let rank = max(1, Int((quantile * Double(times.count)).rounded(.up)))
    return sorted[rank - 1]
  }

  @Test func whatIsReadBackDiffersByLessThanHalfAPercent() {
    var time: Int64 = 1
    while time < 1 << 42 {
      for near in [time, time + time / 3, time * 2 - 1] {
        var histogram = LatencyHistogram()
        histogram.record(near)
        // A longer one behind it, so that the greatest does not stand in for the counter.
        histogram.record(1 << 42)
        let value = histogram.value(at: 0.5) ?? -1
        #expect(abs(Double(value - near)) <= Double(near) * 0.004 + 0.5, "\(near) became \(value)")
      }
      time *= 2
    }
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func percentilesAgreeWithASortedList(seed: UInt64) {
    var state = seed
    var histogram = LatencyHistogram()
    let times = (0..<5_000).map { _ -> Int64 in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // Of every size, the small ones as often as the large ones.
      return Int64(state >> 40) << Int64(state % 16)
    }
    times.forEach { histogram.record($0) }
    #expect(histogram.count == 5_000)
    #expect(histogram.greatest == times.max())
    for quantile in [0, 0.1, 0.5, 0.9, 0.99, 0.999, 1] {
      let exact = Double(Self.exact(times, quantile))
      let value = Double(histogram.value(at: quantile) ?? -1)
      #expect(abs(value - exact) <= exact * 0.004 + 0.5, "\(quantile): \(value), not \(exact)")
    }
  }

  @Test func nothingRecordedHasNoPercentiles() {
    var histogram = LatencyHistogram()
    #expect(histogram.value(at: 0.5) == nil)
    histogram.record(7)
    #expect(histogram.value(at: 0.5) == 7)
    histogram.reset()
    #expect(histogram.value(at: 1) == nil)
    #expect(histogram.greatest == 0)
  }

  @Test func timesBeyondItsEndsAreKeptAtThem() {
    var histogram = LatencyHistogram()
    histogram.record(-5)
    histogram.record(.max)
    #expect(histogram.value(at: 0) == 0)
    #expect(histogram.value(at: 1) == .max)
    #expect(histogram.count(in: 0..<1) == 1)
    #expect(histogram.count(in: 1..<Int64.max) == 1)
  }
}
