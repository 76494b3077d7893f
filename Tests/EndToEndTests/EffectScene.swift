import DuxJSON
import Glibc
import Testing

/// A daemon whose app does jobs as commands, and the file in which each try leaves a line.
final class EffectScene {
  struct Try: Hashable {
    let event: Substring
    let job: Substring
    let key: Substring
    let attempt: Substring
  }

  let folder: TemporaryFolder
  private(set) var daemon: DaemonProcess

  init(_ app: String = "first", _ options: [String] = []) throws {
    folder = try TemporaryFolder()
    daemon = try Self.start(app, options, folder)
  }

  /// Starts another app on the same data, once the last daemon has ended.
  func start(_ app: String) throws {
    daemon = try Self.start(app, [], folder)
  }

  private static func start(
    _ app: String, _ options: [String], _ folder: TemporaryFolder
  ) throws -> DaemonProcess {
    try DaemonProcess(options, in: folder, prefix: prefix(app, folder), program: "effect-daemon")
  }

  private static func prefix(_ app: String, _ folder: TemporaryFolder) -> [String] {
    ["/usr/bin/env", "WORK_APP=\(app)", "WORK_FILE=\(folder("work"))"]
  }

  /// Starts an app that must refuse to, on the same data.
  func failToStart(_ app: String) throws -> (code: ChildProcess.End, message: String) {
    let result = try run(
      Self.prefix(app, folder) + DaemonProcess.command("effect-daemon", data: folder("data")))
    return (result.end, result.errors)
  }

  /// What was tried, in order.
  var tries: [Try] {
    let text = (try? contents(of: folder("work"))).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 4 else { return nil }
      return Try(event: words[0], job: words[1], key: words[2], attempt: words[3])
    }
  }

  /// The bytes of each file of the data folder, but for the one that says who uses it.
  var data: [String: [UInt8]] {
    get throws {
      let folder = folder("data")
      return Dictionary(
        uniqueKeysWithValues: try names(in: folder).filter { $0 != "lock" }.map {
          ($0, try contents(of: "\(folder)/\($0)"))
        })
    }
  }

  static func ask(_ id: String, ms: Int64 = 0, failures: Int64 = 0) -> JSON {
    [
      "type": "ask",
      "payload": ["id": .string(id), "ms": .integer(ms), "failures": .integer(failures)],
    ]
  }

  func status(of job: String, _ client: Client) throws -> String? {
    try client.get("/jobs/rows/\(job)/status").value?.stringValue
  }
}
