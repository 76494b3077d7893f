import DuxStore

/// A place in the app, as a text that can be passed on: `numbers/2/4`, `signUp/job`, or nothing for the menu.
enum Link: Equatable {
  case home
  case numbers([Int])
  case signUp(SignUpStep)

  /// Reads a link.
  ///
  /// - Throws: a `Rejection` with the reason `bad_link`.
  init(_ text: String) throws {
    let parts = text.split(separator: "/").map(String.init)
    switch parts.first {
    case nil: self = .home
    case "numbers":
      let numbers = parts.dropFirst().compactMap(Int.init)
      guard numbers.count == parts.count - 1, numbers.count <= 50 else { throw Self.bad(text) }
      self = .numbers(numbers)
    case "signUp" where parts.count <= 2:
      let steps = SignUpStep.allCases
      guard let step = parts.count == 1 ? .name : steps.first(where: { $0.kind == parts[1] })
      else { throw Self.bad(text) }
      self = .signUp(step)
    default: throw Self.bad(text)
    }
  }

  private static func bad(_ text: String) -> Rejection {
    Rejection(
      reason: "bad_link",
      message: "a link is numbers, numbers/2/4, signUp or signUp/job, not \"\(text.prefix(80))\"")
  }
}
