import DuxJSON

/// A place where two states differ, and what is there.
typealias StateDifference = (path: String, old: String?, new: String?)

/// What differs between two states, by path: of their JSON where they have one, else of their
/// stored properties.
func stateChanges<State>(from old: State, to new: State) -> [StateDifference] {
  if let places = JSONPlace.all(from: old, to: new) {
    return places.map { ($0.path.description, $0.old?.description, $0.new?.description) }
  }
  var found: [StateDifference] = []
  collectChanges(from: old, to: new, at: "", into: &found)
  return found
}

private func collectChanges(
  from old: Any, to new: Any, at path: String, into found: inout [StateDifference]
) {
  let (before, after) = (Mirror(reflecting: old), Mirror(reflecting: new))
  if before.displayStyle == .struct, before.children.count == after.children.count,
    !before.children.isEmpty
  {
    for (one, other) in zip(before.children, after.children) {
      collectChanges(
        from: one.value, to: other.value, at: "\(path)/\(one.label ?? "")", into: &found)
    }
    return
  }
  let texts = (String(describing: old), String(describing: new))
  if texts.0 != texts.1 { found.append((path, texts.0, texts.1)) }
}
