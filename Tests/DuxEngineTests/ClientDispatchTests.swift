import DuxEngine
import DuxJSON
import Testing

struct ClientDispatchTests {
  @Test
  func stepsAreNumberedBehindTheLastOneKnown() {
    let script = ClientScript()
    script.dispatch(2)
    #expect(script.takeSent().isEmpty)
    script.welcome(lastN: 11)
    #expect(script.takeSentNumbers() == [12, 13])
    script.ack(12, seq: 5)
    script.ack(13, seq: 6)
    #expect(script.takeEvents() == ["live", "step 0 is seq 5", "step 1 is seq 6"])
    #expect(script.session.unsettledStepCount == 0)
  }

  @Test
  func noMoreStepsAreOnTheirWayThanTheWindowHolds() {
    let script = ClientScript(window: 2)
    script.welcome()
    script.dispatch(4)
    #expect(script.takeSentNumbers() == [1, 2])
    script.ack(1, seq: 1)
    #expect(script.takeSentNumbers() == [3])
  }

  @Test
  func unsettledStepsAreSentAgainUnderTheirNumbersBeforeNewOnes() {
    let script = ClientScript()
    script.welcome()
    script.dispatch(3)
    script.ack(1, seq: 1)
    _ = script.takeSent()
    script.lose()
    script.dispatch()
    script.welcome(lastN: 3)
    #expect(script.takeSentNumbers() == [2, 3, 4])
    script.say(["op": "ack", "n": 2, "seq": 2, "changed": true, "duplicate": true])
    script.say(["op": "reject", "n": 3, "code": "rejected", "message": "m", "duplicate": true])
    script.ack(4, seq: 3)
    #expect(
      script.takeEvents() == [
        "live", "step 0 is seq 1", "waiting", "live", "step 1 is seq 2", "step 2 is rejected",
        "step 3 is seq 3",
      ])
  }

  @Test
  func stepsRefusedForTheMomentAreSentAgainInOrderUnderNewNumbers() {
    let script = ClientScript()
    script.welcome()
    script.dispatch(4)
    _ = script.takeSent()
    script.refuseForNow(1)
    script.ack(2, seq: 1)
    script.refuseForNow(3)
    script.dispatch()
    script.pass(20_000)
    // The fourth is still on its way: what was refused waits, and so does what is new.
    #expect(script.takeSentNumbers() == [])
    script.ack(4, seq: 2)
    script.pass(100)
    #expect(script.takeSentNumbers() == [5, 6, 7])
    script.ack(5, seq: 3)
    script.ack(6, seq: 4)
    script.ack(7, seq: 5)
    #expect(
      script.takeEvents() == [
        "live", "postponed storage_full", "step 1 is seq 1", "step 3 is seq 2", "step 0 is seq 3",
        "step 2 is seq 4", "step 4 is seq 5",
      ])
  }

  @Test
  func aRefusedStepWaitsAsLongAsTheDaemonSays() {
    let script = ClientScript()
    script.welcome()
    script.dispatch()
    _ = script.takeSent()
    script.say([
      "op": "reject", "n": 1, "code": "rate_limited", "message": "m", "final": false,
      "retryMs": 7_000,
    ])
    script.pass(6_999)
    #expect(script.takeSentNumbers() == [])
    script.pass(1)
    #expect(script.takeSentNumbers() == [2])
  }

  @Test
  func aConnectionLostWhileStepsArePostponedChangesNothingOfThat() {
    let script = ClientScript()
    script.welcome()
    script.dispatch(3)
    _ = script.takeSent()
    script.refuseForNow(1)
    script.lose()
    script.welcome(lastN: 3)
    #expect(script.takeSentNumbers() == [2, 3, 4])
  }

  @Test
  func eachRefusalForTheMomentLengthensTheWait() {
    let script = ClientScript(window: 1)
    script.welcome()
    script.dispatch()
    var waits: [Int64] = []
    for n in 1...6 {
      script.refuseForNow(Int64(n))
      let before = script.nowMs
      while script.takeSentNumbers() != [Int64(n) + 1] {
        script.pass(10)
        guard script.nowMs - before < 60_000 else { break }
      }
      waits.append(script.nowMs - before)
    }
    #expect(waits.first.map { $0 <= 110 } == true)
    #expect(waits.last.map { $0 >= 1_000 } == true)
  }

  @Test
  func aLineTooLongForTheDaemonIsRefusedHereAndTheOthersGoOn() {
    let script = ClientScript()
    script.welcome(maxLine: 200)
    script.dispatch()
    let long = String(repeating: "x", count: 300)
    script.ask {
      _ = $0.dispatch([["type": "doc/set", "payload": .string(long)]], preconditions: [])
    }
    script.dispatch()
    #expect(script.takeSentNumbers() == [1, 3])
    script.ack(1, seq: 1)
    script.ack(3, seq: 2)
    #expect(
      script.takeEvents() == [
        "live", "step 1 is line_too_long", "step 0 is seq 1", "step 2 is seq 2",
      ])
  }

  @Test
  func anErrorWithoutAnIdIsAboutTheFirstStepOnItsWay() {
    let script = ClientScript()
    script.welcome()
    script.dispatch(2)
    script.say(["op": "error", "code": "too_deep", "message": "m"])
    script.ack(2, seq: 1)
    #expect(script.takeEvents() == ["live", "step 0 is too_deep", "step 1 is seq 1"])
  }

  @Test
  func anOutcomeOfAnotherNumberSettlesNothing() {
    let script = ClientScript()
    script.welcome()
    script.dispatch()
    script.ack(7, seq: 1)
    #expect(script.session.unsettledStepCount == 1)
  }

  @Test
  func aStepWhoseRefusalForTheMomentWasLostIsSentAnew() {
    let script = ClientScript()
    script.welcome()
    script.dispatch(2)
    // The first is refused, the second taken, and neither is heard.
    script.lose()
    _ = script.takeSent()
    script.welcome(lastN: 2)
    #expect(script.takeSentNumbers() == [1, 2])
    script.say(["op": "reject", "n": 1, "code": "outcome_unknown", "message": "m"])
    script.say(["op": "ack", "n": 2, "seq": 1, "changed": true, "duplicate": true])
    script.pass(10)
    #expect(script.takeSentNumbers() == [3])
    script.ack(3, seq: 2)
    #expect(
      script.takeEvents() == ["live", "waiting", "live", "step 1 is seq 1", "step 0 is seq 2"])
  }

  @Test(arguments: [(1_001, 0), (5, 8 * 86_400_000)] as [(Int64, Int64)])
  func anOutcomeThatMayHaveBeenForgottenIsUnknown(lastN: Int64, lateMs: Int64) {
    let script = ClientScript()
    script.welcome()
    script.dispatch()
    script.lose()
    script.pass(lateMs)
    script.welcome(lastN: lastN)
    script.say(["op": "reject", "n": 1, "code": "outcome_unknown", "message": "m"])
    #expect(script.takeEvents().last == "step 0 is outcome_unknown")
    script.dispatch()
    #expect(script.takeSentNumbers().last == lastN + 1)
  }

  @Test
  func anUnknownOutcomeOfANumberThatIsNewIsTheEndOfAStep() {
    let script = ClientScript()
    script.welcome()
    script.dispatch()
    script.say(["op": "reject", "n": 1, "code": "outcome_unknown", "message": "m"])
    #expect(script.takeEvents().last == "step 0 is outcome_unknown")
  }
}
