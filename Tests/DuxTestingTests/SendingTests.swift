import DuxStore
import DuxTesting
import Testing

struct SendingTests {
  @Test func aClosureMakesTheStateAfterOfThatBefore() async {
    let store = TestStore.shop()
    await store.send(.add(2)) { $0.count = 2 }
    await store.send(.add(3)) { $0.count += 3 }
    await store.send(.nothing)
    #expect(store.state.count == 5)
    await store.finish()
  }

  @Test func anotherStateIsToldPlaceByPlace() async {
    let complaints = Complaints()
    let store = TestStore.shop(complaints)
    await store.send(.mark("a")) {
      $0.rows["a"] = Shop.Row(done: false, text: "")
      $0.name = "x"
    }
    #expect(
      complaints.failures == [
        """
        .mark("a") leads to another state:
          /name: expected "x", actual null
          /rows/a/done: expected false, actual true
        """
      ])
    await store.finish()
  }

  @Test func aChangeThatNothingIsSaidOfFails() async {
    let complaints = Complaints()
    let store = TestStore.shop(complaints)
    await store.send(.add(1))
    #expect(
      complaints.failures == [
        """
        .add(1) changes the state and the test says nothing of it:
          /count: was 0, is 1
        Write: await store.send(.add(1)) { $0.count = 1 }
        """
      ])
    #expect(complaints.issues.first?.sourceLocation.line == #line - 9)
    await store.finish()
  }

  @Test func aPartOfAChangeIsNotEnough() async {
    let complaints = Complaints()
    let store = TestStore.shop(complaints)
    await store.send(.load) { $0.count = 0 }
    #expect(
      complaints.failures == [
        """
        .load leads to another state:
          /isLoading: expected false, actual true
        """
      ])
    await store.receive(.loaded(["Alien", "Brazil"])) {
      $0.isLoading = false
      $0.titles = ["Alien", "Brazil"]
    }
    await store.finish()
    #expect(complaints.failures.count == 1)
  }

  @Test func aClosureThatChangesNothingFails() async {
    let complaints = Complaints()
    let store = TestStore.shop(complaints)
    await store.send(.nothing) { $0.count = 0 }
    #expect(
      complaints.failures == [
        ".nothing changes nothing, and nor does its closure; write: await store.send(.nothing)"
      ])
    await store.finish()
  }

  @Test func aClosureThatThrowsFails() async {
    let complaints = Complaints()
    let store = TestStore.shop(complaints)
    struct Broken: Error {}
    await store.send(.nothing) { _ in throw Broken() }
    #expect(complaints.failures == ["the closure for .nothing throws: Broken()"])
    await store.finish()
  }

  @Test func sendingWhileActionsAreNotReceivedFails() async {
    let complaints = Complaints()
    let store = TestStore.shop(complaints)
    await store.send(.both(1, 2))
    let line = #line - 1
    await store.send(.rename("x")) { $0.name = "x" }
    #expect(
      complaints.failures == [
        """
        2 actions of effects must be received before sending .rename("x"):
          .add(1), follow-up of .both(1, 2) at SendingTests.swift:\(line)
          .add(2), follow-up of .both(1, 2) at SendingTests.swift:\(line)
        Write before it: await store.receive(.add(1))
        """
      ])
    #expect(store.state.count == 3)
    await store.finish()
  }

  @Test func aRejectedActionLeavesTheStateAsItIs() async {
    let store = TestStore.shop()
    await store.send(.refuse, rejected: "unwanted")
    await store.send(.refuse, rejected: "unwanted", message: "refuse is always refused")
    await store.finish()
    #expect(store.log.isEmpty)
  }

  @Test func anUnexpectedRejectionIsTold() async {
    let complaints = Complaints()
    let store = TestStore.shop(complaints)
    await store.send(.refuse)
    await store.send(.refuse, rejected: "else", message: "no")
    await store.send(.nothing, rejected: "unwanted")
    #expect(
      complaints.failures == [
        """
        .refuse was rejected: refuse is always refused (unwanted)
        If it should be, write: await store.send(.refuse, rejected: "unwanted")
        """,
        ".refuse was rejected with the reason \"unwanted\", expected \"else\"",
        ".refuse was rejected with the message \"refuse is always refused\", expected \"no\"",
        ".nothing was accepted; expected it to be rejected: \"unwanted\"",
      ])
    await store.finish()
  }

  @Test func statesThatAreNoJSONAreComparedByReflection() async {
    struct Plain: Reducer {
      struct State: Equatable, Sendable {
        struct Point: Equatable, Sendable { var x = 0 }
        var point = Point()
        var names = ["a"]
        var choice: Choice?
      }
      enum Choice: Equatable, Sendable { case one(Int) }
      enum Action: Sendable { case move }
      func reduce(into state: inout State, action: Action) -> Effect<Action> {
        state.point.x = 1
        state.names.append("b")
        state.choice = .one(1)
        return .none
      }
    }
    let complaints = Complaints()
    let store = TestStore(initialState: Plain.State(), issues: { complaints.take($0) }) { Plain() }
    await store.send(.move)
    #expect(
      complaints.failures == [
        """
        .move changes the state and the test says nothing of it:
          /point/x: was 0, is 1
          /choice: was nil, is .one(1)
          /names/1: was nothing, is "b"
        Write: await store.send(.move) { … }
        """
      ])
    await store.finish()
  }

  @Test func theAuthorIsTheTestUnlessItSaysAnother() async {
    let store = TestStore.shop()
    await store.send(.nothing)
    await store.send(.nothing, by: "ann")
    #expect(store.log.map(\.context.author) == ["test", "ann"])
    await store.finish()
  }

  @Test func anElementPutBetweenOthersIsToldAsNew() async {
    let complaints = Complaints()
    let store = TestStore.shop(complaints)
    await store.send(.loaded(["Brazil"])) { $0.titles = ["Brazil"] }
    await store.send(.loaded(["Alien", "Brazil"]))
    #expect(
      complaints.failures == [
        """
        .loaded(["Alien", "Brazil"]) changes the state and the test says nothing of it:
          /titles/0: was nothing, is "Alien"
        Write: await store.send(.loaded(["Alien", "Brazil"])) { … }
        """
      ])
    await store.finish()
  }
}
