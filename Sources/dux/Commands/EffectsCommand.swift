import DuxCommandLine
import DuxEngine
import DuxJSON
import DuxProtocol

/// `dux effects`: what the daemon does because actions asked for it.
enum EffectsCommand {
  static let tool = Tool(
    command: Command(
      name: "effects",
      summary: "Print the effects that have not ended: work that actions asked for.",
      discussion: """
        A line tells an effect's key, what it does now, its name, the part of the app that owns it, \
        the step, action and client that asked for it, how often it was tried, and how the last try \
        failed. Where there are none, that is said on standard error.

        With --json it prints an object for each, {"key":"…","kind":"command","state":"retrying",…}, \
        and nothing where there are none.
        """,
      examples: [
        Example("dux effects", summary: "Print a table"),
        Example(
          "dux effects --json | grep '\"state\":\"retrying\"'", summary: "Print the failing ones"),
      ], subcommands: [CancelCommand.tool.command], standsAlone: true),
    subtools: [CancelCommand.tool]
  ) { (call) throws(Failure) in
    try Conversation(call).run {
      _ = $0.effects(limit: Limits.maximumListedEffects)
    } onEvent: { (event) throws(Failure) in
      switch event {
      case .answer(_, _, let json, _):
        try print(json, call)
        return .success
      case .failed(_, let failure):
        throw Failure(failure)
      default:
        return nil
      }
    }
  }

  private static func print(_ json: JSON, _ call: Call) throws(Failure) {
    let list: EffectList
    do throws(RequestError) {
      list = try EffectList(json)
    } catch {
      throw Failure(.internal, "the daemon's list cannot be read: " + error.message)
    }
    if call.isJSON {
      for effect in json["effects"]?.arrayValue ?? [] { call.output.print(effect.description) }
    } else if list.effects.isEmpty {
      call.note("there are no effects at seq \(list.seq)")
    } else {
      let columns = call.output.terminal.isInteractive ? call.output.terminal.columns : .max / 2
      for line in table(list.effects, TableText(style: call.output.style, columns: columns)) {
        call.output.print(line)
      }
    }
    call.output.flush()
    if list.hasMore { call.note("there are more than these \(list.effects.count.grouped)") }
  }

  private static let header = ["KEY", "STATE", "NAME", "SCOPE", "ASKED BY", "TRIES", "LAST ERROR"]
  /// Columns that a name may fill; a key is never cut, for it is there to be copied.
  private static let longestName = 40

  /// Effects as lines for people.
  static func table(_ effects: [ListedEffect], _ text: TableText) -> [String] {
    text.lines(
      header: header,
      rows: effects.map { effect in
        [
          TableText.Cell(effect.key.printable), state(of: effect), name(effect.name),
          name(effect.scope.isEmpty ? "-" : effect.scope),
          TableText.Cell(
            "\(effect.cause) \(effect.action.printable.cut(to: longestName)), "
              + effect.author.printable.cut(to: longestName)),
          TableText.Cell("\(effect.attempts)"),
          TableText.Cell(effect.error?.printable ?? "", .red),
        ]
      })
  }

  private static func name(_ name: String) -> TableText.Cell {
    TableText.Cell(name.printable.cut(to: longestName))
  }

  private static func state(of effect: ListedEffect) -> TableText.Cell {
    guard effect.state == .retrying else { return name(effect.state.rawValue) }
    let wait = effect.retryMs.map { " in " + ClockText.wait($0) } ?? ""
    return TableText.Cell(effect.state.rawValue + wait, .yellow)
  }
}
