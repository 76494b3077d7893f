import DuxClient
import DuxStore
import DuxTerminal
import Glibc

/// A program that shows what it was told, and breaks when it is asked to.
struct SampleProgram: TerminalProgram {
  private var last = "nothing"
  private var refusal = ""
  private var pastes = 0
  private var isTicking = false
  private var isTyping = false

  mutating func take(
    _ event: InputEvent, _ shared: Shared<Sample.State>, _ dispatch: Dispatch<Sample.Action>
  ) -> Reaction {
    switch event {
    case .key(let key):
      last = "key \(key)"
      return take(key, dispatch)
    case .paste(let text):
      pastes += 1
      let controls = text.unicodeScalars.filter { $0.properties.generalCategory == .control }
      last =
        "paste \(text.unicodeScalars.count) scalars, \(controls.filter { $0 != "\n" && $0 != "\t" }.count) controls"
    case .mouse(let mouse):
      last = "mouse \(mouse.action) \(mouse.position.column),\(mouse.position.row)"
    case .resize(let size): last = "resize \(size.columns)x\(size.rows)"
    case .focusGained, .focusLost: last = "focus"
    }
    return .redraw
  }

  private mutating func take(_ key: Key, _ dispatch: Dispatch<Sample.Action>) -> Reaction {
    switch key {
    case "+": dispatch(.add(1))
    case "-": dispatch(.add(-1))
    case "f": for _ in 0..<1_000 { dispatch(.add(1)) }
    case "q": return .quit
    case .control("c"): return .quit(status: 3)
    case "s": return .suspend
    case "t": isTicking.toggle()
    case "i": isTyping.toggle()
    case "e": complain()
    case "!": trap()
    case "#": abort()
    case "x": exit(5)
    default: break
    }
    return .redraw
  }

  private func complain() {
    let line = Array("said on standard error\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }

  private func trap() {
    let numbers: [Int] = []
    print(numbers[last.count])
  }

  mutating func take(
    settled outcome: RemoteOutcome, of actions: [WireAction], _ shared: Shared<Sample.State>
  ) -> Reaction {
    guard case .rejected(let refusal) = outcome else { return .nothing }
    self.refusal = refusal.message
    return .redraw
  }

  func redrawInterval(_ shared: Shared<Sample.State>) -> Duration? {
    isTicking ? .milliseconds(100) : nil
  }

  func view(of shared: Shared<Sample.State>, in size: Size) -> some View {
    VStack(alignment: .leading) {
      Text("count \(shared.state.count), \(Self.word(for: shared.status))")
      Text("last: \(last)")
      Text("size \(size.columns)x\(size.rows), \(pastes) pastes, \(shared.presence.count) here")
      Text("日本語|👩‍💻|❤️|e\u{301}|🇩🇪|👍🏽|ｱ|")
      Text("red").foreground(.basic(.red)) + Text("orange").foreground(.indexed(208))
        + Text("bold").bold()
      Text(isTicking ? "now \(shared.nowMs)" : "still")
      Text(refusal)
      TextField(Draft("日本語👩‍💻e\u{301}|"), isFocused: isTyping)
    }
  }

  private static func word(for status: ConnectionStatus) -> String {
    switch status {
    case .connecting: "connecting"
    case .live: "live"
    case .stale: "stale"
    case .offline: "offline"
    case .ended(let reason): "ended \(reason.code)"
    }
  }
}
