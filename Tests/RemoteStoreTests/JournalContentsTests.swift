import DuxEngine
import Testing

@testable import DuxClient

/// What a journal has still to forget.
struct JournalContentsTests {
  private static func token(_ index: Int) -> RequestToken { RequestToken(index: index) }

  private static func keep(_ index: Int) -> JournalChange {
    .keep(
      QueuedStep(token: token(index), n: nil, numberedMs: nil, actions: [], preconditions: []))
  }

  private static func forget(_ index: Int) -> JournalChange { .forget(token(index)) }

  private func forgotten(_ changes: [JournalChange]) -> [Int] {
    changes.compactMap { if case .forget(let token) = $0 { token.index } else { nil } }
  }

  @Test func aStepThatCouldNotBeForgottenIsForgottenByTheNextWrite() {
    var contents = JournalContents([Self.token(0)])
    contents.note(written: [Self.keep(1), Self.keep(2)])
    contents.note(failed: [Self.forget(1), Self.keep(3), Self.forget(0)])
    let next = contents.withOverdue([Self.forget(2)])
    #expect(forgotten(next) == [0, 1, 2])
    contents.note(failed: next)
    #expect(forgotten(contents.withOverdue([])) == [0, 1, 2])
    contents.note(written: next)
    #expect(contents.withOverdue([]).isEmpty)
  }

  @Test func aStepThatWasNeverWrittenIsNotRemembered() {
    var contents = JournalContents([])
    for index in 0..<100 { contents.note(failed: [Self.keep(index), Self.forget(index)]) }
    #expect(contents.withOverdue([]).isEmpty)
  }
}
