import DuxNetwork
import Glibc
import Testing

struct DescriptorWatchTests {
  /// Two ends that are connected, closed at the end.
  private func withEnds(_ body: (Int32, Int32) throws -> Void) throws {
    var ends: [Int32] = [-1, -1]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { ends.forEach { close($0) } }
    try body(ends[0], ends[1])
  }

  @Test
  func whatCanBeReadIsToldOnceItIsThere() throws {
    try withEnds { near, far in
      try withLoop { loop in
        let openBefore = loop.openHandleCount
        var told: [DescriptorWatch.Readiness] = []
        let watch = try loop.watch(near) { readiness in
          told.append(readiness)
          loop.stop()
        }
        watch.watch(for: .readable)
        loop.timer(after: .milliseconds(1)) { _ = write(far, "x", 1) }
        loop.run()
        #expect(told == [.readable])
        watch.cancel()
        #expect(loop.openHandleCount <= openBefore)
      }
    }
  }

  @Test
  func onlyWhatIsWatchedForIsTold() throws {
    try withEnds { near, far in
      try withLoop { loop in
        var told: [DescriptorWatch.Readiness] = []
        var watch: DescriptorWatch?
        watch = try loop.watch(near) { readiness in
          told.append(readiness)
          watch?.watch(for: [])
          loop.timer(after: .milliseconds(5)) { loop.stop() }
        }
        _ = write(far, "x", 1)
        watch?.watch(for: .writable)
        loop.run()
        #expect(told == [.writable])
      }
    }
  }

  @Test
  func aDescriptorOfAFileIsRefused() throws {
    let file = try #require(tmpfile())
    defer { fclose(file) }
    try withLoop { loop in
      let openBefore = loop.openHandleCount
      #expect(throws: NetworkError.self) { try loop.watch(fileno(file)) { _ in } }
      #expect(loop.openHandleCount == openBefore)
    }
  }
}
