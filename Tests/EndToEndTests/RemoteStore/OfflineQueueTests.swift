import DuxClient
import DuxJSON
import DuxStore
import Glibc
import Testing

@testable import Todos

/// A program with an offline queue that is killed, on a real daemon.
struct OfflineQueueTests {
  private let daemon: DaemonProcess
  private let folder: TemporaryFolder

  init() throws {
    daemon = try DaemonProcess(["--app", "todos"])
    folder = try TemporaryFolder()
  }

  private func program(_ titles: [String] = []) throws -> ChildProcess {
    try ChildProcess(
      [programs + "/queue-program", "\(daemon.host):\(daemon.port)", folder("queue")] + titles,
      errorsPath: folder("stderr"))
  }

  private func titles() throws -> [String] {
    let state = try #require(try Client(daemon, named: nil).get().value)
    return try TodosApp().state(fromView: state).todos.map(\.title)
  }

  /// Reads on to a line.
  private func read(_ child: ChildProcess, to line: String) throws {
    while let next = try child.nextLine() {
      if next == line { return }
    }
    throw Unexpected("no line \(line): \(child.errors)")
  }

  private func kill(_ child: ChildProcess) throws {
    child.send(SIGKILL)
    try child.waitForEnd()
  }

  @Test func `steps that were never sent are sent by the next run`() throws {
    try daemon.stop()
    let expected = (0..<50).map { "todo \($0)" }
    let first = try program(expected)
    let name = try first.nextLine()
    try read(first, to: "saved")
    try kill(first)
    try daemon.start()
    let second = try program()
    #expect(try second.nextLine() == name)
    try read(second, to: "confirmed todo 49")
    #expect(try titles() == expected)
  }

  @Test func `steps that were sent and not answered take effect once`() throws {
    let first = try program(["before"])
    try read(first, to: "confirmed before")
    try kill(first)
    daemon.pause()
    let second = try program(["x", "y", "z"])
    try read(second, to: "saved")
    daemon.resume()
    try read(second, to: "confirmed x")
    try kill(second)
    let third = try program(["after"])
    try read(third, to: "confirmed after")
    #expect(try titles() == ["before", "x", "y", "z", "after"])
  }

  @Test func `a program killed again and again loses nothing and repeats nothing`() throws {
    var expected: [String] = []
    for round in 0..<10 {
      let titles = (0..<20).map { "\(round)/\($0)" }
      expected += titles
      let child = try program(titles)
      try read(child, to: "saved")
      for _ in 0..<round * 2 { _ = try child.nextLine() }
      if round == 5 { try daemon.killAndStart() }
      try kill(child)
    }
    let last = try program(["last"])
    try read(last, to: "confirmed last")
    #expect(try titles() == expected + ["last"])
  }

  @Test func `a step that is refused is told, and the others go on`() throws {
    try daemon.stop()
    let first = try program(["a", "", "b"])
    try read(first, to: "saved")
    try kill(first)
    try daemon.start()
    let second = try program()
    var lines: [String] = []
    while lines.count < 5, let line = try second.nextLine() { lines.append(line) }
    #expect(
      Set(lines.dropFirst())
        == ["saved", "confirmed a", "rejected : empty_title", "confirmed b"])
    #expect(try titles() == ["a", "b"])
    try kill(second)
    let third = try program(["c"])
    while lines.last != "confirmed c", let line = try third.nextLine() { lines.append(line) }
    // The kill may have come before the queue had forgotten it: it is then told once more.
    #expect(lines.filter { $0.hasPrefix("rejected") }.count <= 2)
    #expect(try self.titles() == ["a", "b", "c"])
  }

  @Test func `a queue is of one program at a time`() throws {
    let first = try program()
    try read(first, to: "saved")
    let second = try program()
    #expect(try second.waitForEnd() != .code(0))
    #expect(second.errors.contains(folder("queue")), "\(second.errors)")
    #expect(second.errors.contains("\(first.pid)"), "\(second.errors)")
  }

  @Test(.enabled(if: SmallDisk.isPossible))
  func `a step that a full disk can't keep is refused, and the next one is kept`() async throws {
    let disk = try SmallDisk(megabytes: 4)
    let store = try RemoteStore(
      TodosApp(), at: daemon.address,
      options: ClientOptions(offlineQueue: disk.path + "/queue"))
    try await store.connected()
    _ = try await store.dispatch(.add("before")).confirmed
    disk.fill()
    let big = (0..<100).map { store.dispatch(.add("\($0)" + String(repeating: "x", count: 190))) }
    var kept = 0
    for receipt in big {
      do {
        _ = try await receipt.confirmed
        kept += 1
      } catch let refusal as RemoteRefusal {
        #expect(refusal.code == "queue_failed", "\(refusal)")
        #expect(refusal.message.contains(disk.path), "\(refusal)")
      }
    }
    #expect(kept < 100)
    disk.free()
    _ = try await store.dispatch(.add("after")).confirmed
    #expect(try titles().count == kept + 2)
    #expect(store.state.todos.count == kept + 2)
  }
}
