import DuxHTTP
import DuxJSON
import Foundation
import Testing

/// The programs of the two back ends, as processes.
struct ProgramTests {
  /// The folder of the programs that were built with these tests.
  private static let programs = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  private func process(_ name: String, _ arguments: [String]) -> (Process, Pipe, Pipe) {
    let process = Process()
    let output = Pipe()
    let errors = Pipe()
    process.executableURL = Self.programs.appending(path: name)
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = errors
    return (process, output, errors)
  }

  @Test(arguments: [("dux-catalogue", "movies/1", 200), ("dux-login-server", "api/me", 200)])
  func aServerSaysWhereItServesAndStopsOnASignal(
    _ name: String, path: String, status: Int
  ) async throws {
    let (process, output, _) = process(name, ["--port", "0"])
    try process.run()
    defer { process.terminate() }
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let address = try #require(line.firstMatch(of: /serving on (http:\/\/127\.0\.0\.1:\d+)\n/))
    let url = try #require(URL(string: String(address.output.1)))
    let response = try await HTTPClient.live.get(url.appending(path: path))
    #expect(response.status == status)
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
  }

  @Test(arguments: [
    ("dux-catalogue", ["--port", "70000"], 64, "--port: \"70000\" is too large"),
    ("dux-catalogue", ["--fail-rate", "101"], 64, "--fail-rate: \"101\" is too large"),
    ("dux-catalogue", ["--host", "nowhere"], 69, "cannot listen on nowhere port 8391"),
    ("dux-login-server", ["--access-lifetime", "2"], 64, "--access-lifetime: \"2\" lacks a unit"),
    ("dux-login-server", ["--data", "/proc"], 74, "/proc: it cannot be read"),
  ])
  func aWrongSettingIsNamed(
    _ name: String, arguments: [String], status: Int32, message: String
  ) throws {
    let (process, _, errors) = process(name, arguments)
    try process.run()
    let said = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == status)
    #expect(String(decoding: said, as: UTF8.self).hasPrefix("\(name): \(message)"))
  }
}
