import DuxCommandLine
import Glibc

/// The program: reads the command line, and hands over to the command it names.
@main
struct Program {
  static func main() {
    ProcessStart.fillStandardDescriptors()
    let environment = Environment.read(Environment.names)
    let complaints = Output(STDERR_FILENO, terminal: .of(STDERR_FILENO, environment: environment))
    do throws(Failure) {
      exit(try run(words(), environment).rawValue)
    } catch {
      complaints.print("dux: " + error.message)
      complaints.flush()
      exit(error.status.rawValue)
    }
  }

  private static func words() throws(Failure) -> [String] {
    do throws(ValueError) {
      return try ProcessStart.arguments()
    } catch {
      throw Failure(.usage, error.description)
    }
  }

  private static func run(
    _ words: [String], _ environment: [String: String]
  ) throws(Failure) -> ExitStatus {
    let invocation = try Failure.wrapping { () throws(UsageError) in try Tool.program.parse(words) }
    let terminal = Terminal.of(STDOUT_FILENO, environment: environment)
    switch invocation.request {
    case .help:
      let output = Output(STDOUT_FILENO, terminal: terminal)
      output.write(invocation.helpText(width: min(terminal.columns, 100), style: terminal.style))
      output.flush()
      return .success
    case .version:
      return try VersionCommand.tool.run(Call(invocation, environment))
    case .run:
      guard let tool = Tool.called(by: invocation) else {
        throw Failure(.internal, "there is no command to run")
      }
      return try tool.run(Call(invocation, environment))
    }
  }
}
