/// An action's type as messages call it: the names of the nested enum cases, as `todos/row/rename`.
///
/// For an enum with synthesized `Codable` that is its type on the wire.
func actionName(_ action: Any) -> String {
  if let named = action as? any NamedAction { return named.actionName }
  var names: [String] = []
  var next: Any? = action
  while let value = next {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum else { break }
    guard let (label, payload) = mirror.children.first, let label else {
      names.append(String(describing: value))
      break
    }
    names.append(label)
    next = nestedAction(of: payload)
  }
  return names.isEmpty ? String(describing: type(of: action)) : names.joined(separator: "/")
}

/// An action that knows its type itself.
package protocol NamedAction {
  /// The type.
  var actionName: String { get }
}

private func nestedAction(of payload: Any) -> Any? {
  let mirror = Mirror(reflecting: payload)
  guard mirror.displayStyle == .tuple else { return payload }
  return mirror.children.first { $0.label == "action" }?.value
}
