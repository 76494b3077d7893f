import DuxEngine
import DuxJSON
import DuxLog
import DuxStore
import Testing

struct ClientOptimisticTests {
  @Test
  func aStepShowsBeforeTheDaemonHasHeardOfIt() {
    let desk = ClientDesk()
    desk.ask(.add(2))
    #expect(desk.sums == [0, 2])
    #expect(desk.view.pendingCount == 1)
  }

  @Test
  func thePatchOfAnOwnStepTakesThePlaceOfWhatWasForeseen() {
    let desk = ClientDesk()
    desk.welcome()
    desk.snapshot(10, seq: 3)
    desk.ask(.add(2))
    #expect(desk.sums == [10, 12])
    desk.patch(12, seq: 4, n: 1)
    #expect(desk.sums == [12, 12])
    #expect(desk.takeSettled() == [])
    desk.script.ack(1, seq: 4)
    #expect(desk.takeSettled() == ["0 is seq 4"])
    #expect(desk.view.pendingCount == 0)
  }

  @Test
  func othersStepsComeUnderneathThoseThatAreOnTheirWay() {
    let desk = ClientDesk()
    desk.welcome()
    desk.snapshot(10, seq: 3)
    desk.ask(.multiply(2))
    desk.ask(.add(1))
    #expect(desk.sums == [10, 21])
    desk.patch(15, seq: 4)
    #expect(desk.sums == [15, 31])
    desk.patch(30, seq: 5, n: 1)
    #expect(desk.sums == [30, 31])
  }

  @Test
  func aRejectionTakesAwayExactlyItsOwnStep() {
    let desk = ClientDesk()
    desk.welcome()
    desk.snapshot(10, seq: 3)
    for amount in [1, 20, 300] { desk.ask(.add(amount)) }
    desk.patch(11, seq: 4, n: 1)
    desk.script.ack(1, seq: 4)
    desk.reject(2)
    #expect(desk.sums == [11, 311])
    #expect(desk.takeSettled() == ["0 is seq 4", "1 is rejected"])
  }

  @Test
  func aStepThatTheReducerRefusesNowIsSentAllTheSameAndShowsNothing() {
    let desk = ClientDesk()
    desk.welcome()
    desk.snapshot(10, seq: 3)
    desk.ask(.add(1), .add(13))
    #expect(desk.sums == [10, 10])
    #expect(desk.script.takeSentNumbers() == [1])
    desk.reject(1)
    #expect(desk.takeSettled() == ["0 is rejected"])
  }

  @Test
  func namesGivenHereStayTheSameWhateverComesUnderneath() {
    let desk = ClientDesk()
    desk.welcome()
    desk.snapshot(0, seq: 3)
    desk.ask(.name)
    desk.ask(.name)
    let names = desk.view.state.names
    #expect(names.count == 2)
    for seq in 4...8 { desk.patch(0, seq: Int64(seq)) }
    #expect(desk.view.state.names == names)
    desk.reject(1)
    #expect(desk.view.state.names == Array(names.dropFirst()))
  }

  @Test
  func aStepShowsOnlyWhereItsConditionsHold() {
    let desk = ClientDesk()
    desk.welcome()
    desk.snapshot(10, seq: 3)
    desk.ask(.add(1), if: [["path": "/sum", "value": 10]])
    desk.ask(.add(5), if: [["path": "/sum", "value": 10]])
    desk.ask(.add(7), if: [["path": "/none", "missing": true]])
    #expect(desk.sums == [10, 18])
    desk.patch(11, seq: 4)
    #expect(desk.sums == [11, 18])
  }

  @Test
  func anAnswerBeforeThePatchLeavesTheStepShownUntilThePatchIsThere() {
    // After a new connection the steps come before the subscription, and so do their answers.
    let desk = ClientDesk()
    desk.welcome()
    desk.snapshot(10, seq: 3)
    desk.ask(.add(2))
    desk.script.lose()
    desk.welcome(lastN: 1)
    desk.script.ack(1, seq: 5)
    #expect(desk.sums == [10, 12])
    desk.resume(from: 3, seq: 5)
    desk.patch(11, seq: 4)
    #expect(desk.sums == [11, 13])
    #expect(desk.takeSettled() == [])
    desk.patch(13, seq: 5, n: 1)
    #expect(desk.sums == [13, 13])
    #expect(desk.takeSettled() == ["0 is seq 5"])
    #expect(desk.view.pendingCount == 0)
  }

  @Test
  func anAnswerIsToldWhenTheConnectionIsLostBeforeThePatch() {
    let desk = ClientDesk()
    desk.welcome()
    desk.snapshot(10, seq: 3)
    desk.ask(.add(2))
    desk.script.lose()
    desk.welcome(lastN: 1)
    desk.script.ack(1, seq: 5)
    desk.script.lose()
    #expect(desk.takeSettled() == ["0 is seq 5"])
    #expect(desk.sums == [10, 12])
    desk.welcome(lastN: 1)
    desk.resume(from: 3, seq: 5)
    desk.patch(10, seq: 4)
    desk.patch(12, seq: 5, n: 1)
    #expect(desk.sums == [12, 12])
    #expect(desk.takeSettled() == [])
    #expect(desk.view.pendingCount == 0)
  }

