import DuxJSON
import Glibc

/// A FIFO that a program waits at, until it is opened for it.
struct Gate {
  let path: String

  init(_ path: String) throws {
    self.path = path
    guard mkfifo(path, 0o600) == 0 else { throw SystemFailure("mkfifo \(path)") }
  }

  /// Lets one reader through; waits until there is one.
  func open(_ deadline: Deadline = Deadline()) throws {
    while true {
      let descriptor = Glibc.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      if descriptor >= 0 {
        _ = Glibc.write(descriptor, "go\n", 3)
        close(descriptor)
        return
      }
      guard errno == ENXIO, !deadline.hasPassed else { throw SystemFailure("open \(path)") }
      sched_yield()
    }
  }
}

extension Client {
  /// Waits until the daemon serves so many subscriptions.
  func until(subscriptions count: Int64, _ deadline: Deadline = Deadline()) throws {
    while try ask(["op": "status"])["subscriptions"] != .integer(count) {
      guard !deadline.hasPassed else { throw Unexpected("never \(count) subscriptions") }
    }
  }
}
