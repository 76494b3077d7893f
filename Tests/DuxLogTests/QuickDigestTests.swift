import Testing

@testable import DuxLog

struct QuickDigestTests {
  private func digest(_ parts: [UInt8]...) -> UInt64 {
    var digest = QuickDigest()
    for part in parts { digest.update(part) }
    return digest.value
  }

  @Test(arguments: [
    ("", 0xf330_af54_d5d8_fa32), ("a", 0x4085_3310_b14b_4eff), ("foobar", 0xd9f5_bb04_a8d2_d7a8),
    (
      "four lanes take eight bytes a step, and the rest goes in behind them",
      0x63d1_b3bb_327e_eb1f
    ),
  ])
  func `stays what data folders hold`(text: String, value: UInt64) {
    #expect(digest(Array(text.utf8)) == value)
  }

  @Test func `takes numbers, and begins at a seed`() {
    var digest = QuickDigest(seed: 7)
    digest.update(-2)
    #expect(digest.value == 0xca1f_7017_2456_7311)
    #expect(UInt64(bitPattern: digest.signedValue) == digest.value)
  }

  @Test(arguments: [1, 7, 8, 31, 32, 33, 100])
  func `any change of a byte changes it`(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    let whole = digest(bytes)
    for index in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << UInt8(bit)
        #expect(digest(changed) != whole)
      }
    }
  }

  @Test func `a byte that moves from one update to the next changes it`() {
    #expect(digest([1, 2], [3]) != digest([1], [2, 3]))
    #expect(digest([1], []) != digest([], [1]))
  }
}