  @Test
  func aSnapshotThatMayHoldStepsOfOursIsShownOnceThatIsKnown() {
    let desk = ClientDesk()
    desk.welcome()
    desk.snapshot(10, seq: 3)
    for amount in [1, 20, 300] { desk.ask(.add(amount)) }
    desk.snapshot(31, seq: 6, reason: "lagged")
    #expect(desk.sums == [10, 331])
    // What is asked meanwhile shows too.
    desk.ask(.add(4_000))
    #expect(desk.sums == [10, 4_331])
    desk.script.ack(1, seq: 4)
    desk.script.ack(2, seq: 6)
    #expect(desk.sums == [10, 4_331])
    #expect(desk.takeSettled() == [])
    desk.patch(331, seq: 7, n: 3)
    #expect(desk.sums == [331, 4_331])
    #expect(desk.takeSettled() == ["0 is seq 4", "1 is seq 6"])
  }

  @Test
  func aRejectionWhileTheViewStandsStillTakesAwayItsOwnStep() {
    let desk = ClientDesk()
    desk.welcome()
    desk.snapshot(10, seq: 3)
    for amount in [1, 20] { desk.ask(.add(amount)) }
    desk.snapshot(30, seq: 6, reason: "lagged")
    desk.reject(1)
    #expect(desk.sums == [10, 30])
    desk.script.ack(2, seq: 5)
    #expect(desk.sums == [30, 30])
  }

  @Test
  func aStepRefusedForTheMomentIsInNoSnapshot() {
    let desk = ClientDesk()
    desk.welcome()
    desk.snapshot(10, seq: 3)
    desk.ask(.add(1))
    desk.snapshot(50, seq: 6, reason: "lagged")
    #expect(desk.sums == [10, 11])
    desk.script.refuseForNow(1)
    #expect(desk.sums == [50, 51])
    desk.script.pass(200)
    desk.patch(51, seq: 7, n: 2)
    desk.script.ack(2, seq: 7)
    #expect(desk.sums == [51, 51])
    #expect(desk.takeSettled() == ["0 is seq 7"])
  }

  @Test
  func aStepTakenBeforeTheCutIsInTheSnapshotAfterIt() {
    let desk = ClientDesk()
    desk.welcome()
    desk.snapshot(10, seq: 3)
    desk.ask(.add(1))
    desk.ask(.add(20))
    desk.script.lose()
    desk.welcome(lastN: 1)
    desk.script.ack(1, seq: 4)
    desk.script.ack(2, seq: 900)
    desk.snapshot(500, seq: 900, reason: "compacted")
    #expect(desk.sums == [500, 500])
    #expect(desk.takeSettled() == ["0 is seq 4", "1 is seq 900"])
  }

  @Test
  func stepsLiveOnIntoAnotherEpochAndThoseOfTheLostOneDoNot() {
    let desk = ClientDesk()
    desk.welcome()
    desk.snapshot(10, seq: 3)
    desk.ask(.add(1))
    desk.ask(.add(20))
    desk.ask(.add(300))
    // The first is taken and answered, the second is taken and not answered.
    desk.patch(11, seq: 4, n: 1)
    desk.script.ack(1, seq: 4)
    desk.patch(31, seq: 5, n: 2)
    #expect(desk.sums == [31, 331])
    desk.script.lose()
    desk.welcome(lastN: 0, epoch: "f")
    #expect(desk.script.takeSentNumbers().suffix(2) == [2, 3])
    desk.snapshot(1_000, seq: 1, reason: "epoch", epoch: "f")
    #expect(desk.sums == [31, 331])
    desk.script.refuseForNow(2)
    desk.script.refuseForNow(3)
    #expect(desk.sums == [1_000, 1_320])
    #expect(desk.takeSettled() == ["0 is seq 4"])
  }

  @Test
  func aStepThatTheStateShownHoldsIsNotAddedWhenAnotherEpochTakesItAnew() {
    let desk = ClientDesk()
    desk.welcome()
    desk.snapshot(10, seq: 3)
    desk.ask(.add(1))
    desk.patch(11, seq: 4, n: 1)
    desk.script.lose()
    desk.welcome(epoch: "f")
    desk.script.ack(1, seq: 2)
    #expect(desk.sums == [11, 11])
    desk.snapshot(501, seq: 2, reason: "epoch", epoch: "f")
    #expect(desk.sums == [501, 501])
    #expect(desk.takeSettled() == ["0 is seq 2"])
  }

  @Test
  func aSnapshotOfALostEpochThatWasNotShownYetNeverIs() {
    let desk = ClientDesk()
    desk.welcome()
    desk.snapshot(10, seq: 3)
    desk.ask(.add(1))
    // It may hold the step, and what another epoch says of the step can't tell.
    desk.snapshot(11, seq: 6, reason: "lagged")
    desk.script.lose()
    desk.welcome(epoch: "f")
    desk.script.ack(1, seq: 2)
    #expect(desk.sums == [10, 11])
    desk.snapshot(501, seq: 2, reason: "epoch", epoch: "f")
    #expect(desk.sums == [501, 501])
  }

