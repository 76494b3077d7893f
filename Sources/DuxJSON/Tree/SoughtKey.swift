/// A key that is looked for in a tree.
protocol SoughtKey {
  /// Less than, equal to or greater than 0 as a string in memory comes before, at or after this key.
  func order(ofStringAt string: UnsafeRawPointer) -> Int
}

/// A short key, which is compared with others of its kind in registers.
struct ShortKey: SoughtKey {
  let text: ShortText

  @inline(__always)
  func order(ofStringAt string: UnsafeRawPointer) -> Int {
    ShortText(at: string).map { $0.order(to: text) } ?? longOrder(ofStringAt: string)
  }

  @inline(never)
  private func longOrder(ofStringAt string: UnsafeRawPointer) -> Int {
    text.withBytes { LongKey(bytes: $0).order(ofStringAt: string) }
  }
}

/// A key of any length; valid while its bytes are.
struct LongKey: SoughtKey {
  let bytes: UnsafeRawBufferPointer

  @inline(__always)
  func order(ofStringAt string: UnsafeRawPointer) -> Int {
    withBytes(of: string.assumingMemoryBound(to: String.self).pointee) { compareBytes($0, bytes) }
  }
}
