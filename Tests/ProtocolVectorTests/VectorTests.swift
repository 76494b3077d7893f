import Foundation
import Testing

/// The vectors of `Protocol/vectors`, played by their own runner against the daemon.
struct VectorTests {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Protocol/vectors").path()

  /// The program that was built with these tests.
  private static let daemon =
    (try? URL(filePath: FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
      .deletingLastPathComponent().appending(path: "duxd").path()) ?? "duxd"

  static let names: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    .filter { $0.hasSuffix(".json") }
    .sorted()

  @Test func thereAreVectors() {
    #expect(Self.names.count > 100)
  }

  @Test(arguments: names)
  func theDaemonAnswersAsTheVectorSays(name: String) throws {
    let runner = Process()
    runner.executableURL = URL(filePath: "/usr/bin/env")
    runner.arguments = [
      "python3", Self.folder + "/run.py", "--start",
      "\(Self.daemon) --listen 127.0.0.1:0 --socket none --data {data}", "--", name,
    ]
    let output = Pipe()
    runner.standardOutput = output
    runner.standardError = output
    try withoutBlockedSignals { try runner.run() }
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    runner.waitUntilExit()
    #expect(runner.terminationStatus == 0, "\(said)")
    #expect(said.contains("\nok   ") || said.hasPrefix("ok   "), "\(said)")
  }

  /// Threads of a test process may block signals, and a program started by one inherits that.
  private func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
    var none = sigset_t()
    var blocked = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &blocked)
    defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
    try body()
  }
}
