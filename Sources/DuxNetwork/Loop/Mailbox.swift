import Synchronization

/// What other threads have to tell the loop's thread, in the order they told it.
package final class Mailbox<Message: Sendable>: Sendable {
  private let messages: Messages<Message>
  private let wakeup: Wakeup

  /// Makes a mailbox.
  ///
  /// - Parameters:
  ///   - loop: whose thread is told.
  ///   - limit: how many messages are told at once; the loop does its other work before the next.
  ///   - receive: called on the loop's thread, with one message or more.
  /// - Throws: the loop's error when it has no room for another way to be woken.
  package init(
    on loop: EventLoop, atOnce limit: Int = .max, _ receive: @escaping ([Message]) -> Void
  ) throws(NetworkError) {
    let messages = Messages<Message>()
    self.messages = messages
    var taken: ArraySlice<Message> = []
    self.wakeup = try loop.makeWakeup {
      if taken.isEmpty { taken = messages.takeAll()[...] }
      let part = Array(taken.prefix(limit))
      taken = taken.dropFirst(limit)
      if !taken.isEmpty || !messages.isEmpty { messages.wakeup?.wake() }
      if !part.isEmpty { receive(part) }
    }
    messages.wakeup = wakeup
  }

  /// Adds a message; from any thread.
  package func post(_ message: Message) {
    if messages.append(message) { wakeup.wake() }
  }
}

private final class Messages<Message: Sendable>: Sendable {
  private struct Content {
    var waiting: [Message] = []
    weak var wakeup: Wakeup?
  }

  private let content = Mutex(Content())

  var isEmpty: Bool { content.withLock { $0.waiting.isEmpty } }

  /// What makes the loop come back for more.
  var wakeup: Wakeup? {
    get { content.withLock { $0.wakeup } }
    set { content.withLock { $0.wakeup = newValue } }
  }

  /// - Returns: whether it is the first one that waits.
  func append(_ message: Message) -> Bool {
    content.withLock { content in
      content.waiting.append(message)
      return content.waiting.count == 1
    }
  }

  func takeAll() -> [Message] {
    content.withLock { content in
      defer { content.waiting = [] }
      return content.waiting
    }
  }
}
