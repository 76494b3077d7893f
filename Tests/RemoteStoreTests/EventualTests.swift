import Testing

@testable import DuxClient

/// A value that tasks wait for.
struct EventualTests {
  @Test func itIsGivenOnceToAllWhoWait() async throws {
    let eventual = Eventual<Int>()
    let waiting = (0..<10).map { _ in Task { try await eventual.wait() } }
    #expect(eventual.value == nil)
    eventual.fulfil(1)
    eventual.fulfil(2)
    for task in waiting { #expect(try await task.value == 1) }
    #expect(eventual.value == 1)
    #expect(try await eventual.wait() == 1)
  }

  @Test func aCancelledTaskDoesNotWait() async throws {
    let eventual = Eventual<Int>()
    let task = Task { try await eventual.wait() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    eventual.fulfil(3)
    #expect(try await eventual.wait() == 3)
  }
}

/// How far a store may be behind.
struct BacklogTests {
  @Test func itIsLongUntilTheStoreHasComeToAll() {
    let backlog = Backlog()
    var count = 0
    repeat {
      backlog.add()
      count += 1
    } while backlog.hasRoom()
    #expect(count > 1)
    for _ in 1..<count { #expect(!backlog.take()) }
    #expect(backlog.take())
    backlog.add()
    #expect(backlog.hasRoom())
    #expect(!backlog.take())
  }
}
