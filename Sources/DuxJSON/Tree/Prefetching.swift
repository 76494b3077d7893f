import CMemory

/// Begins to fetch memory that is about to be read, so that its lines are waited for together.
///
/// Read one after the other, each line of a node that is not in the processor's caches takes as
/// long as hundreds of instructions. There need not be as much memory.
@inline(__always)
func prefetch(_ memory: UnsafeRawPointer, bytes: Int) {
  for line in 0...(bytes &- 1) / 64 { prefetch_line(memory + line &* 64) }
}
