import DuxClient
import DuxJSON
import DuxServer
import DuxStore
import Foundation
import Synchronization

/// Prints what a client costs by the size of the state: how long a dispatch takes to this program's
/// own listener, how long to another client's, what the two clients spend on one step, and how long
/// ten thousand steps take that wait for the daemon.
///
/// Sizes are the arguments: 1,000, 100,000 and 1,000,000 rows without any. The daemon is this program
/// once more, on loopback, with its data in a temporary folder.
@main
enum RemoteBenchmark {
  static let rowsVariable = "DUX_BENCHMARK_ROWS"

  static func main() async throws {
    if let text = ProcessInfo.processInfo.environment[rowsVariable], let rows = Int(text) {
      return await Daemon(app: BoardApp(rows: rows)).run()
    }
    let given = CommandLine.arguments.dropFirst().compactMap { Int($0) }.filter { $0 > 0 }
    print("| rows | what | measured |\n|--:|---|--:|")
    for rows in given.isEmpty ? [1_000, 100_000, 1_000_000] : given {
      try await Measuring(rows: rows).run()
    }
  }
}

/// A table of rows, as a program would show it.
struct BoardApp: App {
  struct Row: Codable, Equatable, Sendable, Identifiable {
    let id: Int
    var title: String
    var isDone = false
  }

  struct State: Codable, Equatable, Sendable {
    var rows = Table<Int, Row>()
  }

  enum Action: Codable, Sendable {
    case rename(id: Int, title: String)
  }

  let name = "board"
  let initialState: State

  init(rows: Int) {
    let all = (0..<rows).map { Row(id: $0, title: "row \($0)") }
    // The ids differ.
    initialState = State(rows: (try? Table(all)) ?? Table())
  }

  func reduce(into state: inout State, action: Action) throws -> Effect<Action> {
    switch action {
    case .rename(let id, let title): state.rows[id: id]?.title = title
    }
    return .none
  }
}

/// The measurements on one daemon.
struct Measuring {
  typealias Board = RemoteStore<BoardApp.State, BoardApp.Action>

  private let rows: Int
  private let daemon: Process
  private let app: BoardApp
  private let address: DaemonAddress
  private let folder: URL

  init(rows: Int) throws {
    self.rows = rows
    app = BoardApp(rows: rows)
    folder = FileManager.default.temporaryDirectory.appending(path: "dux-bench-\(UUID())")
    daemon = Process()
    daemon.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    daemon.arguments = [
      "--data", folder.path(), "--listen", "127.0.0.1:0", "--socket", "none", "--durability",
      "normal",
    ]
    daemon.environment = [RemoteBenchmark.rowsVariable: "\(rows)"]
    let output = Pipe()
    daemon.standardOutput = output
    try daemon.run()
    var line = ""
    while !line.contains("\n"), let part = try output.fileHandleForReading.read(upToCount: 1) {
      line += String(decoding: part, as: UTF8.self)
    }
    let place = line.firstMatch(of: /127\.0\.0\.1:\d+/)?.output ?? "127.0.0.1:1"
    address = try DaemonAddress(String(place))
  }

  func run() async throws {
    defer {
      daemon.terminate()
      daemon.waitUntilExit()
      try? FileManager.default.removeItem(at: folder)
    }
    let clock = ContinuousClock()
    let begun = clock.now
    let (here, there) = (try store(), try store())
    try await here.connected()
    try await there.connected()
    tell("two clients connect and have the state", clock.now - begun)
    try await measureLocal(here)
    try await measureRemote(here, there)
    try await measureWaiting(here)
    here.close()
    there.close()
    await here.closed()
    await there.closed()
  }

  private func store() throws -> Board {
    try RemoteStore(app, at: address)
  }

  private func measureLocal(_ store: Board) async throws {
    let seen = Atomic(0)
    let subscription = store.select({ $0.rows[id: 0]?.title }, initial: .none) { _ in
      seen.add(1, ordering: .relaxed)
    }
    var samples: [Duration] = []
    for count in 0..<2_000 {
      let begun = ContinuousClock.now
      let receipt = store.dispatch(.rename(id: 0, title: "local \(count)"))
      samples.append(ContinuousClock.now - begun)
      _ = try await receipt.confirmed
    }
    subscription.cancel()
    precondition(seen.load(ordering: .relaxed) == 2_000)
    tell("dispatch to this program's listener", samples)
  }

  private func measureRemote(_ here: Board, _ there: Board) async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
    let subscription = there.select({ $0.rows[id: 1]?.title }, initial: .none) { _ in
      continuation.yield(ContinuousClock.now)
    }
    var samples: [Duration] = []
    var arrivals = stream.makeAsyncIterator()
    let before = Self.processorTime
    for count in 0..<2_000 {
      let begun = ContinuousClock.now
      here.dispatch(.rename(id: 1, title: "remote \(count)"))
      guard let arrival = await arrivals.next() else { break }
      samples.append(arrival - begun)
    }
    let spent = Self.processorTime - before
    subscription.cancel()
    tell("dispatch to another program's listener", samples)
    tell("processor time of both programs for a step", spent / 2_000)
  }

  private func measureWaiting(_ store: Board) async throws {
    kill(daemon.processIdentifier, SIGSTOP)
    let begun = ContinuousClock.now
    let receipts = (0..<10_000).map {
      store.dispatch(.rename(id: $0 % 1_000, title: "waiting \($0)"))
    }
    let asked = ContinuousClock.now
    kill(daemon.processIdentifier, SIGCONT)
    for receipt in receipts { _ = try await receipt.confirmed }
    tell("10,000 dispatches while the daemon stands still", asked - begun)
    tell("until all of them are confirmed", ContinuousClock.now - asked)
  }

  private func tell(_ what: String, _ samples: [Duration]) {
    let sorted = samples.sorted()
    let (middle, late) = (sorted[sorted.count / 2], sorted[sorted.count * 99 / 100])
    print("| \(rows) | \(what), median and 99 % | \(Self.text(middle)), \(Self.text(late)) |")
  }

  private func tell(_ what: String, _ duration: Duration) {
    print("| \(rows) | \(what) | \(Self.text(duration)) |")
  }

  private static func text(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let microseconds = Double(seconds) * 1e6 + Double(attoseconds) / 1e12
    return microseconds < 1_000
      ? String(format: "%.1f µs", microseconds) : String(format: "%.1f ms", microseconds / 1_000)
  }

  private static var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
