import DuxJSON
import DuxNetwork
import Synchronization

/// A server in the daemon's place that breaks its promises: of what it acknowledges, it keeps every
/// seventh change from those who follow, and shows every tenth twice.
final class UnfaithfulServer {
  let place: String
  private let thread: SerialThread
  private let stop: Wakeup

  /// What the server's thread tells once it listens.
  private final class Start: Sendable {
    let told = Mutex<Result<(place: String, stop: Wakeup), NetworkError>?>(nil)
  }

  /// Serves any number of connections until it is let go.
  init() throws {
    let start = Start()
    thread = try SerialThread(named: "unfaithful")
    thread.submit {
      do throws(NetworkError) {
        try Unfaithful().run { place, stop in start.told.withLock { $0 = .success((place, stop)) } }
      } catch {
        start.told.withLock { $0 = .failure(error) }
      }
    }
    try wait("a server that listens") { start.told.withLock { $0 != nil } }
    guard let told = start.told.withLock({ $0 }) else { throw Unexpected("no server") }
    (place, stop) = try told.get()
  }

  deinit {
    stop.wake()
    thread.stopAndJoin()
  }
}

/// What the server does, on its thread.
private final class Unfaithful {
  private let loop: EventLoop
  private var followers: [(connection: Connection, path: String)] = []
  private var seq: Int64 = 0

  init() throws(NetworkError) {
    loop = try EventLoop()
  }

  func run(_ started: (_ place: String, _ stop: Wakeup) -> Void) throws(NetworkError) {
    let stop = try loop.makeWakeup { [unowned self] in loop.stop() }
    let listener = try Listener.listen(
      on: .tcp(host: "127.0.0.1", port: 0), loop: loop, backlog: 64
    ) { [unowned self] in serve($0) }
    started(listener.endpoint.description, stop)
    loop.run()
    followers = []
    loop.close()
  }

  private func serve(_ connection: Connection) {
    var pending: [UInt8] = []
    connection.onBytes = { [unowned self, unowned connection] bytes in
      pending += bytes
      while let feed = pending.firstIndex(of: 0x0A) {
        if let request = try? JSON(parsing: Array(pending[..<feed])) {
          answer(request, on: connection)
        }
        pending.removeFirst(feed + 1)
      }
    }
    connection.onEnd = { [unowned self, unowned connection] error in
      followers.removeAll { $0.connection === connection }
      if error == nil { connection.close() }
    }
    connection.startReading()
  }

  private func answer(_ request: JSON, on connection: Connection) {
    let id = request["id"] ?? .null
    let path = request["path"] ?? ""
    switch request["op"]?.stringValue {
    case "hello":
      var welcome = FakeDaemon.welcome(request).objectValue ?? [:]
      welcome["app"] = "document"
      say(.object(welcome), on: connection)
    case "get":
      say(
        ["op": "value", "id": id, "path": path, "seq": .integer(seq), "missing": true],
        on: connection)
    case "status":
      say(["op": "status", "id": id, "server": "fake", "durability": "none"], on: connection)
    case "subscribe":
      followers.append((connection, path.stringValue ?? ""))
      say(
        ["op": "snapshot", "path": path, "epoch": "e", "seq": .integer(seq), "missing": true],
        on: connection)
    case "dispatch":
      take(request, from: connection)
    default:
      return
    }
  }

  private func take(_ request: JSON, from connection: Connection) {
    seq += 1
    let value = request["action"]?["payload"]?["value"] ?? .null
    let copies = seq % 7 == 0 ? 0 : seq % 10 == 0 ? 2 : 1
    for (follower, path) in followers {
      for _ in 0..<copies {
        say(
          [
            "op": "patch", "path": .string(path), "seq": .integer(seq),
            "patch": [["op": "add", "path": "/v", "value": value]],
          ], on: follower)
      }
    }
    say(
      ["op": "ack", "n": request["n"] ?? .null, "seq": .integer(seq), "changed": true],
      on: connection)
  }

  private func say(_ line: JSON, on connection: Connection) {
    // The lines are short and the other side reads at once: the system has room for them.
    _ = (line.bytes + [0x0A]).withUnsafeBytes { connection.write($0) }
  }
}
