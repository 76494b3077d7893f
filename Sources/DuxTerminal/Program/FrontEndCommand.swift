import DuxClient
import DuxCommandLine
import DuxNetwork
import DuxProtocol
import DuxStore
import Glibc

/// Why a program ends early: its status, which is one of those of `dux`, and what is said of it.
struct FrontEndFailure: Error {
  /// The daemon has refused for good.
  static let refused: Int32 = 1
  /// The command line, or the terminal, cannot be used.
  static let usage: Int32 = 64
  /// The daemon could not be reached for what was to be sent.
  static let unavailable: Int32 = 69
  /// A fault in the program or its system.
  static let `internal`: Int32 = 70

  let status: Int32
  let message: String
}

/// The command line of a program for a terminal.
struct FrontEndCommand {
  private let command: DuxCommandLine.Command

  private static let connect = Option(
    "connect", letter: "c", .value("WHERE"),
    summary: "Where the daemon listens: HOST:PORT or unix:PATH",
    defaultValue: DaemonAddress.standardText, variable: DaemonAddress.variable)
  private static let client = Option(
    "client", .value("NAME"),
    summary: "This client's name; another connection of the same name is ended by this one "
      + "(default: a name of its own)")
  private static let queue = Option(
    "queue", .value("FOLDER"),
    summary:
      "Keep what the daemon has not confirmed yet in this folder, so that it survives the end "
      + "of the program (default: in memory)")

  init(name: String, summary: String, discussion: String) {
    command = DuxCommandLine.Command(
      name: name, summary: summary,
      discussion: (discussion.isEmpty ? [] : [discussion]).joined() + Self.statuses(discussion),
      options: [Self.connect, Self.client, Self.queue])
  }

  private static func statuses(_ discussion: String) -> String {
    (discussion.isEmpty ? "" : "\n\n") + """
      Exit status: 0 done; 1 the daemon refused the connection for good (another app, another client \
      of the same name); 64 the command line is wrong, or this is no terminal to draw on; 69 the \
      daemon could not be reached for the last changes; 70 a fault; \
      128 and a signal's number when one ended it. The terminal is given back even after a crash; \
      after kill -9, type 'reset'.
      """
  }

  /// What was typed; `nil` when it asked for help or the version, which have been printed.
  func call() throws(FrontEndFailure) -> FrontEndCall? {
    let words = try Self.usage { () throws(ValueError) in try ProcessStart.arguments() }
    let invocation = try Self.usage { () throws(UsageError) in try command.parse(words) }
    switch invocation.request {
    case .help:
      let terminal = Terminal.of(
        STDOUT_FILENO, environment: TerminalDriver.environment(["COLUMNS", "NO_COLOR", "TERM"]))
      print(
        invocation.helpText(width: min(terminal.columns, 100), style: terminal.style),
        terminator: "")
      return nil
    case .version:
      print("\(command.name) \(Release.version), protocol \(ProtocolVersion.current)")
      return nil
    case .run:
      return try call(invocation)
    }
  }

  private func call(_ invocation: Invocation) throws(FrontEndFailure) -> FrontEndCall {
    let settings = try Self.usage { () throws(SettingError) in
      try Settings.resolve(
        options: invocation.options, arguments: invocation.given,
        environment: TerminalDriver.environment([DaemonAddress.variable]), configuration: nil)
    }
    func text(_ option: Option) throws(FrontEndFailure) -> String? {
      try Self.usage { () throws(SettingError) in
        try settings.optionalValue(of: option, as: .text)
      }
    }
    let source = settings.source(of: Self.connect)?.description ?? Self.connect.spelling
    let place = try text(Self.connect) ?? DaemonAddress.standardText
    let address: DaemonAddress
    do throws(ClientError) {
      address = try DaemonAddress(place)
    } catch {
      throw FrontEndFailure(
        status: FrontEndFailure.usage, message: "\(source): \(error.description)")
    }
    var options = ClientOptions()
    options.name = try text(Self.client)
    options.offlineQueue = try text(Self.queue)
    return FrontEndCall(name: command.name, address: address, options: options)
  }

  /// Says why the program ends.
  func complain(_ failure: FrontEndFailure) {
    PatientWriting.write(Array("\(command.name): \(failure.message)\n".utf8), to: STDERR_FILENO)
  }

  private static func usage<Value, Problem: Error & CustomStringConvertible>(
    _ body: () throws(Problem) -> Value
  ) throws(FrontEndFailure) -> Value {
    do throws(Problem) {
      return try body()
    } catch {
      throw FrontEndFailure(status: FrontEndFailure.usage, message: error.description)
    }
  }
}

/// What a command line asked for.
struct FrontEndCall {
  let name: String
  let address: DaemonAddress
  let options: ClientOptions

  func store<Served: App>(
    of app: Served
  ) throws(FrontEndFailure) -> RemoteStore<Served.State, Served.Action> {
    do throws(ClientError) {
      return try RemoteStore(app, at: address, options: options)
    } catch {
      let isSystem = if case .system = error { true } else { false }
      throw FrontEndFailure(
        status: isSystem ? FrontEndFailure.internal : FrontEndFailure.usage,
        message: error.description)
    }
  }

  func run<Program: TerminalProgram>(
    _ program: Program, store: RemoteStore<Program.State, Program.Action>
  ) throws(FrontEndFailure) -> Int32 {
    defer { close(store) }
    let status: Int32
    do throws(TerminalError) {
      status = try TerminalDriver.run(program, name: name, store: store)
    } catch {
      throw FrontEndFailure(status: FrontEndFailure.usage, message: error.description)
    }
    if case .ended(let reason) = store.status {
      throw FrontEndFailure(
        status: status == 0 ? FrontEndFailure.refused : status,
        message: "\(reason.code): \(reason.message)")
    }
    let count = store.snapshot.pendingCount
    guard count > 0, options.offlineQueue == nil else { return status }
    throw FrontEndFailure(
      status: status == 0 ? FrontEndFailure.unavailable : status,
      message: "the daemon has not confirmed \(count) of the changes, which may be lost "
        + "(with --queue FOLDER they would be kept)")
  }

  /// Ends the store; an offline queue is waited for, however slow its disk is, for what it has not
  /// written is lost with the process.
  private func close<State, Action>(_ store: RemoteStore<State, Action>) {
    store.close()
    guard options.offlineQueue != nil, let loop = try? EventLoop(),
      let end = try? Mailbox<Void>(on: loop, { [unowned loop] _ in loop.stop() })
    else { return }
    Task {
      await store.closed()
      end.post(())
    }
    loop.run()
    loop.close()
  }
}
