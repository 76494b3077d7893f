import DuxStore
import DuxTerminal
import Navigator

extension NavigatorProgram {
  /// Takes an event on a step of the form.
  mutating func takeStep(
    _ step: SignUpStep, _ event: InputEvent, _ shared: Shared<State>, _ moment: Moment,
    _ dispatch: Dispatch<Action>
  ) -> Reaction {
    switch step {
    case .name, .dateOfBirth: takeFields(step, event, moment, dispatch)
    case .job: takeJob(event, shared, moment, dispatch)
    case .final: takeFinal(event, moment, dispatch)
    }
  }

  private mutating func takeFields(
    _ step: SignUpStep, _ event: InputEvent, _ moment: Moment, _ dispatch: Dispatch<Action>
  ) -> Reaction {
    var typing = typing(moment)
    guard !typing.fields.isEmpty else { return .nothing }
    switch event {
    case .key(Key(.enter)):
      let texts = typing.fields.map(\.text)
      let isName = step == .name && texts.count == 2
      let action: SignUpStep.Action =
        isName
        ? .name(.complete(first: texts[0], last: texts[1]))
        : .dateOfBirth(.complete(texts.joined()))
      return tell(.step(action), moment, dispatch)
    case .key(Key(.tab)), .key(Key(.down)):
      typing.focus = (typing.focus + 1) % typing.fields.count
    case .key(Key(.backTab)), .key(Key(.up)):
      typing.focus = (typing.focus + typing.fields.count - 1) % typing.fields.count
    default: guard typing.fields[typing.focus].take(event) else { return .nothing }
    }
    self.typing = typing
    return .redraw
  }

  /// What is typed on the screen that is seen: what was entered there, until a key changes it.
  func typing(_ moment: Moment) -> Typing {
    if let typing, typing.place == moment.place { return typing }
    return Typing(place: moment.place, fields: moment.entered.map { Draft($0) })
  }

  private mutating func takeJob(
    _ event: InputEvent, _ shared: Shared<State>, _ moment: Moment, _ dispatch: Dispatch<Action>
  ) -> Reaction {
    let rows = JobRows.all
    if event == .key(Key(.enter)), let row = job.selection(in: rows).flatMap({ rows.row(at: $0) }) {
      return tell(.step(.job(.complete(row))), moment, dispatch)
    }
    return job.take(event, in: rows, shared.layout, name: "jobs") ? .redraw : .nothing
  }

  private mutating func takeFinal(
    _ event: InputEvent, _ moment: Moment, _ dispatch: Dispatch<Action>
  ) -> Reaction {
    if event == .key(Key(.enter)) {
      let isDone = moment.home.openDraft?.status == .submitted
      return tell(.step(.final(isDone ? .done : .submit)), moment, dispatch)
    }
    let step: SignUpStep
    switch NavigatorKeys.final[event] {
    case .changeName: step = .name
    case .changeDate: step = .dateOfBirth
    case .changeJob: step = .job
    default: return .nothing
    }
    return tell(.step(.final(.change(step: step.kind ?? ""))), moment, dispatch)
  }
}

/// The jobs to choose from.
enum JobRows {
  static var all: IndexRows<String> {
    IndexRows(count: SignUpDraft.jobs.count) { SignUpDraft.jobs[$0] }
  }
}
