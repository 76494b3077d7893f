import DuxClient
import DuxCommandLine
import DuxProtocol
public import DuxStore
import Glibc

/// A program for a terminal, from its command line to its exit status.
public enum FrontEnd {
  /// Runs a program that shares an app's state with a daemon; ends the process.
  ///
  /// The command line takes `--connect WHERE`, `--client NAME`, `--queue FOLDER`, `--help` and
  /// `--version`; the environment `DUX_CONNECT`, as `dux` does. To the others the terminal says that it
  /// runs `name`, and what the program adds.
  ///
  /// - Parameters:
  ///   - name: what is typed for it, such as `dux-todos`.
  ///   - summary: what it does, in one line.
  ///   - discussion: what else there is to know.
  ///   - app: the app whose state it is.
  ///   - program: the program as it begins.
  public static func main<Served: App, Program: TerminalProgram>(
    name: String, summary: String, discussion: String = "", app: Served, program: Program
  ) -> Never where Program.State == Served.State, Program.Action == Served.Action {
    ProcessStart.fillStandardDescriptors()
    let command = FrontEndCommand(name: name, summary: summary, discussion: discussion)
    do throws(FrontEndFailure) {
      guard let call = try command.call() else { exit(0) }
      let store = try call.store(of: app)
      exit(try call.run(program, store: store))
    } catch {
      command.complain(error)
      exit(error.status)
    }
  }
}
