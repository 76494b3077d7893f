import DuxJSON
import Testing

@testable import dux

struct LoadLinesTests {
  private let path = JSONPointer(tokens: ["bench", "a\"/b"])

  private func delivery(_ line: String, valueBytes: Int = 20) -> LoadLines.Delivery? {
    let lines = LoadLines(path: path, valueBytes: valueBytes)
    return Array(line.utf8).withUnsafeBytes { lines.delivery(in: $0) }
  }

  private func ack(_ line: String) -> LoadLines.Ack? {
    let lines = LoadLines(path: path, valueBytes: 20)
    return Array(line.utf8).withUnsafeBytes { lines.ack(in: $0) }
  }

  @Test(arguments: [0, 9, 10, 123_456_789_012])
  func anActionIsOneLineWithAValueOfTheSizeAsked(change: Int64) throws {
    var bytes: [UInt8] = []
    LoadLines(path: path, valueBytes: 20).append(change: change, item: 42, to: &bytes)
    #expect(bytes.last == 0x0A)
    let json = try JSON(parsing: Array(bytes.dropLast()))
    #expect(json["op"] == "dispatch")
    #expect(json["n"] == .integer(change + 1))
    #expect(json["action"]?["type"] == "doc/set")
    #expect(json["action"]?["payload"]?["path"] == .string(path.description + "/42/v"))
    let value = json["action"]?["payload"]?["value"]?.stringValue ?? ""
    #expect(value.hasPrefix("g#\(change):"))
    #expect(value.utf8.count == 20)
    let found = value.utf8.withContiguousStorageIfAvailable {
      LoadLines.changes(in: UnsafeRawBufferPointer($0))
    }
    #expect(found == [change])
  }

  private static let start =
    #"{"op":"patch","path":"/bench/a\"~1b","seq":77,"time":1,"client":"w","n":6,"type":"doc/set","patch":"#

  @Test(arguments: [
    #"[{"op":"replace","path":"/42/v","value":"g#5:xxxxxxxxxxxxxxxx"}]}"#,
    #"[{"op":"add","path":"/42","value":{"v":"g#5:xxxxxxxxxxxxxxxx"}}]}"#,
    #"[{"op":"add","path":"","value":{"42":{"v":"g#5:xxxxxxxxxxxxxxxx"}}}]}"#,
  ])
  func aPatchIsRecognisedHoweverManyObjectsItMade(end: String) {
    #expect(delivery(Self.start + end) == LoadLines.Delivery(seq: 77, change: 5))
  }

  @Test(arguments: [
    "", "{}", #"{"op":"mark","path":"/bench/a\"~1b","seq":77}"#,
    #"{"op":"patch","path":"/bench/other","seq":77,"patch":[{"value":"g#5:xxxxxxxxxxxxxxxx"}]}"#,
    start + #"[]}"#, start + #"[{"op":"replace","path":"/42/v","value":"someone else's here"}]}"#,
    start + #"[{"op":"replace","path":"/42/v","value":"g#5:xxx"}]}"#,
    start + #"[{"op":"replace","path":"/42/v","value":"g#:xxxxxxxxxxxxxxxxx"}]}"#,
  ])
  func whatIsNoDeliveryOfThisFormIsLeftToTheReaderOfJSON(line: String) {
    #expect(delivery(line) == nil)
    #expect(delivery(line, valueBytes: 60_000) == nil)
  }

  @Test func anAckIsRecognisedByItsBeginning() {
    #expect(ack(#"{"op":"ack","n":6,"seq":77,"changed":true}"#) == LoadLines.Ack(n: 6, seq: 77))
    for line in [
      "", #"{"op":"ack","n":"#, #"{"op":"ack","n":6"#, #"{"op":"ack","n":6,"seq":"#,
      #"{"op":"ack","seq":77,"n":6}"#, #"{"op":"reject","n":6,"code":"x"}"#,
    ] { #expect(ack(line) == nil, "\(line)") }
  }

  @Test func linesComeOutWholeHoweverTheBytesAreCut() {
    let text = Array("one\n\ntwo and more\nthree\nrest".utf8)
    for size in 1...text.count {
      var cutter = LineCutter()
      var found: [String] = []
      var start = 0
      while start < text.count {
        let piece = Array(text[start..<min(start + size, text.count)])
        piece.withUnsafeBytes {
          cutter.cut($0) { found.append(String(decoding: $0, as: UTF8.self)) }
        }
        start += size
      }
      #expect(found == ["one", "", "two and more", "three"], "pieces of \(size)")
    }
  }
}
