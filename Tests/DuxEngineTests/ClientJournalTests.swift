import DuxEngine
import DuxJSON
import Testing

struct ClientJournalTests {
  private static func script(
    window: Int = 4, restoring steps: [QueuedStep] = []
  ) -> ClientScript {
    ClientScript(window: window, restoring: steps) { $0.journal = .present }
  }

  private static func queued(_ index: Int, n: Int64?, numberedMs: Int64 = 0) -> QueuedStep {
    QueuedStep(
      token: RequestToken(index: index), n: n, numberedMs: n == nil ? nil : numberedMs,
      actions: [["type": "doc/set", "payload": .integer(Int64(index))]], preconditions: [])
  }

  private static func words(_ steps: [QueuedStep]) -> [String] {
    steps.map { "\($0.token.index) as \($0.n.map(String.init) ?? "none")" }
  }

  @Test
  func aStepIsSentOnceItsNumberIsDurable() {
    let script = Self.script()
    script.dispatch()
    #expect(Self.words(script.takeKept()) == ["0 as none"])
    script.welcome(lastN: 7)
    script.dispatch()
    #expect(Self.words(script.takeKept()) == ["0 as 8", "1 as 9"])
    #expect(script.takeSentNumbers() == [])
    script.ask { $0.kept(RequestToken(index: 0), n: nil) }
    script.ask { $0.kept(RequestToken(index: 1), n: 9) }
    #expect(script.takeSentNumbers() == [])
    script.ask { $0.kept(RequestToken(index: 0), n: 8) }
    #expect(script.takeSentNumbers() == [8, 9])
    script.ack(8, seq: 1)
    #expect(script.takeForgotten() == [0])
  }

  @Test
  func aNewNumberIsDurableBeforeItIsSentToo() {
    let script = Self.script()
    script.welcome()
    script.dispatch(2)
    for (index, n) in [(0, 1), (1, 2)] as [(Int, Int64)] {
      script.ask { $0.kept(RequestToken(index: index), n: n) }
    }
    // Numbered, and not sent when the first comes back: numbers rise along the order of sending.
    script.dispatch()
    _ = script.takeKept()
    script.refuseForNow(1)
    script.ack(2, seq: 1)
    _ = script.takeSent()
    script.pass(200)
    #expect(Self.words(script.takeKept()) == ["0 as 4", "2 as 5"])
    script.ask { $0.kept(RequestToken(index: 2), n: 3) }
    script.ask { $0.kept(RequestToken(index: 0), n: 1) }
    #expect(script.takeSentNumbers() == [])
    script.ask { $0.kept(RequestToken(index: 0), n: 4) }
    #expect(script.takeSentNumbers() == [4])
    script.ask { $0.kept(RequestToken(index: 2), n: 5) }
    #expect(script.takeSentNumbers() == [5])
  }

  @Test
  func stepsOfAnEarlierRunGoOnUnderTheirNumbersBeforeAllOthers() {
    let script = Self.script(
      window: 2,
      restoring: [
        Self.queued(9, n: nil), Self.queued(8, n: 5), Self.queued(3, n: 6), Self.queued(7, n: 4),
      ])
    script.dispatch()
    #expect(Self.words(script.takeKept()) == ["10 as none"])
    script.welcome(lastN: 4)
    // All that may have been sent before comes at once, whatever the window.
    #expect(script.takeSentNumbers() == [4, 5, 6])
    script.say(["op": "ack", "n": 4, "seq": 2, "changed": true, "duplicate": true])
    script.ack(5, seq: 3)
    #expect(Self.words(script.takeKept()) == ["9 as 7"])
    script.ask { $0.kept(RequestToken(index: 9), n: 7) }
    #expect(script.takeSentNumbers() == [7])
    #expect(script.takeForgotten() == [7, 8])
  }

  @Test
  func aPoisonedStepOfAnEarlierRunIsToldAndTheOthersGoOn() {
    let script = Self.script(restoring: [Self.queued(0, n: 4), Self.queued(1, n: 5)])
    script.welcome(lastN: 4)
    script.say([
      "op": "reject", "n": 4, "code": "rejected", "reason": "no", "message": "m",
      "duplicate": true,
    ])
    script.ack(5, seq: 9)
    #expect(script.takeEvents() == ["live", "step 0 is rejected", "step 1 is seq 9"])
    #expect(script.takeForgotten() == [0, 1])
  }

  @Test
  func aStepWhoseRefusalForTheMomentWasLostWithTheProgramIsSentAnew() {
    let script = Self.script(restoring: [Self.queued(0, n: 4, numberedMs: 900)])
    script.welcome(lastN: 6)
    script.say(["op": "reject", "n": 4, "code": "outcome_unknown", "message": "m"])
    script.pass(10)
    #expect(Self.words(script.takeKept()) == ["0 as 7"])
    let late = Self.script(restoring: [Self.queued(0, n: 4, numberedMs: -8 * 86_400_000)])
    late.welcome(lastN: 6)
    late.say(["op": "reject", "n": 4, "code": "outcome_unknown", "message": "m"])
    #expect(late.takeEvents() == ["live", "step 0 is outcome_unknown"])
  }

  @Test
  func aStepTheJournalDoesNotTakeIsRefusedAndOneItHoldsIsTriedAgain() {
    let script = Self.script()
    script.dispatch(2)
    script.ask { $0.kept(RequestToken(index: 0), n: nil) }
    script.ask { $0.notKept(RequestToken(index: 1), n: nil, "full") }
    #expect(script.takeEvents() == ["step 1 is queue_failed"])
    script.welcome()
    _ = script.takeKept()
    script.ask { $0.notKept(RequestToken(index: 0), n: 1, "full") }
    #expect(script.takeKept() == [])
    script.pass(1_000)
    #expect(Self.words(script.takeKept()) == ["0 as 1"])
    script.ask { $0.kept(RequestToken(index: 0), n: 1) }
    #expect(script.takeSentNumbers() == [1])
  }

  @Test
  func aStepTakenBackIsForgotten() {
    let script = Self.script()
    script.welcome()
    script.dispatch(2)
    #expect(script.ask { $0.cancel(RequestToken(index: 0)) })
    #expect(script.takeForgotten() == [0])
    script.ask { $0.kept(RequestToken(index: 0), n: 1) }
    script.ask { $0.kept(RequestToken(index: 1), n: 2) }
    #expect(script.takeSentNumbers() == [2])
  }
}
