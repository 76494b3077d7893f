public import DuxClient
import Glibc

/// What runs programs on the terminal that the process was started from.
public enum TerminalDriver {
  /// Runs a program until it quits; the calling thread is its own meanwhile.
  ///
  /// The terminal is given back whatever happens: when the program quits, on `SIGINT`, `SIGTERM` and
  /// `SIGHUP` (the status is then 128 and the signal's number), after a crash. After `kill -9` nobody
  /// is left who could; `reset` in the shell does it then. Call it once at a time.
  ///
  /// - Parameters:
  ///   - program: the program as it begins.
  ///   - name: what the others are told that runs here.
  ///   - store: the store that the program shares.
  /// - Returns: the status to end the process with.
  /// - Throws: ``TerminalError`` where standard input and output are no terminal that one can draw on;
  ///   nothing has been changed then.
  public static func run<Program: TerminalProgram>(
    _ program: Program, name: String, store: RemoteStore<Program.State, Program.Action>
  ) throws(TerminalError) -> Int32 {
    try ProgramRun(program, name: name, store: store).run()
  }

  static func environment(_ names: [String]) -> [String: String] {
    var values: [String: String] = [:]
    for name in names {
      if let text = getenv(name) { values[name] = String(cString: text) }
    }
    return values
  }
}
