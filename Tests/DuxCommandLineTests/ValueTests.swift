import DuxCommandLine
import Testing

struct ValueTests {
  @Test(arguments: [
    ("0", 0), ("4096", 4_096), ("1B", 1), ("64K", 65_536), ("64k", 65_536), ("64KiB", 65_536),
    ("1MiB", 1_048_576), ("1M", 1_048_576), ("1G", 1_073_741_824), ("2Gib", 2_147_483_648),
    ("1T", 1_099_511_627_776), ("007", 7), ("8388607T", 9_223_370_937_343_148_032),
  ])
  func sizesAreReadInPowersOf1024(_ text: String, _ bytes: Int) throws {
    #expect(try ByteSize.read(text) == bytes)
  }

  @Test(arguments: [
    ("", "is no size"), ("K", "is no size"), ("-1", "is no size"), ("+1", "is no size"),
    (" 1", "is no size"), ("1 K", "is no size"), ("1.5G", "is no size"), ("1e3", "is no size"),
    ("0x10", "is no size"), ("1_000", "is no size"), ("64X", "is no size"), ("1KiBs", "is no size"),
    ("٣", "is no size"), ("64KB", "could mean thousands"), ("1mb", "could mean thousands"),
    ("8388608T", "is too large a size"), ("99999999999999999999", "is too large a size"),
  ])
  func whatIsNoSizeIsRefused(_ text: String, _ reason: String) {
    let error = #expect(throws: ValueError.self) { try ByteSize.read(text) }
    #expect(error?.description.hasPrefix("\"\(text)\" \(reason)") == true)
  }

  @Test(arguments: [
    ("0", Duration.zero), ("0s", .zero), ("500ms", .milliseconds(500)), ("90s", .seconds(90)),
    ("15m", .seconds(900)), ("36h", .seconds(129_600)), ("14d", .seconds(1_209_600)),
  ])
  func spansOfTimeAreReadWithTheirUnit(_ text: String, _ duration: Duration) throws {
    #expect(try DurationText.read(text) == duration)
  }

  @Test(arguments: [
    ("", "is no span of time"), ("s", "is no span of time"), ("-1s", "is no span of time"),
    ("1.5h", "is no span of time"), ("1h30m", "is no span of time"), ("1 s", "is no span of time"),
    ("1S", "is no span of time"), ("1us", "is no span of time"), ("90", "lacks a unit"),
    ("99999999999999999999s", "is too long a time"), ("9223372036854775807d", "is too long a time"),
  ])
  func whatIsNoSpanOfTimeIsRefused(_ text: String, _ reason: String) {
    let error = #expect(throws: ValueError.self) { try DurationText.read(text) }
    #expect(error?.description.hasPrefix("\"\(text)\" \(reason)") == true)
  }

  @Test
  func whatIsWrittenIsReadBack() throws {
    for bytes in [0, 1, 1_023, 1_024, 1_025, 65_536, 1 << 20, 3 << 30, 1 << 40, Int.max] {
      #expect(try ByteSize.read(ByteSize.text(bytes)) == bytes)
    }
    #expect(ByteSize.text(65_536) == "64KiB")
    #expect(ByteSize.text(1_500) == "1500")
    for milliseconds in [
      0, 1, 999, 1_000, 1_001, 60_000, 90_000, 3_600_000, 86_400_000, 1_209_600_000,
    ] {
      let duration = Duration.milliseconds(milliseconds)
      #expect(try DurationText.read(DurationText.text(duration)) == duration)
    }
    #expect(DurationText.text(.seconds(90)) == "90s")
    #expect(DurationText.text(.seconds(1_209_600)) == "14d")
    #expect(!DurationText.text(.seconds(Int64.max)).isEmpty)
  }

  @Test
  func rangesNameTheirNearestEnd() throws {
    let count = ValueReader<Int>.count(in: 1...10)
    #expect(try count.read("10") == 10)
    #expect(reason { try count.read("0") } == "\"0\" is too small, the least is 1")
    #expect(reason { try count.read("11") } == "\"11\" is too large, the most is 10")
    #expect(reason { try count.read("-3") } == "\"-3\" is too small, the least is 1")
    #expect(reason { try count.read("1_0") } == "\"1_0\" is no whole number")
    #expect(reason { try count.read("-") } == "\"-\" is no whole number")
    #expect(
      reason { try count.read("99999999999999999999") }
        == "\"99999999999999999999\" is too large a number")
    let size = ValueReader<Int>.byteSize(in: 1_024...1_048_576)
    #expect(reason { try size.read("1") } == "\"1\" is too small, the least is 1KiB")
    #expect(reason { try size.read("2M") } == "\"2M\" is too large, the most is 1MiB")
    let time = ValueReader<Duration>.duration(in: .seconds(1)...(.seconds(3_600)))
    #expect(reason { try time.read("500ms") } == "\"500ms\" is too small, the least is 1s")
    #expect(reason { try time.read("2h") } == "\"2h\" is too large, the most is 1h")
  }

  @Test
  func choicesFlagsAndTextsAreRead() throws {
    let choice = ValueReader<String>.choice(["full", "normal"])
    #expect(try choice.read("full") == "full")
    #expect(
      reason { try choice.read("ful") } == "\"ful\" is none of full, normal, did you mean full?")
    #expect(reason { try choice.read("zzz") } == "\"zzz\" is none of full, normal")
    for text in ["true", "YES", "on", "1"] {
      #expect(try ValueReader<Bool>.flag.read(text))
    }
    for text in ["false", "No", "off", "0"] {
      #expect(try !ValueReader<Bool>.flag.read(text))
    }
    #expect(reason { try ValueReader<Bool>.flag.read("2") } == "\"2\" is neither true nor false")
    #expect(try ValueReader<String>.text.read("x") == "x")
    #expect(reason { try ValueReader<String>.text.read("") } == "\"\" is empty")
  }

  @Test
  func aLongOrUnprintableInputIsQuotedSafely() {
    let error = ValueError(String(repeating: "x", count: 1_000) + "\u{7}", "is bad")
    #expect(error.description.count < 140)
    #expect(ValueError("a\u{1b}\n", "is bad").description == #""a\u{1B}\n" is bad"#)
  }

  private func reason<Value>(_ body: () throws -> Value) -> String? {
    do {
      _ = try body()
      return nil
    } catch {
      return "\(error)"
    }
  }
}
