import DuxClient
import DuxJSON
import DuxNetwork
import DuxStore

/// A program that runs on a terminal, from taking it over to giving it back.
final class ProgramRun<Program: TerminalProgram> {
  private var program: Program
  private let name: String
  private let store: RemoteStore<Program.State, Program.Action>
  private let loop: EventLoop
  private let host: TerminalHost
  private var layout = Layout()
  private var redrawTimer: LoopTimer?
  private var saidPresence: JSONObject?
  private var areChangesSaved = false

  init(
    _ program: Program, name: String, store: RemoteStore<Program.State, Program.Action>
  ) throws(TerminalError) {
    self.program = program
    self.name = name
    self.store = store
    loop = try TerminalError.wrapping { () throws(NetworkError) in try EventLoop() }
    host = try TerminalHost(on: loop)
  }

  /// Runs until the program, or a signal, ends it.
  ///
  /// - Returns: the status to end the process with.
  func run() throws(TerminalError) -> Int32 {
    let news = try listen()
    let outcomes = try readSettlements()
    let reading = outcomes.reading
    defer {
      reading.cancel()
      news.forEach { $0.cancel() }
      loop.close()
    }
    let dispatch = Dispatch<Program.Action> { [store] action in
      let receipt = store.dispatch(action)
      // Of what comes after the end of the session no reader of outcomes is told any more.
      guard case .ended = store.status, let outcome = receipt.result else { return }
      outcomes.mailbox.post((outcome, []))
    }
    host.onEvent = { [unowned self] in program.take($0, shared, dispatch) }
    host.onDraw = { [unowned self] in draw(in: $0) }
    program.appear(shared, dispatch)
    let status = try host.run()
    try letChangesGo()
    return status
  }

  /// Gives what was dispatched last a moment to reach the daemon, or the folder of the offline queue.
  private func letChangesGo() throws(TerminalError) {
    redrawTimer?.cancel()
    let saving = try TerminalError.wrapping { () throws(NetworkError) in
      try Mailbox<Void>(on: loop) { [unowned self] _ in areChangesSaved = true }
    }
    let task = Task { [store] in
      try? await store.saved()
      saving.post(())
    }
    defer { task.cancel() }
    let patience = loop.timer(after: Self.patience) { [unowned self] in loop.stop() }
    defer { patience.cancel() }
    loop.atEndOfTurn = { [unowned self] in
      let isDone = store.snapshot.pendingCount == 0
      if isDone || areChangesSaved && store.status != .live { loop.stop() }
    }
    loop.run()
  }

  // What comes from the store.

  private func listen() throws(TerminalError) -> [Subscription] {
    let wakeup = try TerminalError.wrapping { () throws(NetworkError) in
      try loop.makeWakeup { [unowned self] in host.needsDrawing() }
    }
    return [
      store.subscribe(initial: .none) { _ in wakeup.wake() },
      store.onStatus { _ in wakeup.wake() },
      store.onPresence { _ in wakeup.wake() },
    ]
  }

  private typealias Outcome = (RemoteOutcome, of: [WireAction])

  private func readSettlements() throws(TerminalError) -> (
    mailbox: Mailbox<Outcome>, reading: Task<Void, Never>
  ) {
    let mailbox = try TerminalError.wrapping { () throws(NetworkError) in
      try Mailbox<Outcome>(on: loop, atOnce: Self.settlementsAtOnce) { [unowned self] in
        for (outcome, actions) in $0 {
          host.react(program.take(settled: outcome, of: actions, shared))
        }
      }
    }
    let settlements = store.settlements
    let reading = Task {
      for await settlement in settlements {
        mailbox.post((settlement.outcome, of: settlement.actions))
      }
    }
    return (mailbox, reading)
  }

  private var shared: Shared<Program.State> {
    let snapshot = store.snapshot
    return Shared(
      state: snapshot.state, status: store.status, pendingCount: snapshot.pendingCount,
      presence: store.presence, nowMs: WallClock.nowMs, client: store.name, layout: layout)
  }

  private func sayPresence() {
    var object = program.presence
    object["program"] = .string(name)
    guard object != saidPresence else { return }
    saidPresence = object
    // JSON is what it is, so it has no value that could not be written.
    try? store.setPresence(JSON.object(object))
  }

  private func draw(in size: Size) -> Grid {
    let shared = shared
    let grid = render(program.view(of: shared, in: size), size: size)
    layout = grid.layout
    sayPresence()
    redrawTimer?.cancel()
    if let interval = program.redrawInterval(shared) {
      redrawTimer = loop.timer(after: max(interval, TerminalHost.frameInterval)) {
        [unowned self] in host.needsDrawing()
      }
    }
    return grid
  }
}

extension ProgramRun {
  /// So many outcomes are told before anything else has its turn.
  private static var settlementsAtOnce: Int { 256 }
  /// How long the end of a program may take.
  private static var patience: Duration { .seconds(1) }
}
