import Foundation
import Testing

@testable import dux

@Suite struct HistoryTests {
  private func take<T>(_ history: inout History, _ body: (inout History) -> T) -> T {
    body(&history)
  }

  @Test func linesComeBackNewestFirstAndAtLastWhatWasBeingWritten() {
    var history = History(["one", "two"])
    #expect(take(&history) { $0.previous(showing: "thr") } == "two")
    #expect(take(&history) { $0.previous(showing: "two") } == "one")
    #expect(take(&history) { $0.previous(showing: "one") } == nil)
    #expect(take(&history) { $0.next() } == "two")
    #expect(take(&history) { $0.next() } == "thr")
    #expect(take(&history) { $0.next() } == nil)
  }

  @Test func aLineThatIsEnteredTwiceIsKeptOnce() {
    var history = History()
    #expect(take(&history) { $0.append("a") })
    #expect(!take(&history) { $0.append("a") })
    #expect(!take(&history) { $0.append("") })
    #expect(history.lines == ["a"])
  }

  @Test func onlySoManyLinesAreKept() {
    var history = History((0..<5_000).map(String.init))
    #expect(history.lines.count == History.limit)
    history.append("last")
    #expect(history.lines.count == History.limit && history.lines.last == "last")
  }

  @Test func linesAreKeptInAFileThatOnlyItsOwnerReads() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("dux-history-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = try #require(HistoryFile(environment: ["XDG_STATE_HOME": folder]))
    #expect(file.read() == [])
    #expect(file.append("set /a 1") == nil)
    #expect(file.append("set /ä 2") == nil)
    #expect(file.read() == ["set /a 1", "set /ä 2"])
    let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/dux/history")
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func aHistoryThatCanNotBeKeptIsNoFault() throws {
    #expect(HistoryFile(environment: [:]) == nil)
    let file = try #require(HistoryFile(environment: ["XDG_STATE_HOME": "/proc/nowhere"]))
    #expect(file.append("x") != nil)
    #expect(file.read() == [])
  }
}
