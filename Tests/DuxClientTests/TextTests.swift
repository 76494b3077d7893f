import DuxJSON
import Testing

@testable import dux

struct TextTests {
  @Test
  func controlCharactersAreShownAndNotObeyed() {
    #expect("a\u{1b}[2Jb\u{7f}\u{9b}\u{202e}".printable == "a\\u001b[2Jb\\u007f\\u009b\\u202e")
    #expect("héllo ☃".printable == "héllo ☃")
  }

  @Test
  func numbersAreGrouped() {
    #expect(
      [0, 999, 1_000, 1_234_567, -12_345].map(\.grouped) == [
        "0", "999", "1,000", "1,234,567", "-12,345",
      ])
    #expect(Int64.min.grouped == "-9,223,372,036,854,775,808")
    #expect(1.counted("step") == "1 step")
    #expect(2_000.counted("step") == "2,000 steps")
  }

  @Test
  func sizesAndSpansHaveTheUnitThatSuits() {
    #expect(
      [0, 1_023, 1_536, 3 << 20].map(\.byteText) == [
        "0 bytes", "1023 bytes", "1.5 KiB", "3.0 MiB",
      ])
    #expect(
      [5, 1_000, 61_000, 3_600_000, 90_061_000].map(ClockText.span) == [
        "5 ms", "1 s", "1 min 1 s", "1 h", "1 d 1 h",
      ])
    #expect(ClockText.wait(849) == "0.8 s")
  }

  @Test
  func fractionsAreRounded() {
    #expect(0.126.fixed(2) == "0.13")
    #expect(1.999.fixed(2) == "2.00")
    #expect((-0.05).fixed(1) == "-0.1")
    #expect((-0.001).fixed(1) == "0.0")
    #expect(12.0.fixed(0) == "12")
  }

  @Test
  func aLongValueIsCutOrCounted() {
    #expect(JSON.string("abcdef").shortText(6) == "\"abcd…")
    let long = JSON.array(JSONArray((0..<1_000).map { JSON.integer($0) }))
    #expect(long.shortText(20) == "[… 1,000 entries]")
  }
}
