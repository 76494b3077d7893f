import DuxJSON
import Glibc

/// A daemon that serves one of the examples, and the example's back end, each a process.
final class ExampleDaemon {
  let daemon: DaemonProcess
  let folder: TemporaryFolder
  /// Where the back end is.
  let address: String
  private let server: ChildProcess

  /// Starts both.
  ///
  /// - Parameters:
  ///   - app: the example.
  ///   - program: the back end's program, with its options.
  ///   - variable: what tells the daemon where its back end is.
  /// - Throws: what kept one of them from starting.
  init(_ app: String, _ program: [String], _ variable: String) throws {
    folder = try TemporaryFolder()
    server = try ChildProcess(
      [programs + "/" + program[0], "--port", "0"] + program.dropFirst(),
      errorsPath: folder("server.stderr"))
    let line = try server.nextLine() ?? ""
    guard let start = line.firstRange(of: "http://") else {
      throw Unexpected("no back end: \(line) \(server.errors)")
    }
    address = String(line[start.lowerBound...])
    daemon = try DaemonProcess(
      ["--app", app], in: folder,
      prefix: ["env", "\(variable)=\(address)", "DUX_LOGIN_VAULT=\(folder("vault"))"])
  }

  /// Makes the back end stop in whatever it does; it takes requests, and does not answer.
  func pauseServer() { server.send(SIGSTOP) }

  /// Makes the back end go on.
  func resumeServer() { server.send(SIGCONT) }

  /// Waits until a request has come to a back end that is paused, and lies there.
  func waitForRequest(_ deadline: Deadline = Deadline()) throws {
    let port = Int(address.split(separator: ":").last ?? "") ?? 0
    let ending = ":" + String(port + 0x10000, radix: 16, uppercase: true).dropFirst()
    while !deadline.hasPassed {
      let table = try String(decoding: contents(of: "/proc/net/tcp"), as: UTF8.self)
      let hasRequest = table.split(separator: "\n").dropFirst().contains { line in
        // Local address, peer, state (01 is established), bytes to send and received.
        let fields = line.split(separator: " ")
        return fields.count > 4 && fields[1].hasSuffix(ending) && fields[3] == "01"
          && !fields[4].hasSuffix(":00000000")
      }
      if hasRequest { return }
    }
    throw Unexpected("no request has come to \(address)")
  }

  /// Dispatches an action that must be taken.
  func dispatch(_ type: String, _ payload: JSON? = nil) throws {
    var action: JSONObject = ["type": .string(type)]
    action["payload"] = payload
    try Client(daemon, named: nil).accepted(.object(action))
  }

  /// Follows a path until its value is what is waited for.
  ///
  /// - Returns: the value.
  @discardableResult
  func wait(at path: String, until isThere: (JSON) -> Bool) throws -> JSON {
    let client = try Client(daemon, named: nil)
    var replica = Replica(path: path)
    try client.send(replica.request)
    while true {
      try replica.take(client.next())
      if let state = replica.state, isThere(state) { return state }
    }
  }
}
