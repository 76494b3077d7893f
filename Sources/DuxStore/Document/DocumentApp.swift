public import DuxJSON

/// The stock app: its state is any JSON object, its actions the usual changes of a document.
///
/// Each action is carried out as an RFC 6902 operation, so that one piece of code decides what a
/// path means.
public struct DocumentApp: App {
  /// How large the document may become.
  public let limits: StateLimits

  /// Makes the app.
  public init(limits: StateLimits) {
    self.limits = limits
  }

  /// `document`.
  public var name: String { "document" }

  /// The version of the state's shape: any object, for ever.
  public var version: Int { 1 }

  /// The empty object.
  public var initialState: JSON { .object([:]) }

  /// Reads an action.
  public func action(from wire: WireAction) throws(Refusal) -> DocumentAction {
    try DocumentAction(wire)
  }

  /// Writes an action.
  public func wireAction(of action: DocumentAction) -> WireAction {
    action.wire
  }

  /// The document itself.
  public func view(of state: JSON) -> JSON { state }

  /// The document itself.
  public func state(fromView view: JSON) throws(Refusal) -> JSON {
    guard case .object = view else {
      throw .badAction("a document is an object, this is \(view.kindName)")
    }
    return view
  }

  /// Carries out one action.
  public func reduce(
    into state: inout JSON, action: DocumentAction
  ) throws(Rejection) -> Effect<DocumentAction> {
    switch action {
    case .set(let path, let value):
      try apply([try setting(path, to: value, in: state)], to: &state)
    case .remove(let path):
      guard !path.isRoot else {
        throw Rejection(reason: "root_removed", message: "the root can't be removed, only set")
      }
      _ = try existing(path, in: state)
      try apply([.remove(path: path)], to: &state)
    case .merge(let path, let value):
      var merged = try existing(path, in: state)
      merged.merge(value)
      try apply([.replace(path: path, value: merged)], to: &state)
    case .patch(let patch):
      try apply(patch.operations, to: &state)
    case .increment(let path, let step):
      let sum = try adding(step, to: try existing(path, in: state), at: path)
      try apply([.replace(path: path, value: sum)], to: &state)
    case .append(let path, let value):
      _ = try array(at: path, in: state)
      try apply([.add(path: path.appending("-"), value: value)], to: &state)
    case .insert(let path, let index, let value):
      let count = try array(at: path, in: state).count
      guard index >= 0, index <= count else {
        throw Rejection(
          reason: "index_out_of_range",
          message: "index \(index) is outside 0…\(count), the array at \(named(path))")
      }
      try apply([.add(path: path.appending(String(index)), value: value)], to: &state)
    }
    return .none
  }
}

extension DocumentApp {
  private func existing(_ path: JSONPointer, in state: JSON) throws(Rejection) -> JSON {
    guard let value = state.value(at: path) else {
      throw Rejection(reason: "missing", message: "nothing is at \(named(path))")
    }
    return value
  }

  private func array(at path: JSONPointer, in state: JSON) throws(Rejection) -> JSONArray {
    let value = try existing(path, in: state)
    guard let array = value.arrayValue else {
      throw Rejection(
        reason: "not_an_array", message: "\(value.kindName) is at \(named(path)), not an array")
    }
    return array
  }

  /// The one operation that sets a value: it adds the first part of the path that is missing, with
  /// the rest of the path inside it.
  private func setting(
    _ path: JSONPointer, to value: JSON, in state: JSON
  ) throws(Rejection) -> JSONPatchOperation {
    var present = state
    for (depth, token) in path.tokens.enumerated() {
      var parent: JSONPointer { JSONPointer(tokens: Array(path.tokens[..<depth])) }
      switch present {
      case .object(let object):
        guard let child = object[token] else {
          let rest = path.tokens[(depth + 1)...]
          guard rest.count < limits.maximumDepth else {
            throw Rejection(
              reason: Rejection.tooDeepReason,
              message: "the path has \(path.tokens.count) parts, deeper than the state may be")
          }
          let nested = rest.reversed().reduce(value) { .object([$1: $0]) }
          return .add(path: parent.appending(token), value: nested)
        }
        present = child
      case .array(let array):
        guard let child = present.value(at: JSONPointer(tokens: [token])) else {
          throw Rejection(
            reason: "index_out_of_range",
            message: "\(quoted(token)) is no index of the array at \(named(parent)), which has"
              + " \(array.count) entries; doc/append and doc/insert add entries")
        }
        present = child
      default:
        throw Rejection(
          reason: "not_a_container",
          message: "\(present.kindName) is at \(named(parent)), it can't hold \(quoted(token))")
      }
    }
    return .replace(path: path, value: value)
  }

  private func adding(
    _ step: JSON, to number: JSON, at path: JSONPointer
  ) throws(Rejection) -> JSON {
    if let sum = number.adding(step) { return sum }
    switch number {
    case .integer, .double:
      throw Rejection(
        reason: "overflow",
        message: "\(number) + \(step) at \(named(path)) leaves the range of its kind of number")
    default:
      throw Rejection(
        reason: "not_a_number", message: "\(number.kindName) is at \(named(path)), not a number")
    }
  }

  /// How large the document may be between two operations of a patch: the limit itself is for the
  /// result, but a patch that doubles the document again and again must be stopped on its way.
  private func byteBound(on state: JSON) -> Int {
    let largest = max(limits.maximumBytes, state.encodedByteCount)
    let (doubled, overflowed) = largest.multipliedReportingOverflow(by: 2)
    return overflowed ? .max : doubled
  }

  private func apply(
    _ operations: [JSONPatchOperation], to state: inout JSON
  ) throws(Rejection) {
    var next = state
    do throws(JSONPatchError) {
      try JSONPatch(operations: operations).apply(
        to: &next, maximumDepth: .max, maximumBytes: byteBound(on: state))
    } catch {
      throw Rejection(reason: error.word(in: operations), message: error.description)
    }
    guard case .object = next else {
      throw Rejection(
        reason: "root_not_object", message: "the root is an object always, not \(next.kindName)")
    }
    state = next
  }
}

extension JSONPatchError {
  /// The stable word that programs compare.
  fileprivate func word(in operations: [JSONPatchOperation]) -> String {
    switch reason {
    case .malformed: "malformed"
    case .missingPath: "missing"
    case .notAContainer: isPlaceToAdd(in: operations) ? "not_a_container" : "missing"
    case .malformedIndex, .indexOutOfRange:
      isPlaceToAdd(in: operations) ? "index_out_of_range" : "missing"
    case .rootRemoved: "root_removed"
    case .movedIntoItself: "moved_into_itself"
    case .testFailed: "test_failed"
    case .tooDeep: Rejection.tooDeepReason
    case .tooLarge: Rejection.tooLargeReason
    }
  }

  /// Whether the path is where something was to be added, not where something should have been.
  private func isPlaceToAdd(in operations: [JSONPatchOperation]) -> Bool {
    guard let operation, operations.indices.contains(operation) else { return false }
    return switch operations[operation] {
    case .add(let target, _), .move(_, let target), .copy(_, let target):
      target.description == path
    default: false
    }
  }
}

/// A path as messages show it: the root has a name, since an empty text says nothing.
private func named(_ path: JSONPointer) -> String {
  path.isRoot ? "the root" : quoted(path.description)
}
