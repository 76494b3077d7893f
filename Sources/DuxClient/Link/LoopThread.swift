import DuxEngine
import DuxJSON
import DuxNetwork

/// What is said to the thread of a store's connection.
enum LoopMessage: Sendable {
  case step(RequestToken, [JSON], conditions: [JSON])
  case cancel(RequestToken)
  case presence(JSON?)
  case watchPresence
  case journal(StepJournal.Report)
  /// Tell when all before is saved.
  case mark(Eventual<Void>)
  /// The store has come to all that it was told.
  case caughtUp
  case suspend
  case resume
  case end(EndReason)
}

/// The thread that a store's connection lives on; it ends by itself when the session is over.
struct LoopThread {
  let mailbox: Mailbox<LoopMessage>
  private let life: Life

  /// What the thread works with.
  // Unchecked: it is made by one thread and then handed to the other, and the first keeps no
  // reference to what is in it but the mailbox, which may be shared.
  private struct Life: @unchecked Sendable {
    let loop: EventLoop
    let link: RemoteLink
  }

  /// Makes a thread that has not begun.
  init(
    to endpoint: Endpoint, path: JSONPointer, _ configuration: RemoteSession.Configuration,
    journal: StepJournal?
  ) throws(ClientError) {
    do throws(NetworkError) {
      let loop = try EventLoop()
      let link = RemoteLink(to: endpoint, path: path, loop: loop, configuration, journal: journal)
      let mailbox = try Mailbox<LoopMessage>(on: loop) { [unowned link] in link.receive($0) }
      link.mailbox = mailbox
      self.mailbox = mailbox
      life = Life(loop: loop, link: link)
    } catch {
      throw .system(error.description)
    }
  }

  /// Starts the thread; nobody keeps it, it ends with the session.
  func start(for listener: any LinkListener) throws(ClientError) {
    do throws(NetworkError) {
      let thread = try SerialThread(named: "dux-client")
      thread.submit { [life] in
        life.link.run(for: listener)
        life.loop.close()
        listener.linkEnded()
      }
    } catch {
      throw .system(error.description)
    }
  }
}
