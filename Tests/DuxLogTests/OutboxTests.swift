import DuxLog
import Testing

struct OutboxTests {
  @Test func `rows are the same when their bytes are`() {
    let row = OutboxRow(key: "e\u{301}", bytes: [1])
    #expect(row == OutboxRow(key: "e\u{301}", bytes: [1]))
    #expect(row != OutboxRow(key: "\u{e9}", bytes: [1]))
    #expect(row != OutboxRow(key: "e\u{301}", bytes: [2]))
    #expect(Set([row, row, OutboxRow(key: "\u{e9}", bytes: [1])]).count == 2)
  }

  @Test func `a change names its key`() {
    #expect(OutboxChange.put(OutboxRow(key: "a", bytes: [])).key == "a")
    #expect(OutboxChange.remove(key: "b").key == "b")
  }

  @Test func `a commit of any one part is not empty`() {
    var commit = Commit(entries: [], outcomes: [], time: 7)
    #expect(commit.isEmpty)
    commit.outbox = [.remove(key: "a")]
    #expect(!commit.isEmpty)
    commit = Commit(entries: [], outcomes: [], appVersion: 1, time: 7)
    #expect(!commit.isEmpty)
  }
}
