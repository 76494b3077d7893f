import DuxClient
import DuxEngine
import DuxNetwork
import DuxTerminal
import Glibc

/// One run of `dux tui`: the terminal and the session on one loop.
final class Exploring {
  private let loop: EventLoop
  private let host: TerminalHost
  private let file: HistoryFile?
  private var explorer: Explorer
  private var client: RemoteClient?
  private var plan: ScreenPlan
  private var timer: LoopTimer?

  /// Makes a run; nothing has happened to the terminal yet.
  init(_ call: Call, _ environment: [String: String]) throws(Failure) {
    do throws(NetworkError) {
      loop = try EventLoop()
    } catch {
      throw Failure(.internal, error.description)
    }
    do throws(TerminalError) {
      host = try TerminalHost(on: loop)
    } catch {
      throw Failure(.usage, error.description)
    }
    file = HistoryFile(environment: environment)
    let history = History(file?.read() ?? [])
    file?.shorten(to: history.lines)
    explorer = Explorer(place: call.endpoint.description, client: call.client, history: history)
    plan = ScreenPlan(.zero, pane: .state)
    let configuration = RemoteSession.Configuration(
      client: call.client, backoff: Backoff(firstMs: 250, greatestMs: 10_000), steadyMs: 5_000,
      window: Conversation.window)
    client = RemoteClient(to: call.endpoint, loop: loop, configuration: configuration) {
      [unowned self] event in
      handle { explorer, session in explorer.take(event, session) }
    }
  }

  /// Runs until it is quit.
  func run() throws(Failure) -> ExitStatus {
    host.onEvent = { [unowned self] event in
      handle { explorer, session in explorer.take(event, plan, session) }
      return .nothing
    }
    host.onDraw = { [unowned self] size in draw(in: size) }
    client?.ask { explorer.begin($0) }
    client?.start()
    defer {
      client?.stop()
      client = nil
      loop.close()
    }
    do throws(TerminalError) {
      let status = try host.run()
      // What a signal ends has no other name in this program's table.
      if status > 128 { exit(status) }
    } catch {
      throw Failure(.usage, error.description)
    }
    return .success
  }

  /// Lets the explorer take something, and does what it wants done.
  private func handle(_ body: (inout Explorer, RemoteSession) -> Void) {
    explorer.nowMs = ClockText.now()
    client?.ask { body(&explorer, $0) }
    for wish in explorer.takeWishes() { carryOut(wish) }
    host.needsDrawing()
  }

  private func carryOut(_ wish: Explorer.Wish) {
    switch wish {
    case .quit: host.end(0)
    case .redraw: host.needsDrawingAnew()
    case .copy(let text): host.copy(text)
    case .keep(let line):
      if let code = file?.append(line) {
        explorer.tell(
          "the history cannot be kept: \(String(cString: strerror(code)))", isFailure: true)
      }
    }
  }

  private func draw(in size: Size) -> Grid {
    let nowMs = ClockText.now()
    client?.ask { explorer.advance(to: nowMs, $0) }
    plan = ScreenPlan(size, pane: explorer.pane)
    explorer.settle(plan)
    let grid = render(ExplorerScreen(explorer: explorer, plan: plan), size: size)
    timer?.cancel()
    if let due = explorer.dueMs {
      timer = loop.timer(after: .milliseconds(max(0, due - nowMs))) { [unowned self] in
        host.needsDrawing()
      }
    }
    return grid
  }
}
