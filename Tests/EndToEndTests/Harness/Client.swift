import DuxJSON
import Glibc

/// A connection of a test that waits for what it reads, never longer than its deadline.
final class Client {
  let socket: LineSocket
  private var idCount: Int64 = 0

  /// Connects, and says nothing.
  init(_ daemon: DaemonProcess) throws {
    socket = try LineSocket(host: daemon.host, port: daemon.port)
  }

  /// Connects to a Unix socket, and says nothing.
  init(path: String) throws {
    socket = try LineSocket(path: path)
  }

  /// Connects and is welcomed.
  convenience init(_ daemon: DaemonProcess, named name: String?) throws {
    try self.init(daemon)
    try hello(name)
  }

  // Sending.

  /// Sends bytes as they are.
  func send(raw bytes: some Collection<UInt8>, _ deadline: Deadline = Deadline()) throws {
    socket.queue(bytes)
    socket.flush()
    while socket.hasUnsent {
      guard socket.wait(for: POLLOUT, deadline) else { throw Unexpected("nothing more is taken") }
      socket.flush()
    }
  }

  /// Sends text as it is.
  func send(raw text: String) throws {
    try send(raw: Array(text.utf8))
  }

  /// Sends a message.
  func send(_ message: JSON) throws {
    try send(raw: message.bytes + [10])
  }

  // Reading.

  /// The next line; `nil` at the end of the connection.
  func nextLine(_ deadline: Deadline = Deadline()) throws -> [UInt8]? {
    while true {
      if let line = socket.takeLine() { return line }
      if socket.hasEnded {
        guard socket.unfinishedLine.isEmpty else { throw Unexpected("the end came inside a line") }
        return nil
      }
      guard socket.wait(for: POLLIN, deadline) else { throw Unexpected("nothing came in time") }
      socket.receive()
    }
  }

  /// The next message but marks; `nil` at the end of the connection.
  func nextOrEnd(_ deadline: Deadline = Deadline()) throws -> JSON? {
    while let line = try nextLine(deadline) {
      let message = try JSON(parsing: line, maximumDepth: 1_000)
      if message["op"] != "mark" { return message }
    }
    return nil
  }

  /// The next message but marks.
  func next(_ deadline: Deadline = Deadline()) throws -> JSON {
    guard let message = try nextOrEnd(deadline) else { throw Unexpected("the connection ended") }
    return message
  }

  /// Reads on up to the first message with this `op`.
  @discardableResult
  func next(_ operation: String, _ deadline: Deadline = Deadline()) throws -> JSON {
    while true {
      let message = try next(deadline)
      if message["op"]?.stringValue == operation { return message }
    }
  }

  /// The end of the connection, with nothing more said.
  func expectEnd(_ deadline: Deadline = Deadline()) throws {
    if let message = try nextOrEnd(deadline) { throw Unexpected("not the end: \(message)") }
  }

  /// A `bye` with this code, and the end.
  @discardableResult
  func expectBye(_ code: String, _ deadline: Deadline = Deadline()) throws -> JSON {
    let message = try next(deadline)
    guard message["op"] == "bye", message["code"]?.stringValue == code else {
      throw Unexpected("not a bye \(code): \(message)")
    }
    try expectEnd(deadline)
    return message
  }

  // Requests.

  /// Says hello and takes the welcome.
  @discardableResult
  func hello(_ name: String? = nil) throws -> JSON {
    var message: JSONObject = ["op": "hello", "protocol": 1]
    if let name { message["client"] = .string(name) }
    try send(.object(message))
    let answer = try next()
    guard answer["op"] == "welcome" else { throw Unexpected("not welcome: \(answer)") }
    return answer
  }

  /// Sends a request and reads on up to its answer; frames before it are lost.
  @discardableResult
  func ask(_ request: JSON, _ deadline: Deadline = Deadline()) throws -> JSON {
    try send(request.with("id", .integer(nextID())))
    return try answer(to: idCount, deadline)
  }

  private func nextID() -> Int64 {
    idCount += 1
    return idCount
  }

  private func answer(to id: Int64, _ deadline: Deadline) throws -> JSON {
    while true {
      let message = try next(deadline)
      if message["id"] == .integer(id) { return message }
    }
  }

  /// Dispatches one action, and reads on up to its `ack` or `reject`.
  @discardableResult
  func dispatch(_ action: JSON, n: Int64? = nil) throws -> JSON {
    try ask(.dispatch([action], n: n))
  }

  /// Dispatches one action that must be taken.
  ///
  /// - Returns: its seq.
  @discardableResult
  func accepted(_ action: JSON, n: Int64? = nil) throws -> Int64 {
    let answer = try dispatch(action, n: n)
    guard answer["op"] == "ack", let seq = answer["seq"]?.integerValue else {
      throw Unexpected("not taken: \(answer)")
    }
    return seq
  }

  /// The value at a path and the seq it is of.
  func get(_ path: String = "", at seq: Int64? = nil) throws -> (value: JSON?, seq: Int64) {
    var request: JSONObject = ["op": "get", "path": .string(path)]
    if let seq { request["at"] = .integer(seq) }
    let answer = try ask(.object(request))
    guard answer["op"] == "value", let seq = answer["seq"]?.integerValue else {
      throw Unexpected("no value: \(answer)")
    }
    return (answer["value"], seq)
  }

  /// The whole log, read in pages.
  func log(after start: Int64 = 0, page: Int64 = 1_000) throws -> [LoggedStep] {
    var steps: [LoggedStep] = []
    var position = start
    while true {
      let id = nextID()
      try send([
        "op": "log", "id": .integer(id), "after": .integer(position), "limit": .integer(page),
      ])
      var message = try answer(to: id, Deadline())
      while message["op"] == "entry" {
        steps.append(try LoggedStep(message))
        message = try answer(to: id, Deadline())
      }
      guard message["op"] == "end", let seq = message["seq"]?.integerValue else {
        throw Unexpected("no log: \(message)")
      }
      position = seq
      if message["more"] != true { return steps }
    }
  }
}
