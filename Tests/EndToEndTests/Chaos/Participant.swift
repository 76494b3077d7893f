import DuxJSON

/// A client that comes back whenever its connection ends.
protocol Participant: AnyObject {
  var name: String { get }
  var socket: LineSocket? { get set }
  /// What follows `hello`, sent without waiting for `welcome`.
  var opening: [JSON] { get }
  /// Whether it has all it wants.
  var isDone: Bool { get }
  /// Takes in any message but `bye`.
  func take(_ message: JSON) throws
  /// Its connection has ended.
  func disconnected()
}

extension Participant {
  /// Connects anew; where that is refused, the next turn tries again.
  func connect(to daemon: DaemonProcess) {
    guard let fresh = try? LineSocket(host: daemon.host, port: daemon.port) else { return }
    socket = fresh
    send(["op": "hello", "protocol": 1, "client": .string(name)])
    opening.forEach(send)
  }

  /// Ends the connection in the middle of whatever is under way.
  func cut() {
    socket = nil
    disconnected()
  }

  func send(_ message: JSON) {
    socket?.queue(message.bytes + [10])
  }

  /// Takes in what has come.
  ///
  /// - Returns: the messages, in order.
  func receive() throws -> [JSON] {
    guard let socket else { return [] }
    socket.receive()
    var messages: [JSON] = []
    while let line = socket.takeLine() {
      let message = try JSON(parsing: line, maximumDepth: 1_000)
      messages.append(message)
      if message["op"] == "bye" {
        guard message["retryMs"] != nil else { throw Unexpected("\(name) got a final \(message)") }
      } else {
        try take(message)
      }
    }
    if socket.hasEnded { cut() }
    return messages
  }
}
