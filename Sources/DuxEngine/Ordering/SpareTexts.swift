/// The memory of texts that are done with, at hand for the next ones.
///
/// Texts of a step are as long as those of the steps before. Where each asks the allocator, and a
/// piece is a little larger than what was asked for, it is not found again by the next.
struct SpareTexts {
  private var texts: [[UInt8]] = []

  private static let maximumCount = 1_024
  private static let maximumBytes = 1_024

  /// An empty text, with memory of an earlier one where there is some.
  @inline(__always)
  mutating func take() -> [UInt8] {
    guard var text = texts.popLast() else { return [] }
    text.removeAll(keepingCapacity: true)
    return text
  }

  /// Keeps a text's memory, for when nobody else holds it.
  @inline(__always)
  mutating func keep(_ text: [UInt8]) {
    if texts.count < Self.maximumCount, text.count <= Self.maximumBytes { texts.append(text) }
  }
}
