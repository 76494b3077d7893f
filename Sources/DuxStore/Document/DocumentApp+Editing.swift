import DuxJSON

/// Actions that change one place are carried out where it lies.
extension DocumentApp: ViewEditable {
  func viewEditor(within limits: StateLimits) -> ViewEditor<JSON>? {
    let maximumDepth = min(self.limits.maximumDepth, limits.maximumDepth)
    let maximumBytes = min(self.limits.maximumBytes, limits.maximumBytes)
    return ViewEditor(
      edit: { wire, view in
        guard let action = try? DocumentAction(wire),
          let (path, edit) = PlaceEdit.and(placeOf: action),
          path.tokens.first?.utf8.first != UInt8(ascii: "@")
        else { return nil }
        return view.perform(
          edit, at: path, maximumDepth: maximumDepth, maximumBytes: maximumBytes)
      },
      isOpen: { _ in true },
      state: { $0 })
  }
}

extension PlaceEdit {
  /// An action as a change of one place, if it is one.
  fileprivate static func and(
    placeOf action: consuming DocumentAction
  ) -> (JSONPointer, PlaceEdit)? {
    switch consume action {
    case .set(let path, let value): (path, .set(value))
    case .remove(let path): (path, .remove)
    case .increment(let path, let step): (path, .increment(step))
    case .append(let path, let value): (path, .insert(value, at: nil))
    case .insert(let path, let index, let value): (path, .insert(value, at: index))
    case .patch(let patch): patch.placeEdit
    case .merge: nil
    }
  }
}

extension JSONPatch {
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
