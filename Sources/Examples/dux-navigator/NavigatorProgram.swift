import DuxClient
import DuxStore
import DuxTerminal
import Navigator

/// What a terminal shows of the app `navigator`, and what its keys do.
///
/// The screens are in the state; the program never edits them, it asks for operations. What is typed and not
/// yet entered, and which row is selected, is this terminal's alone.
struct NavigatorProgram: TerminalProgram {
  typealias State = NavigatorApp.State
  typealias Action = NavigatorApp.Action

  /// What lies over the screens.
  enum Overlay: Equatable {
    case help
    /// Where a link is typed.
    case link(Draft)
    /// Whom to follow is chosen.
    case follow(ListPosition<FollowChoice.ID>)
  }

  /// What is typed on a step of the form, from the first key on until it is entered.
  struct Typing: Equatable {
    /// The screen that it is typed on.
    var place: Moment.Place
    var fields: [Draft]
    var focus = 0
  }

  var overlay: Overlay?
  var typing: Typing?
  /// The row of the list that is seen; each kind of list has its own.
  var number = ListPosition<Int>()
  var job = ListPosition<Int>()
  /// The last refusal, until a key is pressed.
  var refusal: String?
  /// How many steps that lead to other screens have no outcome yet.
  ///
  /// Until then the ids of new screens are this terminal's guess, and mean nothing to the daemon.
  var movesOnTheirWay = 0
  var isLeaving = false

  mutating func take(
    settled outcome: RemoteOutcome, of actions: [WireAction], _ shared: Shared<State>
  ) -> Reaction {
    if actions.contains(where: { Self.isMove($0.type) }) {
      movesOnTheirWay = max(0, movesOnTheirWay - 1)
    }
    if isLeaving { return .quit }
    if typing?.place != Moment(shared).place { typing = nil }
    if let problem = outcome.problem { refusal = problem.message }
    return .redraw
  }

  /// Whether a step leads to another screen, by its type.
  static func isMove(_ type: String) -> Bool {
    let last = type.split(separator: "/").last ?? ""
    return !["increment", "incrementLater", "enter", "choose", "submit", "submitted"].contains(last)
  }
}

/// What a moment of the state is to this terminal.
struct Moment {
  /// This client's name.
  let client: String
  /// What it sees.
  let home: Home.State
  /// The screens on the way, the menu first.
  let trail: [TrailStop]
  /// Whom it follows, if anybody.
  let following: Followed?

  init(_ shared: Shared<NavigatorApp.State>) {
    client = shared.client
    home = shared.state.home(seenBy: client)
    trail = home.trail
    following = shared.state.navigators.clients[id: client]?.following
  }

  /// Where a screen lies on the way, and which it is.
  ///
  /// A screen that was just opened gets its id from the daemon, after the one that this terminal
  /// guessed; what somebody has begun to type on it must not go with that.
  struct Place: Equatable {
    let screen: TrailStop.Screen?
    let depth: Int
  }

  /// Where the screen lies that is seen.
  var place: Place { Place(screen: top?.screen, depth: trail.count) }

  /// The screen that is seen.
  var top: TrailStop? { trail.last }

  /// Whether this terminal only watches.
  var isWatching: Bool {
    if case .client? = following { true } else { false }
  }

  /// The texts that a step of the form asks for, as they were entered; none for another screen.
  var entered: [String] {
    guard let draft = home.openDraft else { return [] }
    return switch top?.screen {
    case .step(.name): [draft.firstName, draft.lastName]
    case .step(.dateOfBirth): [draft.dateOfBirth]
    default: []
    }
  }
}

/// Whom, or what, one can follow.
struct FollowChoice: Identifiable, Equatable {
  let id: Followed
  let title: String

  /// All but oneself; what is shared last, and always something to begin with.
  static func all(in state: NavigatorApp.State, but client: String) -> [FollowChoice] {
    let clients = state.navigators.clients.filter { $0.id != client }
      .map { FollowChoice(id: .client($0.id), title: "watch \($0.id)") }
    var shared = state.navigators.shared.map(\.id)
    if !shared.contains("tour") { shared.append("tour") }
    return clients
      + shared.map { FollowChoice(id: .shared($0), title: "go along with all on \"\($0)\"") }
  }
}
