import DuxNetwork

/// Why a terminal cannot be used.
public struct TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, in one line.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension TerminalError {
  /// Makes one of what goes wrong with a loop.
  static func wrapping<Value>(
    _ body: () throws(NetworkError) -> Value
  ) throws(TerminalError) -> Value {
    do throws(NetworkError) {
      return try body()
    } catch {
      throw TerminalError(error.description)
    }
  }
}
