import DuxJSON

/// Actions that change one place are carried out where it lies.
extension DocumentApp: ViewEditable {
  func viewEditor(within limits: StateLimits) -> ViewEditor<JSON>? {
    let maximumDepth = min(self.limits.maximumDepth, limits.maximumDepth)
    let maximumBytes = min(self.limits.maximumBytes, limits.maximumBytes)
    return ViewEditor(
      edit: { wire, view in
        func perform(_ edit: consuming PlaceEdit, at path: consuming JSONPointer) -> PlaceChange? {
          if path.tokens.first?.utf8.first == UInt8(ascii: "@") { return nil }
          return view.perform(
            edit, at: path, maximumDepth: maximumDepth, maximumBytes: maximumBytes)
        }
        let action: DocumentAction
        do throws(Refusal) { action = try DocumentAction(wire) } catch { return nil }
        return switch consume action {
        case .set(let path, let value): perform(.set(value), at: path)
        case .remove(let path): perform(.remove, at: path)
        case .increment(let path, let step): perform(.increment(step), at: path)
        case .append(let path, let value): perform(.insert(value, at: nil), at: path)
        case .insert(let path, let index, let value): perform(.insert(value, at: index), at: path)
        case .patch(let patch): patch.placeEdit.flatMap { perform($1, at: $0) }
        case .merge: nil
        }
      },
      isOpen: { _ in true },
      state: { $0 })
  }
}

extension JSONPatch {
  /// The patch as a change of one place, if it is one.
  fileprivate var placeEdit: (JSONPointer, PlaceEdit)? {
    guard let operation = operations.first, operations.count == 1 else { return nil }
    return switch operation {
    case .add(let path, let value): (path, .put(value))
    case .remove(let path): (path, .remove)
    case .replace(let path, let value): (path, .replace(value))
    case .move, .copy, .test: nil
    }
  }
}
