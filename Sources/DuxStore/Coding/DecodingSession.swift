import DuxJSON

/// What all decoders of one call share: the leaves of the state before, or the type of the action.
final class DecodingSession {
  let leaves: StateLeaves?
  /// Leaves that are found and left beyond this call.
  var memory: LeafMemory?
  let actionType: String?
  /// Where the first part of the type starts that no case took; past its end where all are taken.
  var reached = 0
  /// Whether the names of cases were asked for where the type has no part any more.
  var isPartWanted = false
  /// The error of a payload of the wrong kind, kept back as long as a missing part is the worse.
  var shapeError: DecodingError?
  /// Whether the type was read as one string, slashes and all.
  var isTypeWhole = false

  init(leaves: StateLeaves?, actionType: String?) {
    self.leaves = leaves
    self.actionType = actionType
  }

  /// The part of the type at an offset and where the next one is.
  func part(at offset: Int) -> (name: String, next: ValueDecoder.Place, end: Int) {
    guard let type = actionType else { return ("", .end, offset) }
    let bytes = type.utf8
    let start = bytes.index(bytes.startIndex, offsetBy: offset)
    var end = start
    var next = offset + 1
    while end < bytes.endIndex {
      if bytes[end] == UInt8(ascii: "/") {
        return (String(type[start..<end]), .part(at: next), next)
      }
      bytes.formIndex(after: &end)
      next += 1
    }
    return (String(type[start...]), .end, next)
  }

  /// Refuses a type of more parts than the cases took, and an error kept back.
  func checkNothingIsLeft() throws {
    if let shapeError { throw shapeError }
    if let actionType, reached <= actionType.utf8.count { throw noAction(at: reached) }
  }

  /// The failure for a part that names no case.
  func noAction(at offset: Int) -> CodingFailure {
    let name = clipped(part(at: offset).name)
    let before = offset == 0 ? nil : actionType.map { String($0.utf8.prefix(offset - 1)) ?? "" }
    let place = before.map { "\(quoted(clipped($0))) has no action" } ?? "there is no action"
    return unknownType("\(place) \(quoted(name))")
  }

  /// The failure for a type that ends where a case is still to be named.
  func partWanted() -> CodingFailure {
    unknownType("\(quoted(clipped(actionType ?? ""))) needs another part")
  }

  private func noWholeAction() -> CodingFailure {
    unknownType("there is no action \(quoted(clipped(actionType ?? "")))")
  }

  private func unknownType(_ reason: String) -> CodingFailure {
    CodingFailure(
      kind: .unknownType,
      problem: "unknown action type \(quoted(clipped(actionType ?? ""))); \(reason)",
      actionType: actionType)
  }
}

extension DecodingSession {
  /// The failure that an error of these coders or of the decoded types' code means.
  ///
  /// - Parameters:
  ///   - error: what decoding threw.
  ///   - json: what was decoded.
  /// - Returns: the failure.
  func failure(for error: any Error, in json: JSON?) -> CodingFailure {
    if let failure = error as? CodingFailure { return failure }
    guard let error = error as? DecodingError else {
      return refused("\(error)", at: [])
    }
    if let failure = error.context.underlyingError as? CodingFailure { return failure }
    if isTypeWhole, case .dataCorrupted = error { return noWholeAction() }
    if case .typeMismatch(_, let context) = error,
      context.debugDescription.hasPrefix("Invalid number of keys found")
    {
      return noCase(at: context.codingPath, in: json)
    }
    return refused(error.context.debugDescription, at: error.context.codingPath)
  }

  private func refused(_ reason: String, at path: [any CodingKey]) -> CodingFailure {
    CodingFailure(
      kind: .badPayload, path: JSONPointer(path).description, problem: "is refused: \(reason)",
      actionType: actionType)
  }

  /// The failure of a synthesized enum that does not find the name of exactly one of its cases.
  private func noCase(at path: [any CodingKey], in json: JSON?) -> CodingFailure {
    if isPartWanted { return partWanted() }
    let pointer = JSONPointer(path)
    let names = json?.value(at: pointer)?.objectValue?.prefix(3).map { quoted(clipped($0.key)) }
    let found = names.map { $0.isEmpty ? "no member" : $0.joined(separator: ", ") } ?? "nothing"
    return CodingFailure(
      kind: .badPayload, path: pointer.description,
      problem: "must be an object that names one case, it has \(found)", actionType: actionType)
  }
}

extension DecodingError {
  fileprivate var context: Context {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      context
    @unknown default: Context(codingPath: [], debugDescription: "\(self)")
    }
  }
}
