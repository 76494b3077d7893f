import Testing

@testable import DuxNetwork

/// Spans of time in whole milliseconds.
struct MillisecondsTests {
  @Test func fractionsAreLeftOutAndNothingOverflows() {
    #expect(Duration.zero.milliseconds == 0)
    #expect(Duration.microseconds(2_999).milliseconds == 2)
    #expect((Duration.seconds(3) + .milliseconds(4)).milliseconds == 3_004)
    #expect(Duration.milliseconds(-1_500).milliseconds == -1_500)
    #expect(Duration.seconds(Int64.max).milliseconds == .max)
    #expect(Duration.seconds(Int64.min).milliseconds == .min)
  }
}
