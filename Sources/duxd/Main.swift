import DuxCommandLine
import DuxProtocol
import DuxServer
import Foundation

/// The daemon's program: reads its settings and runs.
@main
struct Program {
  static func main() {
    ProcessStart.fillStandardDescriptors()
    let environment = ProcessInfo.processInfo.environment
    do {
      let invocation = try DaemonCommand.command.parse(ProcessStart.arguments())
      switch invocation.request {
      case .help:
        let terminal = Terminal.of(1, environment: environment)
        say(invocation.helpText(width: terminal.columns, style: terminal.style))
      case .version:
        say("duxd \(Release.version)")
      case .run:
        let configuration = try DaemonCommand.configuration(
          invocation, environment: environment,
          readConfiguration: { (path) throws(SettingError) in try ConfigurationFile.read(path) })
        exit(try Daemon(configuration, apps: .stock).run(announce: say))
      }
    } catch let error as Daemon.StartError {
      fail(error.message, status: error.status)
    } catch {
      fail("\(error)", status: ExitStatus.usage)
    }
  }

  private static func say(_ text: String) {
    let line = text.hasSuffix("\n") ? text : text + "\n"
    try? FileHandle.standardOutput.write(contentsOf: Data(line.utf8))
  }

  private static func fail(_ message: String, status: Int32) -> Never {
    try? FileHandle.standardError.write(contentsOf: Data("duxd: \(message)\n".utf8))
    exit(status)
  }
}
