public import DuxJSON

/// What must be so for a step to be taken; the daemon checks it together with taking the step.
public struct Condition: Hashable, Sendable {
  let json: JSON

  /// A value is at a path.
  public static func equals(_ path: JSONPointer, _ value: JSON) -> Condition {
    Condition(json: ["path": .string(path.description), "value": value])
  }

  /// Nothing is at a path.
  public static func missing(_ path: JSONPointer) -> Condition {
    Condition(json: ["path": .string(path.description), "missing": true])
  }
}
