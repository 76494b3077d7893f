import Glibc
import Testing

/// Chance that a failed test can repeat: its seed is printed, and `DUX_TEST_SEED` sets it.
struct Seed: RandomNumberGenerator, CustomTestStringConvertible {
  private var state: UInt64
  let value: UInt64

  /// The seed of the environment, or else the one given.
  init(_ value: UInt64) {
    self.value = getenv("DUX_TEST_SEED").flatMap { UInt64(String(cString: $0)) } ?? value
    state = self.value
  }

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  var testDescription: String { "seed \(value)" }
}
