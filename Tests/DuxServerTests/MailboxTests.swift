import DuxNetwork
import Testing

@testable import DuxServer

/// The way from other threads to the loop's.
struct MailboxTests {
  @Test(.timeLimit(.minutes(1)))
  func tellsAllInOrderAndLetsTheLoopDoOtherWorkInBetween() throws {
    let loop = try EventLoop()
    var batches: [[Int]] = []
    var turns = 0
    let mailbox = try Mailbox<Int>(on: loop, atOnce: 10) { messages in
      batches.append(messages)
      if messages.last == 24 { loop.stop() }
    }
    loop.atEndOfTurn = { turns += 1 }
    for number in 0..<25 { mailbox.post(number) }
    loop.run()
    #expect(batches.map(\.count) == [10, 10, 5])
    #expect(batches.flatMap(\.self) == Array(0..<25))
    #expect(turns >= 2)
    loop.close()
  }
}
