import DuxEngine
import DuxJSON
import DuxNetwork

/// Who is told what happens on a link; called on the link's thread.
protocol LinkListener: Sendable {
  /// What the session told, in order.
  ///
  /// - Returns: whether it was taken; if not, the link is told ``LoopMessage/caughtUp`` later.
  func told(_ events: [RemoteSession.Event]) -> Bool
  /// The link is over, and its thread ends.
  func linkEnded()
}

/// A store's connection, on a thread of its own.
final class RemoteLink {
  /// Where the journal's thread reports to.
  weak var mailbox: Mailbox<LoopMessage>?

  private let loop: EventLoop
  private let path: JSONPointer
  private let journal: StepJournal?
  private let client: RemoteClient
  private let inbox: Inbox
  private var listener: (any LinkListener)?
  private var marks: [Eventual<Void>] = []

  /// What the session has told since the store was told.
  private final class Inbox {
    var events: [RemoteSession.Event] = []
    var hasEnded = false
  }

  init(
    to endpoint: Endpoint, path: JSONPointer, loop: EventLoop,
    _ configuration: RemoteSession.Configuration, journal: StepJournal?
  ) {
    self.loop = loop
    self.path = path
    self.journal = journal
    let inbox = Inbox()
    self.inbox = inbox
    client = RemoteClient(to: endpoint, loop: loop, configuration: configuration) { event in
      if case .ended = event { inbox.hasEnded = true }
      inbox.events.append(event)
    }
  }

  /// Lives until the session is over; the calling thread becomes the loop's.
  func run(for listener: any LinkListener) {
    self.listener = listener
    loop.atEndOfTurn = { [unowned self] in pass() }
    client.onJournal = { [journal, weak mailbox] change in
      journal?.write(change) { [weak mailbox] in mailbox?.post(.journal($0)) }
    }
    client.ask { [journal] session in
      if let journal { session.restore(journal.restored) }
      session.subscribe(to: path, withActions: false)
    }
    client.start()
    loop.run()
    client.stop()
    journal?.close()
    self.listener = nil
  }

  func receive(_ messages: [LoopMessage]) {
    client.ask { session in
      for message in messages { receive(message, session) }
    }
    // What the session wanted written was handed to the journal above.
    for mark in marks { if let journal { journal.reach(mark) } else { mark.fulfil(()) } }
    marks = []
  }

  private func receive(_ message: LoopMessage, _ session: RemoteSession) {
    switch message {
    case .step(let token, let actions, let conditions):
      session.dispatch(actions, preconditions: conditions, as: token)
    case .cancel(let token): _ = session.cancel(token)
    case .presence(let state): session.setPresence(state)
    case .watchPresence: session.subscribeToPresence()
    case .journal(.kept(let steps)):
      for step in steps { session.kept(step.token, n: step.n) }
    case .journal(.failed(let steps, let reason)):
      for step in steps { session.notKept(step.token, n: step.n, reason) }
    case .mark(let isSaved): marks.append(isSaved)
    case .caughtUp: client.isReading = true
    case .suspend: session.suspend()
    case .resume: session.resume()
    case .end(let reason): session.end(.init(code: reason.code, message: reason.message))
    }
  }

  /// Passes on what came in this turn, as one.
  private func pass() {
    guard !inbox.events.isEmpty, let listener else { return }
    let events = inbox.events
    inbox.events = []
    if !listener.told(events) { client.isReading = false }
    if inbox.hasEnded { loop.stop() }
  }
}
