package import DuxJSON

/// Why a value can't be written as JSON or read from it.
public struct CodingFailure: Error, Equatable, Sendable {
  /// What went wrong.
  public enum Kind: Equatable, Sendable {
    /// An action's type names no case of the app's action.
    case unknownType
    /// JSON of another shape than the type it is read as.
    case badPayload
    /// A value that has no JSON.
    case unencodable
  }

  /// What went wrong.
  public var kind: Kind
  /// Where, as a JSON Pointer from the value's or the payload's root on.
  public var path: String
  /// The rest of a sentence whose subject is what lies at ``path``.
  public var problem: String
  /// The type of the action that was coded, if it was one.
  public var actionType: String?

  /// Makes a failure.
  public init(kind: Kind, path: String = "", problem: String, actionType: String? = nil) {
    self.kind = kind
    self.path = path
    self.problem = problem
    self.actionType = actionType
  }

  /// What and where, as a sentence: `todos/add: /title must be a string, it is a number`.
  public var message: String {
    if kind == .unknownType { return problem }
    let subject = path.isEmpty ? (actionType == nil ? "the value" : "the payload") : path
    return (actionType.map { "\(clipped($0)): " } ?? "") + "\(subject) \(problem)"
  }

  /// The failure as seen from a value that holds the one it arose in.
  package func inside(_ place: JSONPointer, actionType: String?) -> CodingFailure {
    var failure = self
    failure.path = place.description + path
    failure.actionType = self.actionType ?? actionType
    return failure
  }
}

extension CodingFailure: CustomStringConvertible {
  /// The ``message``.
  public var description: String { message }
}

extension JSONPointer {
  /// A coding path as a pointer.
  init(_ path: [any CodingKey]) {
    self.init(
      tokens: path.map { key in
        // The standard library names the index in errors of its own like this.
        if let index = key.intValue, key.stringValue == "Index \(index)" { return "\(index)" }
        return key.stringValue
      })
  }
}

/// A step of a coding path that these coders make.
struct CodingToken: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }
}

/// The step from a container to an entry, kept without being made a key: most are never shown.
enum PathStep {
  /// No step: the entry is the value itself.
  case none
  case key(String)
  case index(Int)

  var token: CodingToken? {
    switch self {
    case .none: nil
    case .key(let key): CodingToken(stringValue: key)
    case .index(let index): CodingToken(intValue: index)
    }
  }
}

/// How deep values may be nested in each other, since coding them takes call stack.
let maximumCodingDepth = 512
