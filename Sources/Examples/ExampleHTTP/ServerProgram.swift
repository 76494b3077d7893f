package import DuxCommandLine
import DuxProtocol
import Foundation
import Glibc

/// A program that is one server: reads its command line, serves, and stops when it is told to.
package enum ServerProgram {
  /// Where to listen.
  package static let host = Option(
    "host", .value("ADDRESS"), summary: "IPv4 or IPv6 address to listen on",
    defaultValue: "127.0.0.1")

  /// The option for the port.
  package static func port(_ usual: UInt16) -> Option {
    Option(
      "port", letter: "p", .value("PORT"), summary: "Port to listen on; 0 picks one and prints it",
      defaultValue: String(usual))
  }

  /// What the exit statuses of a server mean, for its help.
  package static let exitStatuses =
    "Exit status: 0 stopped by a signal; 64 a setting is wrong; 69 it can't listen; "
    + "74 its data can't be used."

  /// Runs the program and ends the process.
  ///
  /// - Parameters:
  ///   - command: the program as data.
  ///   - start: starts the server that the settings ask for.
  package static func run(
    _ command: Command, start: (Settings) throws -> HTTPServer
  ) async -> Never {
    ProcessStart.fillStandardDescriptors()
    do {
      let invocation = try command.parse(ProcessStart.arguments())
      switch invocation.request {
      case .help:
        let terminal = Terminal.of(
          STDOUT_FILENO, environment: ProcessInfo.processInfo.environment)
        say(invocation.helpText(width: min(terminal.columns, 100), style: terminal.style))
      case .version:
        say("\(command.name) \(Release.version)\n")
      case .run:
        let signals = blockedSignals()
        let settings = try Settings.resolve(
          options: command.options, arguments: invocation.given, environment: [:],
          configuration: nil)
        let server = try start(settings)
        say("\(command.name): serving on \(server.url)\n")
        wait(for: signals)
        await server.stop()
      }
      exit(0)
    } catch {
      fail("\(command.name): \(error)\n", status(of: error))
    }
  }

  private static func status(of error: any Error) -> Int32 {
    switch error {
    case is UsageError, is SettingError, is ValueError: 64
    case is ListeningError: 69
    default: 74
    }
  }

  /// Blocks the signals that end the program in this thread and those it will start, so that one that
  /// comes early waits.
  private static func blockedSignals() -> sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    return signals
  }

  private static func wait(for signals: sigset_t) {
    var signals = signals
    var number: Int32 = 0
    sigwait(&signals, &number)
  }

  private static func say(_ text: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }

  private static func fail(_ text: String, _ status: Int32) -> Never {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    exit(status)
  }
}
