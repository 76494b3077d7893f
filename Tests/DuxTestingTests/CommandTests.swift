import DuxJSON
import DuxStore
import DuxTesting
import Testing

struct CommandTests {
  @Test func aCommandWaitsToBeAnsweredByHand() async {
    let store = TestStore.shop()
    await store.send(.buy(1))
    await store.send(.buy(2))
    #expect(await store.commands.map(\.payload) == [["number": 1], ["number": 2]])
    #expect(await store.commands.map(\.name) == ["Buy", "Buy"])
    await store.answer(Shop.Buy(number: 2), with: .bought(2)) { $0.count = -2 }
    await store.answer(Shop.Buy(number: 1), with: .failed("sold out")) { $0.name = "sold out" }
    #expect(await store.commands.isEmpty)
    await store.finish()
    #expect(store.log.map { $0.context.origin == .outside } == [true, true, false, false])
  }

  @Test func anAnswerToNoCommandFails() async {
    let complaints = Complaints()
    let store = TestStore.shop(complaints)
    await store.answer(Shop.Buy(number: 1), with: .bought(1))
    await store.send(.buy(2))
    let line = #line - 1
    await store.answer(Shop.Buy(number: 1), with: .bought(1))
    #expect(
      complaints.failures == [
        "no command waits; expected Buy(number: 1)",
        """
        no command Buy(number: 1) waits; those that do:
          command Buy {"number":2}, started by .buy(2) at CommandTests.swift:\(line)
        """,
      ])
    await store.skipEffects()
    await store.finish()
  }

  @Test func aHandlerDoesTheWorkAndItsAnswersAreReceived() async {
    let clock = TestClock()
    let tries = Counter()
    let handler = CommandHandler<Shop.Action>(
      Shop.Buy.self, started: { command, _ in .rename("buying \(command.number)") },
      failed: { error, _, _ in .failed("\(error)") },
      run: { command, context in
        struct Busy: Error {}
        tries.add()
        if context.attempt == 1 { throw Busy() }
        return .bought(command.number)
      })
    let store = TestStore.shop(commands: [handler]) { $0.clock = clock }
    await store.send(.buy(4))
    await store.receive(.rename("buying 4")) { $0.name = "buying 4" }
    #expect(tries.count == 1)
    #expect(await store.commands.map(\.attempts) == [1])
    await clock.advance(by: .seconds(1))
    await store.receive(.bought(4)) { $0.count = -4 }
    #expect(tries.count == 2)
    await store.finish()
  }
}
