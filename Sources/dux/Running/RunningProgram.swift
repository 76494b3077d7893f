import DuxJSON
import DuxNetwork
import Glibc

/// The program that a command runs: started, ended with this one, and told what this one is told.
final class RunningProgram {
  private let conversation: Conversation
  private let words: [String]
  private var child: ChildProcess?
  private var watches: [SignalWatch] = []
  private var onEnd: ((ChildProcess.End) -> Void)?
  private var killer: LoopTimer?
  /// The signal that asked this process to end.
  private(set) var endSignal: Int32?

  /// How long a program has between being asked to end and being ended.
  private static let grace = Duration.seconds(5)
  private static let endSignals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  private static let otherSignals = [SIGUSR1, SIGUSR2]

  /// Makes a program that has not begun; the conversation does not end before it.
  init(_ conversation: Conversation, _ words: [String]) {
    self.conversation = conversation
    self.words = words
    conversation.lastWork = { [weak self] done in
      guard let self else { return done() }
      end(then: done)
    }
  }

  /// Whether it runs.
  var isRunning: Bool { child != nil }

  /// Its name, as messages show it.
  var name: String { (words.first ?? "").printable }

  /// Passes on the signals that come from now on; `asked` is told of each that asks to end.
  func watchSignals(_ asked: @escaping (Int32) -> Void) throws(Failure) {
    do throws(NetworkError) {
      for number in Self.endSignals {
        watches.append(
          try conversation.loop.onSignal(number) { [unowned self] in
            endSignal = number
            if !isFromTerminal(number) { child?.signal(number) }
            asked(number)
          })
      }
      for number in Self.otherSignals {
        watches.append(
          try conversation.loop.onSignal(number) { [unowned self] in child?.signal(number) })
      }
    } catch {
      throw Failure(.internal, error.description)
    }
  }

  /// Starts it, with variables beside those of this process.
  func start(
    _ variables: [String: String?], input: ChildProcess.Input,
    onEnd: @escaping (ChildProcess.End) -> Void
  ) throws(Failure) {
    var variables = variables
    // What it may ask of a daemon is asked of the same one.
    variables["DUX_CONNECT"] = "\(conversation.call.endpoint)"
    self.onEnd = onEnd
    do throws(NetworkError) {
      child = try conversation.loop.start(words, variables: variables, input: input) {
        [unowned self] in ended($0)
      }
    } catch {
      throw Failure(error.isNotFound ? .noProgram : .notRunnable, error.description.printable)
    }
  }

  /// Asks it to end, and ends it where it does not.
  func end() {
    guard let child, killer == nil else { return }
    child.signal(SIGTERM)
    // One that is stopped could not end.
    child.signal(SIGCONT)
    killer = conversation.loop.timer(after: Self.grace) { child.signal(SIGKILL) }
  }

  private func end(then done: @escaping () -> Void) {
    guard child != nil else { return done() }
    onEnd = { _ in done() }
    end()
  }

  private func ended(_ end: ChildProcess.End) {
    child = nil
    killer?.cancel()
    killer = nil
    onEnd?(end)
  }

  /// Whether a terminal has sent the signal, and so to the program too.
  private func isFromTerminal(_ number: Int32) -> Bool {
    guard number == SIGINT || number == SIGQUIT else { return false }
    return (STDIN_FILENO...STDERR_FILENO).contains { tcgetpgrp($0) == getpgrp() }
  }

  /// Ends this process as the signal would have that asked it to.
  func endAsAsked() {
    guard let endSignal else { return }
    conversation.call.output.flush()
    signal(endSignal, SIG_DFL)
    raise(endSignal)
  }
}
