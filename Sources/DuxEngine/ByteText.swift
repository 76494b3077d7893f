import DuxJSON

/// A text as a key: equal only to the same bytes, while `String` takes texts for one that Unicode
/// calls equivalent.
package struct ByteText: Hashable, Sendable {
  /// The text.
  package let text: String

  /// Makes a key of a text.
  package init(_ text: String) {
    self.text = text
  }

  package static func == (left: Self, right: Self) -> Bool {
    hasSameBytes(left.text, right.text)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
