import DuxNetwork
import Synchronization

/// What other threads have to tell the loop's thread, in the order they told it.
final class Mailbox<Message: Sendable>: Sendable {
  private let messages: Messages<Message>
  private let wakeup: Wakeup

  /// Makes a mailbox; `receive` is called on the loop's thread, with one message or more.
  init(
    on loop: EventLoop, _ receive: @escaping ([Message]) -> Void
  ) throws(NetworkError) {
    let messages = Messages<Message>()
    self.messages = messages
    self.wakeup = try loop.makeWakeup {
      let taken = messages.takeAll()
      if !taken.isEmpty { receive(taken) }
    }
  }

  /// Adds a message; from any thread.
  func post(_ message: Message) {
    if messages.append(message) { wakeup.wake() }
  }
}

private final class Messages<Message: Sendable>: Sendable {
  private let waiting = Mutex<[Message]>([])

  /// - Returns: whether it is the first one that waits.
  func append(_ message: Message) -> Bool {
    waiting.withLock { waiting in
      waiting.append(message)
      return waiting.count == 1
    }
  }

  func takeAll() -> [Message] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}
