import DuxJSON

/// Slices: the members of a state, kept where an app does not know them and made where it lacks them.
extension JSON {
  /// The same object with the members of `initial` that it lacks.
  func filled(from initial: JSON) -> JSON {
    guard case .object(var members) = self, case .object(let defaults) = initial else {
      return self
    }
    for (name, value) in defaults where members[name] == nil { members[name] = value }
    return .object(members)
  }

  /// The members that `known` does not have.
  func members(beside known: JSON) -> [(name: String, value: JSON)] {
    guard case .object(let all) = self, case .object(let known) = known else { return [] }
    return all.compactMap { known[$0.key] == nil ? ($0.key, $0.value) : nil }
  }

  /// The same object with members beside its own.
  func adding(_ members: [(name: String, value: JSON)]) -> JSON {
    guard !members.isEmpty, case .object(var all) = self else { return self }
    for (name, value) in members where all[name] == nil { all[name] = value }
    return .object(all)
  }
}
