import DuxClient
import DuxStore
import DuxTerminal
import Navigator

extension NavigatorProgram {
  func view(of shared: Shared<State>, in size: Size) -> some View {
    let moment = Moment(shared)
    return VStack {
      TrailLine(trail: moment.trail, following: moment.following)
      Divider()
      HStack(spacing: 1) {
        screens(moment).filling()
        if size.columns >= 70 {
          Divider(.vertical)
          PeopleList(people: Person.all(shared)).frame(width: 26)
        }
      }
      .priority(1)
      .fillingHeight()
      if let refusal { Banner(refusal, .failure) }
      KeyHints(hints(moment)).padding(horizontal: 1)
      StatusLine("dux-navigator", shared, who: shared.presence.map(\.client))
    }
    .sheet(overlayTitle) { overlayView(shared, moment) }
  }

  /// The screen that is seen: over the one below if it is a sheet.
  private func screens(_ moment: Moment) -> some View {
    let isSheet = if case .sheet? = moment.top?.style { true } else { false }
    let below = isSheet ? moment.trail.dropLast().last { !$0.isSheet } : nil
    return VStack {
      if let below, let top = moment.top {
        ScreenView(self, below, moment, isSeen: false).filling()
          .sheet(top.title) { ScreenView(self, top, moment, isSeen: true) }
      } else if let top = moment.top {
        ScreenView(self, top, moment, isSeen: true).filling()
      }
    }
  }

  private func hints(_ moment: Moment) -> [(keys: String, help: String)] {
    if moment.isWatching {
      return [
        ("u", "Go your own way"), ("f", "Follow another"), ("?", "These keys"),
        ("q", "Leave and quit"),
      ]
    }
    if !moment.entered.isEmpty {
      return [("Enter", "Next"), ("Tab", "Next field")] + NavigatorKeys.everywhere.help
    }
    return keys(of: moment).help + NavigatorKeys.letters.help
  }

  private func keys(of moment: Moment) -> KeyMap<KeyCommand> {
    switch moment.top?.screen {
    case .number: NavigatorKeys.number
    case .numberList: NavigatorKeys.list
    case .step(.final): NavigatorKeys.final
    default: KeyMap([])
    }
  }

  private var overlayTitle: String {
    switch overlay {
    case .help, nil: "Keys"
    case .link: "Open a link"
    case .follow: "Follow"
    }
  }

  @ViewBuilder private func overlayView(
    _ shared: Shared<State>, _ moment: Moment
  ) -> ViewGroup {
    switch overlay {
    case .help: KeyHelp(hints(moment))
    case .link(let draft):
      Text("numbers/2/4, signUp/job, or nothing for the menu").role(.secondary)
      TextField(draft, placeholder: "numbers/…").frame(width: .flexible(min: 10, ideal: 44))
    case .follow(let position):
      let rows = ArrayRows(FollowChoice.all(in: shared.state, but: moment.client))
      List(rows, position, name: "follow") { choice, _ in Text(choice.title).truncated() }
        .frame(width: .flexible(min: 10, ideal: 44), height: .fixed(min(rows.count, 12)))
    case nil: ViewGroup {}
    }
  }
}

/// The way from the menu to the screen that is seen.
struct TrailLine: View {
  let trail: [TrailStop]
  let following: Followed?

  var body: some View {
    HStack(spacing: 1) {
      Text(trail.map(\.title).joined(separator: " › ")).bold().truncated(.head).priority(1)
      Spacer()
      switch following {
      case .client(let name)?: Text("👁 watching \(name)").role(.warning).truncated()
      case .shared(let name)?: Text("with all on \"\(name)\"").role(.accent).truncated()
      case nil: Text("")
      }
    }
    .padding(horizontal: 1)
  }
}

/// Who goes through the app, and where they are.
struct Person: Identifiable, Equatable {
  let id: String
  let whereabouts: String
  let isMe: Bool
  let isHere: Bool

  /// All who have screens of their own, or follow others.
  static func all(_ shared: Shared<NavigatorApp.State>) -> [Person] {
    let here = Set(shared.presence.map(\.client))
    let navigators = shared.state.navigators
    return navigators.clients.map { client in
      let place =
        switch client.following {
        case .client(let name)?: "watches \(name)"
        case .shared(let name)?: "on \"\(name)\""
        case nil: client.content.trail.last?.title ?? ""
        }
      return Person(
        id: client.id, whereabouts: place, isMe: client.id == shared.client,
        isHere: here.contains(client.id))
    }
  }
}

/// Everybody, one below the other.
struct PeopleList: View {
  let people: [Person]

  var body: some View {
    VStack {
      Text("People").role(.title)
      if people.isEmpty { Text("nobody has begun").role(.secondary) }
      for person in people.prefix(20) {
        Text("\(person.isHere ? "●" : "○") \(person.id)\(person.isMe ? " (you)" : "")").truncated()
        Text("  \(person.whereabouts)").role(.secondary).truncated()
      }
      if people.count > 20 { Text("and \(people.count - 20) more").role(.secondary) }
    }
  }
}

extension TrailStop {
  /// What the screen is called.
  var title: String {
    switch screen {
    case .menu: "Menu"
    case .numberList: "Numbers"
    case .number(let number): "\(number)"
    case .step(.name): "Name"
    case .step(.dateOfBirth): "Date of birth"
    case .step(.job): "Job"
    case .step(.final): "Sign up"
    }
  }

  /// Whether it covers but a part of what lies below.
  var isSheet: Bool {
    if case .sheet = style { true } else { false }
  }
}
