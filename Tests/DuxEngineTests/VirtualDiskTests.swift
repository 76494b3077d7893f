import DuxEngine
import DuxLog
import DuxStore
import Simulation
import Testing

struct VirtualDiskTests {
  private func row(_ key: String, _ number: UInt8 = 0) -> OutboxRow {
    OutboxRow(key: key, bytes: [number])
  }

  @Test func `a simulated disk keeps outbox and version as the real one does`() throws {
    let limits = StateLimits(maximumDepth: 64, maximumBytes: 1 << 20)
    let disk = VirtualDisk(
      epoch: "e", store: try HostedApp(DocumentApp(limits: limits), limits: limits))
    #expect(disk.appVersion == 1)
    var seen = 0
    disk.onCommit = { seen += $0.outbox.count }
    disk.append(
      Commit(
        entries: [], outcomes: [], outbox: [.put(row("b")), .put(row("a")), .put(row("c"))],
        appVersion: 3, time: 1))
    disk.append(
      Commit(
        entries: [], outcomes: [],
        outbox: [
          .put(row("a", 1)), .remove(key: "b"), .remove(key: "x"), .put(row("e\u{301}")),
          .put(row("\u{e9}")), .put(row("b", 2)),
        ], time: 2))
    #expect(disk.appVersion == 3)
    #expect(
      disk.outbox == [row("a", 1), row("c"), row("e\u{301}"), row("\u{e9}"), row("b", 2)])
    #expect(seen == 9)
  }
}
