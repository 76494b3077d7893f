/// Tells a mistake of the program to whoever watches: a test that runs records it as a failure, a
/// store tells its own listener.
///
/// Where nobody watches, a debug build stops here.
public func reportIssue(_ message: String) {
  if let listener = DependencyValues.current.issueListener {
    listener(message)
  } else {
    assertionFailure(message)
  }
}
