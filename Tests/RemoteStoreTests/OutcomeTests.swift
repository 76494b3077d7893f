import Testing

@testable import DuxClient

struct OutcomeTests {
  @Test func peopleAreToldOfWhatDidNotHappenOrMayNotHave() {
    let refusal = RemoteRefusal(code: "rejected", reason: "empty", message: "it says something")
    #expect(RemoteOutcome.rejected(refusal).problem == refusal)
    let end = EndReason(code: "wrong_app", message: "another app is served")
    #expect(RemoteOutcome.unknown(end).problem?.message.contains("another app is served") == true)
    #expect(RemoteOutcome.confirmed(Confirmation(seq: 1, changed: true)).problem == nil)
    #expect(RemoteOutcome.cancelled.problem == nil)
  }
}
