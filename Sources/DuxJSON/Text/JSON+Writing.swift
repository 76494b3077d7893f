extension JSON: CustomStringConvertible {
  /// Appends the canonical text: no white space, keys in the order of their bytes, the shortest
  /// escapes, doubles as short as they round-trip.
  ///
  /// - Complexity: O(length).
  public func write(into bytes: inout [UInt8]) {
    bytes.appendText(count: encodedByteCount) { writer in writer.write(self) }
  }

  /// The canonical text.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write(into: &bytes)
    return bytes
  }

  /// The canonical text.
  public var description: String { String(decoding: bytes, as: UTF8.self) }

  /// Appends a string in canonical form, its quotes included.
  public static func write(string: String, into bytes: inout [UInt8]) {
    bytes.appendText(count: encodedLength(of: string)) { writer in writer.write(string) }
  }
}

extension [UInt8] {
  /// Appends exactly `count` bytes that `body` writes.
  fileprivate mutating func appendText(count: Int, _ body: (inout JSONWriter) -> Void) {
    let room = appendIfRoom(count, body)
    precondition(room == 0, "a text of another length than its count")
  }

  /// Appends what `body` writes, if that is no more than `count` bytes; nothing otherwise.
  ///
  /// - Returns: whether it was appended.
  @inline(__always)
  mutating func appendText(upTo count: Int, _ body: (inout JSONWriter) -> Void) -> Bool {
    appendIfRoom(count, body) != nil
  }

  /// Appends what `body` writes, and gives back how much room was left; nothing where it was too small.
  @inline(__always)
  private mutating func appendIfRoom(_ count: Int, _ body: (inout JSONWriter) -> Void) -> Int? {
    var room: Int?
    append(addingCapacity: count) { (span: inout OutputSpan<UInt8>) in
      span.withUnsafeMutableBufferPointer { buffer, initializedCount in
        let free = UnsafeMutableBufferPointer(rebasing: buffer[initializedCount...])
        var writer = JSONWriter(UnsafeMutableBufferPointer(rebasing: free[..<count]))
        body(&writer)
        if writer.isFull { return }
        room = writer.room
        initializedCount += count - writer.room
      }
    }
    return room
  }
}
