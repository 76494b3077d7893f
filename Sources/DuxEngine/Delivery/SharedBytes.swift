import Glibc

/// Bytes shared by all connections that are sent them: encoded once, freed after the last.
///
/// The memory never moves, so that it can be handed to the kernel without a closure around it.
package final class SharedBytes: @unchecked Sendable {
  // Unchecked because of the pointer; the memory is written in `init` only.
  /// The bytes.
  package let bytes: UnsafeRawBufferPointer

  /// Copies bytes to a place of their own.
  package init(_ source: [UInt8]) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 8)
    memory.copyBytes(from: source)
    bytes = UnsafeRawBufferPointer(memory)
  }

  deinit {
    bytes.deallocate()
  }
}

/// A growing run of bytes whose memory moves only while it grows.
final class GrowingBytes {
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var usedBytes = 0

  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory)[..<usedBytes])
  }

  func append(_ source: [UInt8]) {
    if memory.count - usedBytes < source.count { grow(by: source.count) }
    source.withUnsafeBytes { source in
      if let from = source.baseAddress, let to = memory.baseAddress {
        memcpy(to + usedBytes, from, source.count)
      }
    }
    usedBytes += source.count
  }

  deinit {
    memory.deallocate()
  }

  private func grow(by count: Int) {
    let capacity = max(512, memory.count * 2, usedBytes + count)
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 8)
    larger.copyMemory(from: bytes)
    memory.deallocate()
    memory = larger
  }
}
