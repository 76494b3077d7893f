/// What the environment says of the terminal.
struct TerminalTraits: Hashable, Sendable {
  /// The terminal's type, for terminfo.
  let type: String
  /// Whether the user wants no colours (no-color.org).
  let isColorless: Bool

  /// Reads the environment.
  ///
  /// - Throws: ``TerminalError`` where it says that nothing can be drawn.
  init(environment: [String: String]) throws(TerminalError) {
    let type = environment["TERM"] ?? ""
    guard !type.isEmpty else {
      throw TerminalError("TERM is not set, so nobody knows what this terminal understands")
    }
    guard type != "dumb" else {
      throw TerminalError("this terminal (TERM=dumb) can only print line after line")
    }
    self.type = type
    isColorless = !(environment["NO_COLOR"] ?? "").isEmpty
  }
}
