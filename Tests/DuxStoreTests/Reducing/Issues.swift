import DuxStore
import Synchronization

/// What `body` reports as mistakes of the program.
func issues(_ body: () throws -> Void) rethrows -> [String] {
  let messages = MessageList()
  var values = DependencyValues.current
  values.issueListener = { messages.append($0) }
  try DependencyValues.$current.withValue(values) { try body() }
  return messages.all
}

private final class MessageList: Sendable {
  private let messages = Mutex<[String]>([])

  var all: [String] { messages.withLock { $0 } }

  func append(_ message: String) { messages.withLock { $0.append(message) } }
}
