/// What the brain holds on behalf of its connections, so that it can be seen to stay bounded.
extension Engine {
  /// Memory by what it is for, in bytes.
  package struct Footprint: Sendable {
    /// The recent frames of all channels.
    package let ringBytes: Int
    /// The recent frames of presence.
    package let presenceBytes: Int
    /// What waits on the connection on which most does, frames of channels not counted.
    package let largestQueueBytes: Int
  }

  /// What is held now.
  ///
  /// - Complexity: O(connections).
  package var footprint: Footprint {
    Footprint(
      ringBytes: ringBlocks.byteCount,
      presenceBytes: Int(clamping: presence.frameBytes),
      largestQueueBytes: sessions.values.map { $0.queue.byteCount + $0.held.byteCount }.max() ?? 0)
  }
}
