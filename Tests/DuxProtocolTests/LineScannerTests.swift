import DuxProtocol
import Testing

/// Feeds a stream to a scanner in pieces, as a connection does: what is not consumed is kept.
private struct Feed {
  private var scanner = LineScanner()
  private var kept: [UInt8] = []
  private let limit: Int
  private(set) var lines: [String] = []
  private(set) var isTooLong = false

  init(limit: Int) { self.limit = limit }

  mutating func take(_ piece: some Collection<UInt8>) {
    kept.append(contentsOf: piece)
    while !isTooLong {
      let finding = kept.withUnsafeBytes { scanner.next(in: $0, maximumLineBytes: limit) }
      switch finding {
      case .incomplete:
        return
      case .tooLong:
        isTooLong = true
      case .line(let count, let next):
        lines.append(String(decoding: kept[..<count], as: UTF8.self))
        kept.removeFirst(next)
      }
    }
  }
}

struct LineScannerTests {
  private static let stream = Array("a\n\nbc\r\n\rd\r\r\nlonger line\ne".utf8)
  private static let lines = ["a", "", "bc", "\rd\r", "longer line"]

  @Test func `finds the same lines wherever the stream is cut in three`() {
    let stream = Self.stream
    for first in 0...stream.count {
      for second in first...stream.count {
        var feed = Feed(limit: 100)
        feed.take(stream[..<first])
        feed.take(stream[first..<second])
        feed.take(stream[second...])
        #expect(feed.lines == Self.lines, "cut at \(first) and \(second)")
        #expect(!feed.isTooLong)
      }
    }
  }

  @Test func `finds the same lines in a stream that comes byte by byte`() {
    var feed = Feed(limit: 100)
    for byte in Self.stream { feed.take([byte]) }
    #expect(feed.lines == Self.lines)
  }

  @Test(arguments: 0...12)
  func `takes a line of the limit, and none that is a byte longer`(limit: Int) {
    for ending in ["\n", "\r\n"] {
      for cut in 0...limit {
        let exact = Array((String(repeating: "x", count: limit) + ending).utf8)
        var feed = Feed(limit: limit)
        feed.take(exact[..<cut])
        feed.take(exact[cut...])
        #expect(feed.lines == [String(repeating: "x", count: limit)])
        #expect(!feed.isTooLong)

        let longer = [UInt8(ascii: "x")] + exact
        var other = Feed(limit: limit)
        other.take(longer[..<cut])
        other.take(longer[cut...])
        #expect(other.lines.isEmpty)
        #expect(other.isTooLong)
      }
    }
  }

  @Test func `gives up a line without end as soon as it is too long`() {
    var feed = Feed(limit: 10)
    feed.take(Array("0123456789".utf8))
    #expect(!feed.isTooLong)
    feed.take([UInt8(ascii: "0")])
    #expect(feed.isTooLong)
  }

  @Test func `waits for the line feed behind a carriage return at the limit, and for nothing else`()
  {
    var feed = Feed(limit: 3)
    feed.take(Array("abc\r".utf8))
    #expect(!feed.isTooLong)
    feed.take(Array("\r".utf8))
    #expect(feed.isTooLong)
  }

  @Test func `nothing is no line`() {
    var scanner = LineScanner()
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    #expect(scanner.next(in: nothing, maximumLineBytes: 0) == .incomplete)
  }

  @Test func `takes the first line of many at a time`() {
    var scanner = LineScanner()
    let finding = Array("ab\ncd\n".utf8).withUnsafeBytes {
      scanner.next(in: $0, maximumLineBytes: 9)
    }
    #expect(finding == .line(count: 2, next: 3))
  }
}
