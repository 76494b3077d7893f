import DuxLog
import Testing

struct SequenceNumberTests {
  @Test func `stops at both ends of its range`() {
    #expect(SequenceNumber(.max).next == SequenceNumber(.max))
    #expect(SequenceNumber.zero.previous == .zero)
    #expect(SequenceNumber(-3).previous == .zero)
    #expect(SequenceNumber(.min).previous == .zero)
    #expect(SequenceNumber(4).next == SequenceNumber(5))
    #expect(SequenceNumber(5).previous == SequenceNumber(4))
  }

  @Test func `orders by value and shows itself as a number`() {
    #expect(SequenceNumber(2) < SequenceNumber(10))
    #expect(SequenceNumber(10).description == "10")
  }
}

struct DigestTests {
  @Test(arguments: [
    ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
  ])
  func `is FNV-1a`(text: String, digest: UInt64) {
    #expect(Digest.of(Array(text.utf8)) == digest)
  }

  @Test func `is the same however the bytes are cut`() {
    let bytes = Array("some bytes that are fed in two parts".utf8)
    for cut in 0...bytes.count {
      var digest = Digest()
      digest.update(Array(bytes[..<cut]))
      digest.update(Array(bytes[cut...]))
      #expect(digest.value == Digest.of(bytes))
    }
  }

  @Test func `takes a number as eight bytes, the lowest first`() {
    var digest = Digest()
    digest.update(Int64(0x0102))
    #expect(digest.value == Digest.of([2, 1, 0, 0, 0, 0, 0, 0]))
  }
}
