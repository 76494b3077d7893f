/// A value as one would write it in Swift, as far as reflection tells: `.row(id: "a", .toggle)`.
func sourceText(_ value: Any, depth: Int = 0) -> String {
  switch value {
  case let text as String: return text.debugDescription
  case let character as Character: return String(character).debugDescription
  case is any BinaryInteger, is any BinaryFloatingPoint, is Bool: return String(describing: value)
  default: break
  }
  let mirror = Mirror(reflecting: value)
  guard depth < 12 else { return "…" }
  let parts = mirror.children.map {
    (label: $0.label, text: sourceText($0.value, depth: depth + 1))
  }
  switch mirror.displayStyle {
  case .optional: return parts.first?.text ?? "nil"
  case .enum: return enumText(value, mirror, depth)
  case .tuple: return "(\(labelled(parts)))"
  case .collection, .set: return "[\(parts.map(\.text).joined(separator: ", "))]"
  case .dictionary: return dictionaryText(mirror, depth)
  case .struct where !parts.isEmpty && !(value is any CustomStringConvertible):
    return "\(type(of: value))(\(labelled(parts)))"
  default: return String(describing: value)
  }
}

private func enumText(_ value: Any, _ mirror: Mirror, _ depth: Int) -> String {
  guard let (label, payload) = mirror.children.first, let label else { return ".\(value)" }
  let inner = Mirror(reflecting: payload)
  if inner.displayStyle == .tuple {
    let parts = inner.children.map {
      (label: $0.label, text: sourceText($0.value, depth: depth + 1))
    }
    return ".\(label)(\(labelled(parts)))"
  }
  return ".\(label)(\(sourceText(payload, depth: depth + 1)))"
}

private func dictionaryText(_ mirror: Mirror, _ depth: Int) -> String {
  let pairs = mirror.children.map { pair in
    Mirror(reflecting: pair.value).children.map { sourceText($0.value, depth: depth + 1) }
      .joined(separator: ": ")
  }
  return pairs.isEmpty ? "[:]" : "[\(pairs.sorted().joined(separator: ", "))]"
}

private func labelled(_ parts: [(label: String?, text: String)]) -> String {
  parts.map { label, text in
    guard let label, !label.hasPrefix("."), !label.hasPrefix("_") else { return text }
    return "\(label): \(text)"
  }.joined(separator: ", ")
}

extension String {
  /// The text, cut where it is long.
  func shortened(to limit: Int = 120) -> String {
    count > limit ? prefix(limit) + "…" : self
  }
}

/// A number of things in words: `1 effect`, `2 effects`.
func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}
