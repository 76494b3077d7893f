import DuxStore
import DuxTerminal
import Navigator

/// One screen, whichever it is.
struct ScreenView: View {
  private let program: NavigatorProgram
  private let stop: TrailStop
  private let moment: Moment
  private let isSeen: Bool

  init(_ program: NavigatorProgram, _ stop: TrailStop, _ moment: Moment, isSeen: Bool) {
    self.program = program
    self.stop = stop
    self.moment = moment
    self.isSeen = isSeen
  }

  var body: some View {
    switch stop.screen {
    case .menu: MenuView(openDrafts: moment.home.drafts.filter { $0.status != .submitted }.count)
    case .numberList:
      List(NumberRows.all, program.number, name: "numbers", isFocused: isSeen) { number, _ in
        Text(" \(number)").truncated()
      }
    case .number(let number): NumberView(number: number)
    case .step(let step): stepView(step).padding(horizontal: 1)
    }
  }

  @ViewBuilder private func stepView(_ step: SignUpStep) -> ViewGroup {
    switch step {
    case .name: fields(["First name", "Last name"], "")
    case .dateOfBirth: fields(["Date of birth"], "1990-12-31")
    case .job:
      Text("What do you do?").role(.title)
      List(JobRows.all, program.job, name: "jobs", isFocused: isSeen) { job, _ in
        Text(" \(job == moment.home.openDraft?.job ? "✓" : " ") \(job)").truncated()
      }
    case .final: if let draft = moment.home.openDraft { FinalView(draft: draft) }
    }
  }

  private func fields(_ titles: [String], _ placeholder: String) -> VStack {
    let typing = program.typing(moment)
    return VStack(spacing: 1) {
      Text("Sign up").role(.title)
      for (index, title) in titles.enumerated() where typing.fields.indices.contains(index) {
        HStack {
          Text(title).frame(width: 14)
          TextField(
            typing.fields[index], placeholder: placeholder,
            isFocused: isSeen && program.overlay == nil && index == typing.focus
          ).frame(width: 30)
        }
      }
    }
  }
}

/// What there is to do.
struct MenuView: View {
  let openDrafts: Int

  var body: some View {
    VStack {
      Text("")
      Text("  1  Numbers").bold()
      Text("     from one to its double, and back").role(.secondary)
      Text("")
      Text("  2  Sign up").bold()
      Text(openDrafts == 0 ? "     a form in steps" : "     go on with the form that you began")
        .role(.secondary)
    }
  }
}

/// A number.
struct NumberView: View {
  let number: Int

  var body: some View {
    VStack {
      Text("")
      Text("  \(number)").bold()
      Text("")
      Text("  i  one more        l  one more in a second").role(.secondary)
      Text("  d  show its double r  show a random number").role(.secondary)
    }
  }
}

/// All that was entered, to be sent in.
struct FinalView: View {
  let draft: SignUpDraft

  var body: some View {
    VStack {
      Text("Is this right?").role(.title)
      Text("")
      Text("1  Name           \(draft.firstName) \(draft.lastName)").truncated()
      Text("2  Date of birth  \(draft.dateOfBirth)").truncated()
      Text("3  Job            \(draft.job)").truncated()
      Text("")
      switch draft.status {
      case .editing: Text("Enter sends it in").role(.accent)
      case .submitting: Text("… on its way").role(.warning)
      case .submitted: Text("✓ Welcome, \(draft.firstName)! Enter closes the form").role(.success)
      case .failed: Text("✗ it did not arrive; Enter sends it in again").role(.failure)
      }
    }
  }
}
