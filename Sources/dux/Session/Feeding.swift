import DuxEngine
import DuxJSON
import DuxNetwork
import DuxProtocol
import Glibc

/// One run of `dux dispatch` that takes its steps from standard input.
///
/// Input is read only as far as steps find room on their way, so that memory stays bounded.
final class Feeding {
  private let conversation: Conversation
  private let conditions: [JSON]
  private var input: StandardInput?
  private var isAsking = false
  private var hasEnded = false
  /// Why no more input is taken.
  private var fault: Failure?

  /// Input that is not used yet, from `start` on.
  private var buffer: [UInt8] = []
  private var start = 0
  private var scanner = LineScanner()
  private var lineNumber = 0
  /// The line of each step on its way.
  private var lines: [RemoteSession.Step: Int] = [:]
  /// A step that was settled within the call that asked for it.
  private var settledWhileAsked: RemoteSession.Step?
  private var isTakingLine = false
  private var tally = Tally()
  private var progress: Progress

  /// Steps asked for and not settled: enough to fill the session's window while answers come.
  private static let unsettledLimit = 2 * Conversation.window
  private static let longestLineBytes = 1 << 26

  init(_ conversation: Conversation, _ conditions: [JSON]) {
    self.conversation = conversation
    self.conditions = conditions
    progress = Progress(conversation.call.complaints)
  }

  private var call: Call { conversation.call }

  func run() throws(Failure) -> ExitStatus {
    try open()
    if StandardInput.isTerminal { call.note("reading actions, one a line; Ctrl-D ends") }
    let status: ExitStatus
    do throws(Failure) {
      status = try conversation.run { session in
        session.say("dux dispatch")
      } onEvent: { [self] (event) throws(Failure) in
        handle(event)
      }
    } catch {
      summarize()
      throw error
    }
    summarize()
    if let fault { throw fault }
    return status
  }

  private func open() throws(Failure) {
    do throws(NetworkError) {
      input = try StandardInput(on: conversation.loop) { [unowned self] in receive($0) }
      _ = try conversation.loop.onSignal(SIGINT) { [unowned self] in
        conversation.finish(.success(.interrupted))
      }
    } catch {
      throw Failure(.internal, error.description)
    }
    conversation.loop.timer(after: Progress.delay, repeating: Progress.period) { [unowned self] in
      progress.show(tally)
    }
  }

  private func receive(_ piece: StandardInput.Piece) {
    isAsking = false
    switch piece {
    case .bytes(let bytes):
      buffer.removeFirst(start)
      start = 0
      buffer += bytes
    case .end: hasEnded = true
    case .failure(let code): stop(StandardInput.failure(code))
    }
    finishIfDone(feed())
  }

  private func handle(_ event: RemoteSession.Event) -> ExitStatus? {
    switch event {
    case .settled(let step, let settlement): settle(step, settlement)
    case .live: break
    default: return nil
    }
    return isTakingLine ? nil : feed()
  }

  /// Makes steps of the input as long as there is room.
  ///
  /// - Returns: the status when all is done.
  private func feed() -> ExitStatus? {
    while lines.count < Self.unsettledLimit, takeLine() {}
    let needsInput = lines.count < Self.unsettledLimit && !hasEnded && fault == nil
    if needsInput, !isAsking {
      isAsking = true
      input?.ask()
    }
    conversation.awaitsAnswer = !lines.isEmpty
    guard lines.isEmpty, hasEnded || fault != nil else { return nil }
    return tally.rejected == 0 ? .success : .rejected
  }

  private func finishIfDone(_ status: ExitStatus?) {
    if let status { conversation.finish(.success(status)) }
  }

  /// Takes one line of the input.
  ///
  /// - Returns: `false` when there is none, or none is taken any more.
  private func takeLine() -> Bool {
    guard fault == nil else { return false }
    let result = buffer.withUnsafeBytes { bytes -> Result<[JSON]?, Failure>? in
      let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
      switch scanner.next(in: rest, maximumLineBytes: Self.longestLineBytes) {
      case .line(let count, let next):
        start += next
        return Self.read(UnsafeRawBufferPointer(rebasing: rest[..<count]))
      case .incomplete where hasEnded && !rest.isEmpty:
        start = bytes.count
        return Self.read(rest)
      case .incomplete: return nil
      case .tooLong:
        return .failure(Failure(.usage, "is longer than \(Self.longestLineBytes.byteText)"))
      }
    }
    guard let result else { return false }
    lineNumber += 1
    switch result {
    case .success(let actions?):
      takeStep(actions)
    case .success(nil): break
    case .failure(let failure):
      stop(Failure(failure.status, "line \(lineNumber.grouped) \(failure.message)"))
    }
    return true
  }

  /// Asks for a step; one that no daemon would take is settled before this returns.
  private func takeStep(_ actions: [JSON]) {
    isTakingLine = true
    defer { isTakingLine = false }
    guard let step = conversation.ask({ $0.dispatch(actions, preconditions: conditions) }) else {
      return
    }
    if settledWhileAsked != step { lines[step] = lineNumber }
    settledWhileAsked = nil
  }

  private static func read(_ line: UnsafeRawBufferPointer) -> Result<[JSON]?, Failure> {
    Result { () throws(Failure) in try StepLine.read(line) }
  }

  /// Takes no more input; what was sent is still settled.
  private func stop(_ failure: Failure) {
    fault = failure
  }

  private func settle(_ step: RemoteSession.Step, _ settlement: ServerMessage.Settlement) {
    let line = lines.removeValue(forKey: step) ?? lineNumber
    if isTakingLine { settledWhileAsked = step }
    if call.isJSON { printAnswer(settlement.json, line) }
    switch settlement.result {
    case .success: tally.accepted += 1
    case .failure(let failure):
      tally.rejected += 1
      if !call.isJSON {
        progress.clear()
        call.complaints.print("dux: line \(line.grouped): \(Failure.text(of: failure))")
        call.complaints.flush()
      }
    }
  }

  private func printAnswer(_ json: JSON, _ line: Int) {
    var object = json.objectValue ?? [:]
    object["line"] = .integer(Int64(line))
    call.output.print(JSON.object(object).description)
  }

  private func summarize() {
    progress.clear()
    let output = call.isJSON ? call.complaints : call.output
    output.print(tally.text(unknown: lines.count))
    call.output.flush()
    call.complaints.flush()
  }
}
