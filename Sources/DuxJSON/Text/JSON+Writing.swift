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
    append(addingCapacity: count) { (span: inout OutputSpan<UInt8>) in
      span.withUnsafeMutableBufferPointer { buffer, initializedCount in
        let free = UnsafeMutableBufferPointer(rebasing: buffer[initializedCount...])
        var writer = JSONWriter(UnsafeMutableBufferPointer(rebasing: free[..<count]))
        body(&writer)
        precondition(writer.room == 0, "a text shorter than its count")
        initializedCount += count
      }
    }
  }
}
