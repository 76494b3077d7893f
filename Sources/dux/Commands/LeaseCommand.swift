import DuxCommandLine
import DuxEngine
import DuxJSON
import DuxNetwork
import DuxStore

/// What commands of leases are given.
enum LeaseOptions {
  static let ttl = Option(
    "ttl", .value("DURATION"), summary: "For how long, unless it is renewed", defaultValue: "30s")
  static let newTTL = Option(
    ttl.name, .value("DURATION"),
    summary: "For how long from now on (default: as long as it was granted for)")
  static let holder = Option(
    "holder", .value("TEXT"),
    summary: "Who holds it, for others to see (default: the client's name)")
  static let nameArgument = Argument("NAME", summary: "The lease: any name")
  static let fence = Argument("FENCE", summary: "The number that it was granted under")

  static func name(_ call: Call) throws(Failure) -> String {
    let text = call.invocation.argument(nameArgument.name) ?? ""
    guard Lease.isName(text) else { throw noName(text, "NAME") }
    return text
  }

  static func holder(of call: Call) throws(Failure) -> String {
    guard let text = try call.value(of: holder, as: .text) else { return call.client }
    guard Lease.isName(text) else { throw noName(text, "--holder") }
    return text
  }

  static func ttl(of call: Call) throws(Failure) -> Duration {
    try call.value(of: ttl, as: reader) ?? .seconds(30)
  }

  /// The time that was given, not the one that the lease has.
  static func givenTTL(of call: Call) throws(Failure) -> Int64? {
    try call.value(of: newTTL, as: reader)?.milliseconds
  }

  static func fence(of call: Call) throws(Failure) -> Int64 {
    let text = call.invocation.argument(fence.name) ?? ""
    guard let number = Int64(text), number >= 1 else {
      throw Failure(.usage, "FENCE \"\(text.printable)\" is no whole number from 1 on")
    }
    return number
  }

  private static let reader = ValueReader<Duration>.duration(
    in: .milliseconds(Lease.ttlRange.lowerBound)...(.milliseconds(Lease.ttlRange.upperBound)))

  private static func noName(_ text: String, _ place: String) -> Failure {
    Failure(
      .usage,
      "\(place) \"\(text.printable)\" is no name: it has 1 to 128 bytes and no control characters")
  }
}

/// `dux lease`: leases for scripts, one step at a time.
enum LeaseCommand {
  private static let tools = [acquire, renew, release, list, show]

  static let tool = Tool(
    command: Command(
      name: "lease", summary: "Take, keep, give back and list leases, for scripts.",
      discussion: """
        A lease is a name that one client at a time holds, until it gives it back or its time is over. \
        For a command that is to run under one, 'dux lock' does all of this. Where the lease is not to \
        be had, or is no longer held under that fence, the exit status is 1.
        """, subcommands: tools.map(\.command)), subtools: tools
  ) { (_) throws(Failure) in
    throw Failure(.internal, "lease is called with one of its commands")
  }

  private static let acquire = Tool(
    command: Command(
      name: "acquire", summary: "Take a lease that nobody holds.",
      discussion: """
        Prints the fence that it was granted under. With --json it prints \
        {"name":…,"holder":…,"fence":…,"expiresMs":…,"ttlMs":…,"seq":…}.
        """,
      arguments: [LeaseOptions.nameArgument], options: [LeaseOptions.ttl, LeaseOptions.holder],
      examples: [
        Example(
          "dux lease acquire deploy --ttl 1m > fence",
          summary: "Take it and keep its fencing number, or fail at once")
      ])
  ) { (call) throws(Failure) in
    let name = try LeaseOptions.name(call)
    let action = LeaseAction.acquire(
      name: name, ttlMs: try LeaseOptions.ttl(of: call).milliseconds,
      holder: try LeaseOptions.holder(of: call))
    return try LeaseWriting(call, name).run(action)
  }

  private static let renew = Tool(
    command: Command(
      name: "renew", summary: "Move the end of a lease that is still held.",
      discussion: """
        Without --ttl it lasts as long again as it was granted for. Prints the fence; with --json as \
        'dux lease acquire'.
        """,
      arguments: [LeaseOptions.nameArgument, LeaseOptions.fence], options: [LeaseOptions.newTTL],
      examples: [Example("dux lease renew deploy \"$fence\"", summary: "Keep it")])
  ) { (call) throws(Failure) in
    let name = try LeaseOptions.name(call)
    let action = LeaseAction.renew(
      name: name, fence: try LeaseOptions.fence(of: call),
      ttlMs: try LeaseOptions.givenTTL(of: call))
    return try LeaseWriting(call, name).run(action)
  }

  private static let release = Tool(
    command: Command(
      name: "release", summary: "Give a lease back.", discussion: Writing.discussion,
      arguments: [LeaseOptions.nameArgument, LeaseOptions.fence],
      examples: [Example("dux lease release deploy \"$fence\"", summary: "Give it back")])
  ) { (call) throws(Failure) in
    let action = LeaseAction.release(
      name: try LeaseOptions.name(call), fence: try LeaseOptions.fence(of: call))
    return try Writing.run(action.wire.json, call)
  }

  private static let list = Tool(
    command: Command(
      name: "list", summary: "Print all leases that are held.",
      discussion: """
        With --json it prints {"name":…,"holder":…,"fence":…,"expiresMs":…,"ttlMs":…} for each, and \
        nothing where there are none.
        """, examples: [Example("dux lease list", summary: "Print a table")])
  ) { (call) throws(Failure) in
    try LeaseReading.run(call, JSONPointer(tokens: [Leases.Member.leases])) { value in
      value?.objectValue?.map { (name: $0.key, value: $0.value) } ?? []
    }
  }

  private static let show = Tool(
    command: Command(
      name: "show", summary: "Print one lease.",
      discussion: "As 'dux lease list'. Where nobody holds it the exit status is 2.",
      arguments: [LeaseOptions.nameArgument],
      examples: [
        Example("dux lease show deploy --json | jq -r .holder", summary: "Print who holds it")
      ])
  ) { (call) throws(Failure) in
    let name = try LeaseOptions.name(call)
    let path = JSONPointer(tokens: [Leases.Member.leases, name])
    return try LeaseReading.run(call, path) { (value) throws(Failure) in
      guard let value else {
        throw Failure(.notFound, "nobody holds the lease \"\(name.printable)\"")
      }
      return [(name, value)]
    }
  }
}
