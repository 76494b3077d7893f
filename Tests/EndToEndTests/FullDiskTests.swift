import DuxJSON
import Testing

// Only the superuser can mount the small disk that these need.
@Suite(.serialized, .enabled(if: SmallDisk.isPossible))
struct FullDiskTests {
  @Test func aFullDiskRefusesWritesForTheMomentAndNothingElse() throws {
    let disk = try SmallDisk(megabytes: 8)
    let daemon = try DaemonProcess(data: disk.path + "/data")
    let writer = try Client(daemon, named: "writer")
    let watcher = try Client(daemon, named: "watcher")
    try watcher.send(.subscribe(""))
    _ = try watcher.next("snapshot")
    let head = try writer.accepted(.set("/a", 1), n: 1)
    _ = try watcher.next("patch")

    disk.fill()
    let refusal = try writeUntilRefused(writer, from: 2)
    #expect(refusal.answer["code"] == "storage_full")
    #expect(refusal.answer["final"] == false)
    #expect(try writer.ask(["op": "status"])["readOnly"] == true)
    #expect(try writer.get("/a").value == 1)
    #expect(try writer.log(after: 0).first?.seq == head)
    let last = refusal.n - 1
    for seq in 2..<last + 1 { #expect(try watcher.next("patch")["seq"] == .integer(seq)) }

    disk.free()
    try writeUntilTaken(writer, n: refusal.n)
    #expect(try watcher.next("patch")["seq"] == .integer(last + 1))
    #expect(try writer.ask(["op": "status"])["readOnly"] == false)
    let log = try writer.log()
    #expect(Laws.totalOrder(log).isEmpty)
    try #expect(Laws.exactRecovery(log, state: writer.get().value).isEmpty)
  }

  @Test func aStartOnAFullDiskServesReadsAndTakesWritesLater() throws {
    let disk = try SmallDisk(megabytes: 8)
    let daemon = try DaemonProcess(data: disk.path + "/data")
    let writer = try Client(daemon, named: "writer")
    try writer.accepted(.set("/a", 1), n: 1)
    disk.fill()
    let refusal = try writeUntilRefused(writer, from: 2)
    for crash in [true, false] {
      if crash { try daemon.kill() } else { try #expect(daemon.stop() == .code(0)) }
      disk.fill()
      try daemon.start()
      let reader = try Client(daemon, named: "reader")
      #expect(try reader.get("/a").value == 1)
      #expect(try reader.get().seq == refusal.n - 1)
    }
    let again = try Client(daemon, named: "writer")
    #expect(try writeUntilRefused(again, from: refusal.n).answer["code"] == "storage_full")
    disk.free()
    try writeUntilTaken(again, n: refusal.n)
  }

  @Test func aRetryBehindARefusedWriteStillGetsItsOutcome() throws {
    let disk = try SmallDisk(megabytes: 8)
    let daemon = try DaemonProcess(data: disk.path + "/data")
    let writer = try Client(daemon, named: "writer")
    try writer.accepted(.set("/a", 1), n: 1)
    #expect(try writer.dispatch(.remove("/nothing"), n: 2)["reason"] == "missing")
    disk.fill()
    let refusal = try writeUntilRefused(writer, from: 3)
    // For a second after a refusal nothing is tried; long enough to meet a commit that fails anew.
    let start = ContinuousClock.now
    while ContinuousClock.now - start < .seconds(2.5) {
      let big = JSON.dispatch(
        [.set("/b", .string(String(repeating: "x", count: 900_000)))], n: refusal.n)
      let retries = [
        JSON.dispatch([.set("/a", 1)], n: 1), .dispatch([.remove("/nothing")], n: 2),
      ]
      try writer.send(raw: ([big] + retries).flatMap { $0.bytes + [10] })
      let answers = try (0..<3).map { _ in try writer.next() }
      #expect(answers[0]["code"] == "storage_full")
      #expect(answers[1]["op"] == "ack" && answers[1]["duplicate"] == true, "\(answers[1])")
      #expect(answers[2]["reason"] == "missing" && answers[2]["duplicate"] == true, "\(answers[2])")
    }
  }

  @Test(arguments: [Seed(3)])
  func theLawsHoldThroughFullDisks(seed: Seed) throws {
    let disk = try SmallDisk(megabytes: 16)
    let scenario = try Scenario(
      DaemonProcess(data: disk.path + "/data"), seed: seed, dispatchesEach: 200,
      within: .seconds(120))
    var broken: [String] = []
    for round in 0..<8 {
      try scenario.runForAWhile(20...100)
      disk.fill()
      let before = scenario.writers.map(\.fullCount).reduce(0, +)
      try scenario.run {
        !scenario.isBusy
          || scenario.writers.map(\.fullCount).reduce(0, +) > before
      }
      if round % 2 == 1 { broken += try scenario.killAndStart() }
      disk.free()
    }
    #expect(scenario.writers.contains { $0.fullCount > 0 })
    broken += try scenario.finish()
    #expect(broken.isEmpty, "\(broken.joined(separator: "\n"))")
  }

  /// Numbered writes until the disk has no room for one.
  private func writeUntilRefused(_ client: Client, from start: Int64) throws -> (
    n: Int64, answer: JSON
  ) {
    for n in start..<start + 10_000 {
      let answer = try client.dispatch(
        .set("/filler", .string(String(repeating: "x", count: 4_000) + "\(n)")), n: n)
      if answer["op"] == "reject" { return (n, answer) }
    }
    throw Unexpected("the disk is never full")
  }

  /// The same write until there is room again.
  private func writeUntilTaken(_ client: Client, n: Int64) throws {
    let deadline = Deadline()
    while true {
      let answer = try client.dispatch(.set("/filler", "y"), n: n)
      if answer["op"] == "ack" { return }
      guard answer["final"] == false, !deadline.hasPassed else { throw Unexpected("\(answer)") }
    }
  }
}
