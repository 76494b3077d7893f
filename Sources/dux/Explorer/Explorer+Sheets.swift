import DuxEngine
import DuxJSON
import DuxProtocol
import DuxTerminal

/// What is shown on top of the screen, and what is copied.
extension Explorer {
  var selectedPath: JSONPointer? {
    switch pane {
    case .state: search == nil ? tree.selected?.path : search?.selected
    case .log: log.selected?.changes.first?.path
    case .people, .effects: nil
    }
  }

  var selectedValue: JSON? {
    switch pane {
    case .state:
      search == nil ? tree.selected?.value : search?.selected.flatMap { state?.value(at: $0) }
    case .log: log.selected.map { .array(JSONArray($0.actions)) }
    case .people: people.selected?.state
    case .effects: nil
    }
  }

  mutating func showSelected() {
    switch pane {
    case .state:
      guard let path = selectedPath, let value = selectedValue else { return }
      sheet = .text(
        title: path.isRoot ? "the whole state" : path.description.printable,
        lines: ValueLines.lines(of: value), top: 0)
    case .log:
      guard let step = log.selected else { return }
      sheet = .text(title: "seq \(step.seq)", lines: step.detailLines.map(\.text), top: 0)
    case .people:
      guard let person = people.selected else { return }
      sheet = .text(
        title: person.client.printable,
        lines: person.state.map { ValueLines.lines(of: $0) } ?? ["(says nothing of itself)"], top: 0
      )
    case .effects:
      guard let effect = effects.selected else { return }
      sheet = .text(title: effect.name.printable, lines: EffectLines.lines(of: effect), top: 0)
    }
  }

  mutating func copy(_ text: String?, _ name: String) {
    guard let text else { return tell("there is no \(name) to copy", isFailure: true) }
    guard text.utf8.count <= Self.copyLimit else {
      return tell("the \(name) is too long for the clipboard", isFailure: true)
    }
    wishes.append(.copy(text))
    tell("copied the \(name), if the terminal allows that: \(text.printable.cut(to: 40))")
  }

  /// More than terminals take.
  private static let copyLimit = 65_536

  mutating func askToCancel() {
    guard pane == .effects, let effect = effects.selected else {
      return tell("select an effect first (4)", isFailure: true)
    }
    sheet = .cancel(key: effect.key, name: effect.name)
  }

  mutating func take(inSheet key: Key, _ session: RemoteSession) {
    let command = ExplorerKeys.map[key]
    if case .cancel(let effect, _) = sheet {
      sheet = nil
      guard key == "y" else { return tell("not cancelled") }
      reads[session.cancel(key: effect)] = .cancel(key: effect)
      return
    }
    switch command {
    case .up: scrollSheet(by: -1)
    case .down: scrollSheet(by: 1)
    case .pageUp: scrollSheet(by: -10)
    case .pageDown: scrollSheet(by: 10)
    case .top: scrollSheet(by: -.max / 2)
    case .bottom: scrollSheet(by: .max / 2)
    case .copyPath: copy(selectedPath?.description, "path")
    case .copyValue: copy(selectedValue?.description, "value")
    case .redraw: wishes.append(.redraw)
    default: sheet = nil
    }
  }

  mutating func scrollSheet(by distance: Int) {
    switch sheet {
    case .help(let top)?:
      sheet = .help(top: max(0, min(top + distance, ExplorerKeys.map.help.count - 1)))
    case .text(let title, let lines, let top)?:
      sheet = .text(title: title, lines: lines, top: max(0, min(top + distance, lines.count - 1)))
    case .cancel?, nil: break
    }
  }
}
