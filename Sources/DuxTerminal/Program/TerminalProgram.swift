public import DuxClient
public import DuxJSON
public import DuxStore

/// A program for a terminal: a value that takes events and says what is to be seen.
///
/// It does nothing by itself: the driver, or a test, hands it what comes from the terminal, and asks what
/// is to be shown. What others are to see goes through the `dispatch`; what is this terminal's alone,
/// such as a draft or a selection, is stored in the program.
///
/// Ctrl-Z never arrives: the driver suspends the process. Ctrl-C is a key like any other, and by custom
/// the answer to it is ``Reaction/quit``.
public protocol TerminalProgram<State, Action> {
  /// The state that is shared.
  associatedtype State: Sendable
  /// What may be dispatched.
  associatedtype Action: Sendable
  /// What is seen.
  associatedtype Content: View

  /// Takes note that it is about to be seen for the first time, before anything else is asked of it:
  /// to ask for what has to be loaded. Does nothing unless said.
  ///
  /// The daemon need not have been reached yet; what is dispatched goes out when it is.
  ///
  /// - Parameters:
  ///   - shared: the state as it is now.
  ///   - dispatch: the way to change it.
  mutating func appear(_ shared: Shared<State>, _ dispatch: Dispatch<Action>)

  /// Takes what came from the terminal.
  ///
  /// - Parameters:
  ///   - event: what came.
  ///   - shared: the state as it is now.
  ///   - dispatch: the way to change it.
  /// - Returns: what is to be done.
  mutating func take(
    _ event: InputEvent, _ shared: Shared<State>, _ dispatch: Dispatch<Action>
  ) -> Reaction

  /// What is to be seen.
  ///
  /// - Parameters:
  ///   - shared: the state as it is now.
  ///   - size: the room there is, which may be as little as nothing.
  /// - Returns: what fills it.
  func view(of shared: Shared<State>, in size: Size) -> Content

  /// Takes what became of an action that was dispatched, by this run or by an earlier one of the same
  /// offline queue: to show a refusal, for instance. Does nothing unless said.
  ///
  /// - Parameters:
  ///   - outcome: what became of it.
  ///   - actions: what was asked for.
  ///   - shared: the state as it is now.
  /// - Returns: what is to be done.
  mutating func take(
    settled outcome: RemoteOutcome, of actions: [WireAction], _ shared: Shared<State>
  ) -> Reaction

  /// How often to draw while nothing happens, for what moves by itself; `nil` for not at all.
  ///
  /// Each drawing costs processor time. Unless said it is once a second while the connection is lost, so
  /// that one sees for how long, and not at all otherwise.
  func redrawInterval(_ shared: Shared<State>) -> Duration?

  /// What this terminal says of itself to the others, beside the program's name. Nothing unless said.
  var presence: JSONObject { get }
}

extension TerminalProgram {
  /// Does nothing.
  public mutating func appear(_ shared: Shared<State>, _ dispatch: Dispatch<Action>) {}

  /// Does nothing.
  public mutating func take(
    settled outcome: RemoteOutcome, of actions: [WireAction], _ shared: Shared<State>
  ) -> Reaction {
    .nothing
  }

  /// Once a second while the connection is lost.
  public func redrawInterval(_ shared: Shared<State>) -> Duration? {
    switch shared.status {
    case .live, .ended: nil
    case .connecting, .stale, .offline: .seconds(1)
    }
  }

  /// Nothing.
  public var presence: JSONObject { [:] }
}