  @Test
  func aStateThatDoesNotFitIsAFaultThatNamesThePlace() {
    let desk = ClientDesk()
    desk.welcome()
    desk.snapshot(10, seq: 3)
    desk.script.say([
      "op": "patch", "path": "", "seq": 4, "time": 1, "client": "tty2",
      "patch": [["op": "replace", "path": "/sum", "value": "ten"]],
    ])
    #expect(desk.view.fault?.code == EndReason.stateMismatch)
    #expect(desk.view.fault?.message.contains("/sum") == true)
    #expect(desk.sums == [10, 10])
  }

  @Test
  func theEndOfTheSessionSettlesWhatIsOpen() {
    let desk = ClientDesk()
    desk.welcome()
    desk.snapshot(10, seq: 3)
    desk.ask(.add(1))
    desk.ask(.add(2))
    desk.patch(11, seq: 4, n: 1)
    desk.script.ack(1, seq: 4)
    desk.script.say(["op": "bye", "code": "replaced", "message": "m"])
    #expect(desk.takeSettled() == ["0 is seq 4", "1 is unknown, replaced"])
    #expect(desk.sums == [11, 11])
    desk.ask(.add(4))
    #expect(desk.takeSettled() == ["2 is replaced"])
    #expect(desk.sums == [11, 11])
  }

  @Test
  func aStepThatWasNeverSentCanBeTakenBack() {
    let desk = ClientDesk(window: 1)
    desk.welcome()
    desk.snapshot(10, seq: 3)
    let first = desk.ask(.add(1))
    let second = desk.ask(.add(20))
    #expect(!desk.script.ask { $0.cancel(first) })
    #expect(desk.script.ask { $0.cancel(second) })
    #expect(!desk.script.ask { $0.cancel(second) })
    #expect(desk.sums == [10, 11])
    #expect(desk.takeSettled() == ["1 is cancelled"])
    desk.script.lose()
    // What was sent once may have been taken.
    #expect(!desk.script.ask { $0.cancel(first) })
    desk.welcome()
    #expect(desk.script.takeSentNumbers() == [1, 1])
  }

  @Test
  func whatIsAskedBeyondTheLimitsIsRefusedAtOnce() {
    let desk = ClientDesk(limits: .init(steps: 2, bytes: 1_000))
    desk.ask(.add(1))
    desk.ask(.add(2))
    desk.ask(.add(4))
    #expect(desk.takeSettled() == ["2 is queue_full"])
    #expect(desk.sums == [0, 3])
    let narrow = ClientDesk(limits: .init(steps: 100, bytes: 60))
    narrow.ask(.add(1))
    narrow.ask(.add(2))
    narrow.ask(.add(4))
    #expect(narrow.takeSettled() == ["2 is queue_full"])
    narrow.welcome()
    narrow.snapshot(3, seq: 2)
    narrow.script.ack(1, seq: 1)
    narrow.script.ack(2, seq: 2)
    narrow.ask(.add(5))
    #expect(narrow.sums == [3, 8])
  }

  @Test
  func aCopyBelowTheRootIsKnownToHoldAStepByItsAnswer() throws {
    let path = try JSONPointer("/a")
    var view = OptimisticState(
      ClientModel.untyped(at: path), path: path, client: "tty1", limits: QueueLimits())
    let script = ClientScript()
    var settled: [SettledStep] = []
    script.onEvents = { settled += view.take($0) }
    script.ask { $0.subscribe(to: path, withActions: false) }
    script.welcome()
    script.say(["op": "snapshot", "path": "/a", "epoch": "e", "seq": 3, "state": 1])
    let asked = view.ask([try WireAction(["type": "doc/set"])], if: [])
    script.ask { $0.dispatch([["type": "doc/set"]], preconditions: [], as: asked.token) }
    // It changes nothing at the path, so no patch comes.
    script.ack(1, seq: 4)
    #expect(settled.map(\.outcome) == [.confirmed(seq: SequenceNumber(4), changed: true)])
    #expect(view.pendingCount == 0)
    #expect(view.state == 1)
  }

  @Test
  func aDocumentIsForeseenOnlyWhereOneIsServed() throws {
    for (app, count) in [("document", 3), ("ledger", 1)] as [(JSON, Int64)] {
      var view = OptimisticState(
        ClientModel.untyped(at: .root), path: .root, client: "tty1", limits: QueueLimits())
      let script = ClientScript()
      script.onEvents = { _ = view.take($0) }
      script.ask { $0.subscribe(to: .root, withActions: false) }
      script.connect()
      script.say([
        "op": "welcome", "protocol": 1, "app": app, "epoch": "e", "seq": 0, "client": "tty1",
        "lastN": 0, "maxLine": 1_000, "heartbeatMs": 15_000,
      ])
      script.say(["op": "snapshot", "path": "", "epoch": "e", "seq": 3, "state": ["n": 1]])
      _ = view.ask(
        [try WireAction(["type": "doc/increment", "payload": ["path": "/n", "by": 2]])], if: [])
      #expect(view.state["n"] == .integer(count))
    }
  }
}
