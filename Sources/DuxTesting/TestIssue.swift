public import Testing

/// What a ``TestStore`` has to complain of, or to report.
public struct TestIssue: Sendable {
  /// How bad it is.
  public enum Severity: Sendable {
    /// The test fails.
    case failure
    /// The test goes on; what it leaves out is told (``Exhaustivity/partialReporting``).
    case report
  }

  /// What is wrong, and where there is an obvious remedy, what to write.
  public let message: String
  /// Where in the test.
  public let sourceLocation: SourceLocation
  /// How bad it is.
  public let severity: Severity

  /// Records an issue with the test that runs.
  public static func record(_ issue: TestIssue) {
    Issue.record(
      Comment(rawValue: issue.message),
      severity: issue.severity == .failure ? .error : .warning,
      sourceLocation: issue.sourceLocation)
  }
}
