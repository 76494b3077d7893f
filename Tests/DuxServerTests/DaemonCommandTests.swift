import DuxCommandLine
import DuxNetwork
import DuxProtocol
import DuxStorage
import Foundation
import Testing

@testable import DuxServer

/// The daemon's settings: where they may come from, what they default to, and how they are refused.
struct DaemonCommandTests {
  private func configuration(
    _ arguments: [String], environment: [String: String] = ["HOME": "/home/ada"],
    file: [String: [String]]? = nil
  ) throws -> DaemonConfiguration {
    let settings = DaemonCommand(apps: ["document"])
    return try settings.configuration(
      try settings.command.parse(arguments), environment: environment,
      readConfiguration: { path in ConfigurationFile(path: path, values: file ?? [:]) })
  }

  private func refusal(
    _ arguments: [String], environment: [String: String] = ["HOME": "/home/ada"],
    file: [String: [String]]? = nil
  ) -> String? {
    do {
      _ = try configuration(arguments, environment: environment, file: file)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func `without any setting it serves this user on this machine`() throws {
    let plain = try configuration([])
    #expect(plain.data == "/home/ada/.local/state/dux")
    #expect(plain.endpoints == [.tcp(host: "127.0.0.1", port: 7389)])
    #expect(plain.endpointIfFree == .unix(path: "/home/ada/.local/state/dux/dux.sock"))
    #expect(plain.app == "document")
    #expect(plain.durability == .full)
    #expect(plain.limits.maximumLineBytes == 1 << 20)
    #expect(plain.limits.maximumDepth == 128)
    #expect(plain.limits.maximumStateBytes == 256 << 20)
    #expect(plain.maximumClients == 10_000)
    #expect(plain.heartbeatMs == 15_000)
    #expect(plain.retention.count == 1_000_000)
    #expect(plain.retention.ageMs == nil)
    #expect(plain.retention.bytes == 1 << 30)
    #expect(plain.logLevel == .info)
  }

  @Test func `the folders of the desktop specification are used where they are set`() throws {
    let environment = ["XDG_STATE_HOME": "/state", "XDG_RUNTIME_DIR": "/run/user/7"]
    let placed = try configuration([], environment: environment)
    #expect(placed.data == "/state/dux")
    #expect(placed.endpointIfFree == .unix(path: "/run/user/7/dux.sock"))
  }

  @Test func `without a home the data folder must be said`() {
    #expect(refusal([], environment: [:])?.contains("--data") == true)
    #expect(refusal(["--data", "/d"], environment: [:]) == nil)
  }

  @Test func `the command line goes before the environment and that before the file`() throws {
    let file = ["max-clients": ["1"], "max-depth": ["1"], "app": ["filed"], "config": ["x"]]
      .filter { $0.key != "config" }
    let environment = [
      "HOME": "/h", "DUX_CONFIG": "/etc/dux.json", "DUX_MAX_CLIENTS": "2", "DUX_MAX_DEPTH": "2",
    ]
    let merged = try configuration(["--max-clients", "3"], environment: environment, file: file)
    #expect(merged.maximumClients == 3)
    #expect(merged.limits.maximumDepth == 2)
    #expect(merged.app == "filed")
  }

  @Test func `several addresses and one socket may be asked for`() throws {
    let many = try configuration([
      "--listen", "127.0.0.1:0", "--listen", "[::1]:7390", "--socket", "/tmp/s",
    ])
    #expect(
      many.endpoints == [
        .tcp(host: "127.0.0.1", port: 0), .tcp(host: "::1", port: 7390), .unix(path: "/tmp/s"),
      ])
    #expect(many.endpointIfFree == nil)
    let none = try configuration(["--socket", "none"])
    #expect(none.endpoints.count == 1)
    #expect(none.endpointIfFree == nil)
  }

  @Test func `how long the log is kept is read with its units`() throws {
    let kept = try configuration([
      "--retain-age", "14d", "--retain-count", "5", "--retain-bytes", "64K",
    ])
    #expect(kept.retention.ageMs == Int64(1_209_600_000))
    #expect(kept.retention.count == 5)
    #expect(kept.retention.bytes == 65_536)
  }

  @Test(arguments: [
    (["--max-line", "12"], "--max-line"), (["--listen", "7389"], "--listen"),
    (["--listen", "unix:/tmp/x"], "--socket"), (["--durability", "ful"], "did you mean full"),
    (["--retain-age", "14"], "--retain-age"), (["--max-depth", "0"], "--max-depth"),
    (["--heartbeat", "900ms"], "--heartbeat"), (["--heartbeat", "11m"], "--heartbeat"),
    (["--log-level", "loud"], "--log-level"),
  ])
  func `a setting that is wrong is refused by its name`(arguments: [String], name: String) {
    #expect(refusal(arguments)?.contains(name) == true)
  }

  @Test func `a setting that is wrong in the environment or the file names that place`() {
    #expect(
      refusal([], environment: ["HOME": "/h", "DUX_MAX_LINE": "x"])?.contains("DUX_MAX_LINE")
        == true)
    let inFile = refusal(["--config", "/etc/dux.json"], file: ["max-depht": ["3"]])
    #expect(inFile?.contains("max-depht") == true)
    #expect(inFile?.contains("/etc/dux.json") == true)
  }

  @Test func `the help names every flag, its variable and its key`() throws {
    let help = try DaemonCommand(apps: ["document"]).command.parse(["--help"]).helpText(
      width: 80, style: .plain)
    for flag in [
      "data", "listen", "socket", "app", "durability", "max-line", "max-depth", "max-state",
      "max-clients", "heartbeat", "retain-count", "retain-age", "retain-bytes", "config",
      "log-level",
    ] {
      let variable = "DUX_" + flag.uppercased().replacingOccurrences(of: "-", with: "_")
      #expect(help.contains("--\(flag) "), "--\(flag)")
      #expect(help.contains("[env: \(variable)]"), "\(variable)")
      #expect(flag == "config" || help.contains("[config: \(flag)]"), "key \(flag)")
    }
    #expect(help.contains("--version"))
  }
}

/// The configuration file itself.
struct ConfigurationFileTests {
  private func read(_ text: String) throws -> ConfigurationFile {
    let path = NSTemporaryDirectory() + "dux-config-\(UUID().uuidString).json"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try ConfigurationFile.read(path)
  }

  @Test func `strings, numbers, Booleans and lists of them are settings`() throws {
    let file = try read(#"{"max-clients":7,"listen":["a:1","b:2"],"app":"document","x":true}"#)
    #expect(file.values["max-clients"] == ["7"])
    #expect(file.values["listen"] == ["a:1", "b:2"])
    #expect(file.values["app"] == ["document"])
    #expect(file.values["x"] == ["true"])
  }

  @Test(arguments: ["", "{", "[]", #"{"app":null}"#, #"{"app":{"a":1}}"#, #"{"app":1,"app":2}"#])
  func `anything else is refused, naming the file`(text: String) {
    #expect { try read(text) } throws: { "\($0)".contains("dux-config-") }
  }

  @Test func `a file that is not there is refused by its path`() {
    #expect { try ConfigurationFile.read("/nowhere/dux.json") } throws: {
      "\($0)".contains("/nowhere/dux.json")
    }
  }
}
