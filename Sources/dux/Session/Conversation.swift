import DuxClient
import DuxCommandLine
import DuxEngine
import DuxNetwork
import DuxProtocol

/// A session with the daemon, run on the calling thread until something ends it.
///
/// It knows what all commands share: a daemon that is not there, one that is lost and found again,
/// one that keeps silent, and one that ends the session.
final class Conversation {
  /// What becomes of a daemon that can't be reached.
  enum Patience {
    /// It has to be there at once; later it may be lost or silent for as long as `--timeout` says.
    case limited
    /// It has to be there at once; later it is waited for without limit.
    case endless
    /// It is waited for without limit, from the start.
    case endlessFromStart
  }

  let call: Call
  let loop: EventLoop
  private let patience: Patience
  private var client: RemoteClient?
  private var onEvent: ((RemoteSession.Event) throws(Failure) -> ExitStatus?)?
  private var result: Result<ExitStatus, Failure>?
  private var lastHeard = Duration.zero
  /// Whether the daemon owes an answer; while it does not, its silence is no fault.
  var awaitsAnswer = true {
    didSet { if awaitsAnswer, !oldValue { lastHeard = loop.now } }
  }
  private var hasBeenLive = false
  private var isLost = false
  private var refusal: ServerMessage.Failure?
  /// What has to be done when the result is known, before the run ends, such as ending a program.
  var lastWork: ((_ done: @escaping () -> Void) -> Void)?

  /// Steps on their way at a time: fewer than the outcomes a daemon remembers of a client.
  static let window = 256

  init(_ call: Call, patience: Patience = .limited) throws(Failure) {
    self.call = call
    self.patience = patience
    do throws(NetworkError) {
      loop = try EventLoop()
    } catch {
      throw Failure(.internal, error.description)
    }
  }

  /// Asks the first things of the session, and runs until an event is answered with a status, or
  /// ``finish(_:)``.
  func run(
    begin: (RemoteSession) -> Void,
    onEvent: @escaping (RemoteSession.Event) throws(Failure) -> ExitStatus?
  ) throws(Failure) -> ExitStatus {
    self.onEvent = onEvent
    let configuration = RemoteSession.Configuration(
      client: call.client, backoff: Backoff(firstMs: 250, greatestMs: 30_000), steadyMs: 5_000,
      window: Self.window)
    let client = RemoteClient(to: call.endpoint, loop: loop, configuration: configuration) {
      [unowned self] in handle($0)
    }
    self.client = client
    client.ask(begin)
    client.start()
    lastHeard = loop.now
    if patience == .limited { checkSilence(after: call.timeout) }
    if result == nil { loop.run() }
    client.stop()
    self.client = nil
    loop.close()
    return try result?.get() ?? .success
  }

  /// Asks something of the session; `nil` when it is over.
  @discardableResult
  func ask<Answer>(_ body: (RemoteSession) -> Answer) -> Answer? {
    client?.ask(body)
  }

  /// Ends the process, while nothing happens too, once nobody reads the output any more.
  func endWhenAbandoned() {
    loop.timer(after: Self.abandonmentCheck, repeating: Self.abandonmentCheck) { [call] in
      if call.output.isAbandoned { call.output.endAbandoned() }
    }
  }

  private static let abandonmentCheck = Duration.milliseconds(500)

  /// Ends the run.
  func finish(_ result: Result<ExitStatus, Failure>) {
    guard self.result == nil else { return }
    self.result = result
    guard let lastWork else { return loop.stop() }
    lastWork { [loop] in loop.stop() }
  }

  /// Looks after a time whether the daemon has been silent for too long.
  private func checkSilence(after wait: Duration) {
    loop.timer(after: wait) { [unowned self] in
      guard result == nil else { return }
      let isOwed = awaitsAnswer || isLost
      let left = isOwed ? call.timeout - (loop.now - lastHeard) : call.timeout
      if left > .zero { checkSilence(after: left) } else { giveUp() }
    }
  }

  private func handle(_ event: RemoteSession.Event) {
    guard result == nil else { return }
    switch event {
    case .live:
      if isLost, patience == .limited { call.note("the daemon is back") }
      hasBeenLive = true
      isLost = false
    case .waiting(let afterMs, let reason):
      lost(reason, afterMs)
    case .postponed(let failure, let afterMs):
      refusal = failure
      call.note("\(Failure.text(of: failure)); retrying in \(ClockText.wait(afterMs))")
    case .ended(let failure):
      finish(.failure(ended(failure)))
    case .status, .returned, .cancelled:
      return
    default:
      refusal = nil
      lastHeard = loop.now
    }
    guard result == nil, let onEvent else { return }
    do throws(Failure) {
      if let status = try onEvent(event) { finish(.success(status)) }
    } catch {
      finish(.failure(error))
    }
  }

  private func lost(_ reason: String, _ afterMs: Int64) {
    if !hasBeenLive, patience != .endlessFromStart { return finish(.failure(unreachable(reason))) }
    let what = hasBeenLive && !isLost ? "connection lost: " : ""
    if !isLost { lastHeard = loop.now }
    isLost = true
    call.note("\(what)\(reason.printable); retrying in \(ClockText.wait(afterMs))")
  }

  private func unreachable(_ reason: String) -> Failure {
    guard let error = client?.lastError, error.isConnectionRefused || error.isNotFound,
      !error.isUnknownHost
    else { return Failure(.unavailable, reason.printable) }
    return Failure(
      .unavailable,
      "no daemon at \(call.endpoint): start one with duxd, or say with --connect where it is")
  }

  private func ended(_ failure: ServerMessage.Failure) -> Failure {
    guard failure.code == ErrorCode.replaced.rawValue else { return Failure(failure) }
    return Failure(
      .rejected,
      "replaced: another connection took over the client name \"\(call.client.printable)\"; give"
        + " each its own with --client")
  }

  private func giveUp() {
    if let refusal {
      return finish(.failure(Failure(.temporary, Failure.text(of: refusal))))
    }
    let limit = DurationText.text(call.timeout)
    let problem = isLost ? "was lost and did not come back" : "did not answer"
    finish(
      .failure(
        Failure(.unavailable, "the daemon at \(call.endpoint) \(problem) within \(limit)")))
  }
}
