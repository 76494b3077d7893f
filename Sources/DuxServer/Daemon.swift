import DuxCommandLine
import DuxNetwork
import DuxProtocol
public import DuxStore
import Foundation

/// A whole `duxd` for the apps of one's own: the command line, the environment, the configuration
/// file and the signals are those of `duxd` itself.
///
/// ```swift
/// @main
/// struct Program {
///   static func main() async {
///     await Daemon(app: CounterApp()).run()
///   }
/// }
/// ```
public struct Daemon: Sendable {
  private let apps: AppRegistry

  /// A daemon for one app.
  public init(app: some App) {
    apps = AppRegistry(app)
  }

  /// A daemon for the app that `--app` names, the first where none is named.
  public init(apps: AppRegistry) {
    self.apps = apps
  }

  /// Reads the command line, serves until a signal ends it, and returns when it stopped in good
  /// order.
  ///
  /// As a program's `main` does, it says what is wrong on standard error and ends the process with
  /// the status that `--help` lists when it can't start or go on.
  ///
  /// The daemon runs on threads of its own; effects run as tasks, on others.
  public func run() async {
    ProcessStart.fillStandardDescriptors()
    let apps = apps
    let thread: SerialThread
    do {
      thread = try SerialThread(named: "dux-loop")
    } catch {
      Self.fail("\(error)", status: ExitStatus.unavailable)
    }
    let status = await withCheckedContinuation { continuation in
      thread.submit { continuation.resume(returning: Self.run(apps)) }
    }
    if status != ExitStatus.success { exit(status) }
  }

  private static func run(_ apps: AppRegistry) -> Int32 {
    let environment = ProcessInfo.processInfo.environment
    let settings = DaemonCommand(apps: apps.names)
    do {
      let invocation = try settings.command.parse(ProcessStart.arguments())
      switch invocation.request {
      case .help:
        let terminal = Terminal.of(1, environment: environment)
        say(invocation.helpText(width: terminal.columns, style: terminal.style))
      case .version:
        say("duxd \(Release.version)")
      case .run:
        let configuration = try settings.configuration(
          invocation, environment: environment,
          readConfiguration: { (path) throws(SettingError) in try ConfigurationFile.read(path) })
        AllocatorSettings.apply(environment)
        HugePages.holdBack()
        return try DaemonProcess(configuration, apps: apps).run(announce: say)
      }
      return ExitStatus.success
    } catch let error as DaemonProcess.StartError {
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
