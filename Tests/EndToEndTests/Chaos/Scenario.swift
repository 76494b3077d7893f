import DuxJSON
import Glibc

/// Writers and watchers around one daemon, driven by one thread, with faults at moments that a seed
/// chooses.
final class Scenario {
  let daemon: DaemonProcess
  let writers: [Writer]
  let watchers: [Watcher]
  var random: Seed
  private let deadline: Deadline
  private(set) var messageCount = 0
  /// The largest seq that anyone was told.
  private var told: Int64 = 0

  init(_ daemon: DaemonProcess, seed: Seed, dispatchesEach: Int, within limit: Duration) throws {
    self.daemon = daemon
    random = seed
    deadline = Deadline(limit)
    writers = (0..<4).map {
      Writer(name: "writer\($0)", seed: seed.value &+ UInt64($0), count: dispatchesEach)
    }
    watchers = [
      Watcher(name: "root", path: ""),
      Watcher(name: "list", path: "/lists/writer1"),
      Watcher(name: "actions", path: "", wantsActions: true),
    ]
    try Client(daemon, named: "first").accepted(.set("", Writer.initialState(writers)))
  }

  private var participants: [any Participant] { writers + watchers }

  /// Whether someone still has something to write.
  var isBusy: Bool { !writers.allSatisfy(\.isDone) }

  // Running.

  /// Lets everyone go on until something holds.
  func run(until condition: () -> Bool) throws {
    while !condition() {
      if deadline.hasPassed {
        throw Unexpected("too slow: \(messageCount) messages, told \(told); \(daemon.errors)")
      }
      try turn(waitMilliseconds: 100)
    }
  }

  /// Lets everyone go on for a number of messages that the seed chooses, or to the end.
  func runForAWhile(_ range: ClosedRange<Int>) throws {
    let goal = messageCount + Int.random(in: range, using: &random)
    try run { self.messageCount >= goal || !self.isBusy }
  }

  /// Once round everyone; at most so long where nobody has anything to do.
  func turn(waitMilliseconds: Int32) throws {
    for participant in participants where participant.socket == nil {
      participant.connect(to: daemon)
    }
    wait(waitMilliseconds)
    for participant in participants {
      participant.socket?.flush()
      try receive(participant)
      participant.socket?.flush()
    }
  }

  private func wait(_ milliseconds: Int32) {
    var wanted = participants.compactMap(\.socket).map { socket in
      pollfd(
        fd: socket.descriptor, events: Int16(POLLIN | (socket.hasUnsent ? POLLOUT : 0)), revents: 0)
    }
    _ = poll(&wanted, nfds_t(wanted.count), milliseconds)
  }

  private func receive(_ participant: any Participant) throws {
    for message in try participant.receive() {
      messageCount += 1
      told = max(told, message["seq"]?.integerValue ?? 0)
    }
  }

  // Faults.

  /// Ends the connection of someone.
  func cutSomeone() {
    participants.randomElement(using: &random)?.cut()
  }

  /// Ends the daemon as a crash does, and starts it again.
  ///
  /// - Returns: what it had told and then did not know any more.
  func killAndStart() throws -> [String] {
    try daemon.kill()
    for participant in participants {
      while participant.socket != nil { try receive(participant) }
    }
    try daemon.start()
    let client = try Client(daemon, named: "head")
    return try Laws.durableBeforeVisible(told: told, head: head(client))
  }

  private func head(_ client: Client) throws -> Int64 {
    try client.ask(["op": "ping"])["seq"]?.integerValue ?? -1
  }

  // Judging.

  /// Waits until all is written and seen, and tells which laws the history breaks.
  func finish() throws -> [String] {
    let client = try settle()
    let log = try client.log()
    var broken = Laws.totalOrder(log) + Laws.exactlyOnce(log, told: writers.flatMap(\.told))
    broken += transientThatTookEffect(log)
    for watcher in watchers { broken += try Laws.noGapNoRepeat(watcher.replica, log: log) }
    broken += try copies(client)
    broken += try history(client, log)
    let again = try restart()
    broken += try Laws.exactRecovery(log, state: again.get().value)
    return try broken + lists(again)
  }

  /// As ``finish()`` for a daemon that has shortened its log: what can be told from the state.
  func finishWithoutLog() throws -> [String] {
    let client = try settle()
    let broken = try copies(client)
    let state = try client.get().value
    let again = try restart()
    return try broken + Laws.convergence(state, again.get().value, "before and after a restart")
      + lists(again)
  }

  private func settle() throws -> Client {
    try run { !self.isBusy }
    let client = try Client(daemon, named: "judge")
    let goal = try head(client)
    watchers.forEach { $0.finish(at: goal) }
    try run { self.watchers.allSatisfy(\.isDone) }
    return client
  }

  private func restart() throws -> Client {
    try daemon.stop()
    try daemon.start()
    return try Client(daemon, named: "judge")
  }

  private func copies(_ client: Client) throws -> [String] {
    try watchers.flatMap { watcher in
      try Laws.convergence(
        watcher.replica.state, client.get(watcher.replica.path).value, "the copy of \(watcher.name)"
      )
    }
  }

  /// The state at some seqs, asked for and folded.
  private func history(_ client: Client, _ log: [LoggedStep]) throws -> [String] {
    var broken: [String] = []
    for _ in 0..<10 {
      let seq = Int.random(in: 0...log.count, using: &random)
      broken += try Laws.convergence(
        Laws.fold(Array(log[..<seq])), client.get(at: Int64(seq)).value, "the state at \(seq)")
    }
    return broken
  }

  private func transientThatTookEffect(_ log: [LoggedStep]) -> [String] {
    writers.flatMap { writer in
      log.filter { $0.client == writer.name && writer.transient.contains($0.n ?? -1) }
        .map { "L3: \(writer.name) was told that \($0.n ?? -1) had no effect, it is seq \($0.seq)" }
    }
  }

  /// L3, told without the log: the lists hold what was acknowledged, once and in order.
  private func lists(_ client: Client) throws -> [String] {
    var broken: [String] = []
    for writer in writers {
      let items = try client.get("/lists/\(writer.name)").value?.arrayValue ?? []
      let numbers = items.compactMap(\.integerValue)
      if numbers != writer.appended.sorted() {
        broken.append("L3: the list of \(writer.name) is \(numbers), not \(writer.appended)")
      }
    }
    return broken
  }
}
