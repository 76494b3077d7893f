import DuxCommandLine
import DuxEngine
import DuxJSON
import DuxNetwork
import DuxProtocol
import DuxStore

/// `dux lock`: runs a command while holding a lease.
enum LockCommand {
  private static let name = Argument("NAME", summary: "The lease: any name")
  private static let words = Argument(
    "CMD", .atLeastOne, summary: "The command and its arguments, behind --")

  static let tool = Tool(
    command: Command(
      name: "lock", summary: "Run a command while nobody else holds the lease of a name.",
      discussion: """
        Waits until the lease is free and takes it, runs the command, renews the lease each third of \
        --ttl while it runs, gives it back at the end, and ends with the command's exit status. The \
        command gets DUX_LEASE, the name, and DUX_FENCE, a number larger than that of every lease \
        granted before: what the lease guards should refuse whoever comes with a smaller one. A write \
        to the same daemon does so with --if /@leases/NAME/fence="$DUX_FENCE".

        A holder that dies is waited for until its lease runs out, by the daemon's clock. A lease that \
        is lost, because the daemon was out of reach for longer than --ttl or because somebody gave it \
        back, ends the command, with SIGTERM and after 5 s with SIGKILL; the exit status is then 125. A \
        daemon that restarts meanwhile does no harm. Signals are passed on to the command.

        --timeout is here how long to wait for the lease at most, without limit if left out; after \
        that the exit status is 124. 126 or 127: the command cannot be run, or there is none.
        """,
      arguments: [name, words], options: [LeaseOptions.ttl, LeaseOptions.holder],
      examples: [
        Example("dux lock deploy -- ./deploy.sh", summary: "One deployment at a time"),
        Example(
          "dux lock nightly --timeout 1ms -- ./backup.sh",
          summary: "Only if nobody else is at it already"),
        Example(
          "dux lock leader --ttl 5s -- ./serve", summary: "One leader, and another within 5 s"),
      ])
  ) { (call) throws(Failure) in
    let conversation = try Conversation(call, patience: .endless)
    let wanted = Locking.Wanted(
      name: try LeaseOptions.name(call), ttl: try LeaseOptions.ttl(of: call),
      holder: try LeaseOptions.holder(of: call), limit: call.givenTimeout)
    let program = RunningProgram(conversation, call.invocation.arguments(words.name))
    return try Locking(conversation, program, wanted).run()
  }
}
