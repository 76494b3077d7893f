import DuxEngine
import DuxJSON
import DuxNetwork
import DuxStore
import Synchronization

/// The inside of a ``RemoteStore``: the inner store, and the way to the link's thread.
///
/// Whatever happens, a dispatch here or a line of the daemon's, is a step of the inner store, so that
/// reading and listening keep all of its promises. Its first listener hands dispatched steps to the
/// link's thread, in the order in which they were reduced, and settles receipts, before any other
/// listener is told. The link's thread keeps it alive, so that all of that is done to the end.
final class RemoteCore<State: Sendable, Action: Sendable>: Sendable {
  typealias Content = RemoteContent<State, Action>
  typealias Event = RemoteEvent<Action>

  let name: String
  let store: Store<Content, Event>
  private let ledger: StepLedger
  private let mailbox: Mailbox<LoopMessage>
  private let backlog: Backlog
  private let first: Subscription
  private let isClosing = Atomic(false)
  private let end = Eventual<Void>()
  /// What waits to be told that steps are saved.
  private let marks = Mutex<[ObjectIdentifier: Eventual<Void>]>([:])

  init(
    _ model: ClientModel<State, Action>, path: JSONPointer, at address: DaemonAddress,
    _ options: ClientOptions
  ) throws(ClientError) {
    let journal: StepJournal?
    if let folder = options.offlineQueue {
      let opened = try StepJournal(at: folder, name: options.name)
      (journal, name) = (opened, opened.client)
    } else {
      (journal, name) = (nil, try ClientName.checked(options.name))
    }
    var optimistic = OptimisticState(
      model, path: path, client: name,
      limits: QueueLimits(steps: options.queuedSteps, bytes: options.queuedBytes))
    optimistic.restore(journal?.restored ?? [])
    store = Store(initialState: RemoteContent(optimistic), areEqual: { _, _ in false }) {
      Reduce<Content, Event> { content, event in
        content.take(event)
        return .none
      }
    }
    let thread = try LoopThread(
      to: address.endpoint, path: path, options.session(client: name, model.appName, journal),
      journal: journal)
    mailbox = thread.mailbox
    ledger = StepLedger(restored: journal?.restored ?? [], room: options.queuedSteps)
    backlog = Backlog()
    first = store.subscribe(initial: .none) { [ledger, mailbox, backlog, weak store] change in
      guard let event = change.action else { return }
      if case .closed = event { store?.close() }
      Self.act(on: event, change.state, ledger, mailbox, backlog)
    }
    try thread.start(for: self)
  }

  var content: Content { store.state }

  func post(_ message: LoopMessage) {
    // Behind the end nobody takes a message out.
    if end.value == nil { mailbox.post(message) }
  }

  func dispatch(_ actions: [Action], if conditions: [Condition]) -> RemoteReceipt {
    let receipt = RemoteReceipt { [weak store] in store?.dispatch(.withdrawn($0)) }
    if let refusal = ledger.begin(receipt) {
      receipt.settle(.rejected(refusal))
      return receipt
    }
    let taken = store.dispatch(.asked(receipt, actions, conditions: conditions.map(\.json)))
    if case .rejected(let rejection)? = taken.result {
      ledger.refuse(
        receipt,
        RemoteRefusal(code: rejection.reason, reason: nil, message: rejection.message), [])
    }
    return receipt
  }

  func saved() async throws {
    let isSaved = Eventual<Void>()
    marks.withLock { $0[ObjectIdentifier(isSaved)] = isSaved }
    // A step of the inner store's, so that it comes behind those of the dispatches before.
    store.dispatch(.marked(isSaved))
    if end.value != nil { isSaved.fulfil(()) }
    defer { _ = marks.withLock { $0.removeValue(forKey: ObjectIdentifier(isSaved)) } }
    try await isSaved.wait()
  }

  func settlements() -> AsyncStream<Settlement> { ledger.settlements() }

  /// Ends the session, soon.
  func close() {
    guard !isClosing.exchange(true, ordering: .sequentiallyConsistent) else { return }
    mailbox.post(
      .end(EndReason(code: EndReason.closed, message: "the program closed the connection")))
    if end.value != nil { closeStore() }
  }

  /// Closes the store behind all that it was told, for a store that somebody keeps busy would refuse
  /// what waits: the end of the session too, which settles what is left.
  private func closeStore() { store.dispatch(.closed) }

  func closed() async {
    _ = try? await end.wait()
  }

  private static func act(
    on event: Event, _ content: Content, _ ledger: StepLedger, _ mailbox: Mailbox<LoopMessage>,
    _ backlog: Backlog
  ) {
    switch (event, content.output) {
    case (.asked(let receipt, _, let conditions), .asked(let asked)):
      switch asked.result {
      case .success(let wires):
        ledger.name(receipt, asked.token, wires)
        mailbox.post(.step(asked.token, wires, conditions: conditions))
      case .failure(let refusal):
        ledger.refuse(receipt, RemoteRefusal(refusal), asked.actions)
      }
    case (.withdrawn(let receipt), _):
      if let token = ledger.token(of: receipt) { mailbox.post(.cancel(token)) }
    case (.marked(let isSaved), _):
      mailbox.post(.mark(isSaved))
    case (.told, .settled(let steps)):
      ledger.settle(steps)
      if backlog.take() { mailbox.post(.caughtUp) }
      if let fault = content.optimistic.fault { mailbox.post(.end(EndReason(fault))) }
      if case .ended(let reason) = content.status { ledger.end(reason) }
    default: break
    }
  }
}

extension RemoteCore: LinkListener {
  func told(_ events: [RemoteSession.Event]) -> Bool {
    backlog.add()
    store.dispatch(.told(events))
    return backlog.hasRoom()
  }

  func linkEnded() {
    end.fulfil(())
    // The journal has ended with the link: all that came to it is saved.
    for mark in marks.withLock({ Array($0.values) }) { mark.fulfil(()) }
    if isClosing.load(ordering: .sequentiallyConsistent) { closeStore() }
  }
}

extension ClientOptions {
  fileprivate func session(
    client: String, _ app: String?, _ journal: StepJournal?
  ) -> RemoteSession.Configuration {
    // A wait is added to times.
    func wait(_ duration: Duration) -> Int64 { min(duration.milliseconds, .max >> 20) }
    var configuration = RemoteSession.Configuration(
      client: client, backoff: Backoff(firstMs: wait(firstRetry), greatestMs: wait(longestRetry)),
      steadyMs: 5_000, window: max(1, window))
    configuration.expectedApp = app
    configuration.journal = journal == nil ? .absent : .present
    return configuration
  }
}
