import CMemory
import Glibc
import Synchronization

/// The pages that the heap lies in: small ones while it is small, huge ones when it is large.
///
/// A step in a large state touches places far from each other, and the processor has to find the
/// page of each. Of huge pages there are few, which it knows by heart; but a heap grows by 2 MiB
/// with them, which is much for a daemon that has little to keep. All of it concerns the process.
enum HugePages {
  /// Bytes from which on a heap is large.
  static let threshold = 128 << 20

  private static let areHeldBack = Atomic(false)
  private static let heapStart = heapEnd

  /// Keeps the heap in small pages for now.
  static func holdBack() {
    _ = heapStart
    areHeldBack.store(allow_huge_pages(0) == 0, ordering: .relaxed)
  }

  /// Gives the heap huge pages from now on if it is large; called now and then.
  static func considerHeap() {
    if areHeldBack.load(ordering: .relaxed), heapEnd &- heapStart > threshold { release() }
  }

  /// Gives the heap huge pages from now on, since it is to hold the state of a text so long.
  static func expectState(ofBytes count: Int) {
    // A state of small items takes some six times its text.
    if areHeldBack.load(ordering: .relaxed), count > threshold / 16 { release() }
  }

  private static func release() {
    areHeldBack.store(false, ordering: .relaxed)
    _ = allow_huge_pages(1)
  }

  private static var heapEnd: Int { Int(bitPattern: sbrk(0)) }
}
