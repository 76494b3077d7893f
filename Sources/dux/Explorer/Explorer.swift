import DuxEngine
import DuxJSON
import DuxLog
import DuxProtocol
import DuxTerminal

/// What `dux tui` knows and shows: a value that takes what the daemon, the terminal and time bring.
///
/// It asks the session for what it needs; what else is to be done it leaves in ``wishes``.
struct Explorer {
  /// Something to be done outside of it.
  enum Wish: Equatable {
    case quit
    case redraw
    /// Put a text on the clipboard.
    case copy(String)
    /// Keep a line in the file of the history.
    case keep(String)
  }

  /// What lies over the screen.
  enum Sheet: Equatable {
    case help(top: Int)
    /// Lines to read and to copy.
    case text(title: String, lines: [String], top: Int)
    /// Whether to cancel the effect of that key.
    case cancel(key: String, name: String)
  }

  /// Something to be told on the last line.
  struct Message: Equatable {
    let text: String
    let isFailure: Bool
  }

  /// Where the daemon is.
  let place: String
  /// The name of this client.
  let client: String
  /// The time of day in ms, as it was last told.
  var nowMs: Int64 = 0

  var status = ConnectionStatus.connecting
  var app = ""
  var epoch = ""
  /// The newest step that is known.
  var head = SequenceNumber.zero
  /// The state of now; `nil` while nothing is known.
  var state: JSON?
  /// Changes of the state so far.
  var stateVersion = 0
  /// The version that the tree shows.
  var shownVersion = 0

  var tree = StateTree()
  var marks = ChangeMarks()
  var log = ActionLog()
  var people = PeoplePanel()
  var effects = EffectsPanel()
  var search: SearchPanel?
  /// The state that is looked at instead of that of now.
  var past: PastState?

  var pane = ExplorerPane.state
  /// The parts of the screen that were seen last.
  var visiblePanes = Set(ExplorerPane.allCases)
  /// The first row of each that is seen.
  var tops: [ExplorerPane: Int] = [:]
  var prompt: Prompt?
  var sheet: Sheet?
  var message: Message?
  var history: History

  /// What a read is for.
  enum Purpose {
    case older(limit: Int, page: [LoggedStep])
    case effects
    case cancel(key: String)
    case past(SequenceNumber)
  }

  var reads: [RemoteSession.ReadTicket: Purpose] = [:]
  /// Steps of this client whose outcome is not known.
  var pending: [RemoteSession.Step: String] = [:]
  /// What is to be done, each once.
  var wishes: [Wish] = []

  /// Makes an explorer that knows nothing yet.
  init(place: String, client: String, history: History = History()) {
    self.place = place
    self.client = client
    self.history = history
  }

  /// Hands over what is to be done.
  mutating func takeWishes() -> [Wish] {
    defer { wishes = [] }
    return wishes
  }

  mutating func tell(_ text: String, isFailure: Bool = false) {
    message = Message(text: text.printable, isFailure: isFailure)
  }
}

/// The state as it was after an earlier step.
struct PastState {
  let seq: SequenceNumber
  /// Until it has come, that of the step that was looked at before, if any.
  var value: JSON?
  var isFetching = true
}
