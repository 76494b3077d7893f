import DuxEngine
import DuxJSON
import DuxLog
import DuxProtocol

/// A client that says what it does, follows what others do, and sometimes falls silent.
final class PresenceClient: LinkEnd {
  /// What others are told of a client.
  struct Truth: Equatable {
    let link: ConnectionID
    let state: JSON?
  }

  let name: String
  private unowned let world: World
  private var random: SeededGenerator
  private var link: VirtualLink?
  private var scanner = LineScanner()
  private var inbox: [UInt8] = []
  private var isWelcome = false
  private var isAsleep = false
  /// Whether it sleeps on for ever once all faults are over.
  private let endsAsleep: Bool
  private let follows: Bool
  private var hasSaid = false
  private var state: JSON?
  private var replica = Replica(path: ReservedWords.presencePath)

  init(name: String, world: World, random: SeededGenerator) {
    self.name = name
    self.world = world
    self.random = random
    endsAsleep = self.random.chance(25)
    follows = self.random.chance(80)
    think()
  }

  private func think() {
    let pause = Int64(world.options.heartbeatMs / 2)
    let wait = world.hasFaults ? min(pause, Int64(world.options.thinkingMs * 3)) : pause
    world.after(1 + Int64(random.below(Int(wait)))) { [self] in
      if link == nil { connect() }
      if isAsleep {
        if world.hasFaults ? random.chance(3) : !endsAsleep { isAsleep = false }
      } else {
        act()
      }
      think()
    }
  }

  private func act() {
    guard isWelcome else { return }
    if world.hasFaults {
      switch random.below(20) {
      case 0: hangUp()
      case 1: isAsleep = true
      case 2: if follows { follow() }
      case 3: if follows { send("{\"op\":\"unsubscribe\",\"path\":\"@presence\"}") }
      case 4...12: say()
      default: break
      }
    } else if endsAsleep {
      isAsleep = true
    } else if follows, replica.position == nil {
      follow()
    }
    send("{\"op\":\"ping\"}")
  }

  private func say() {
    let value = random.value(bigPercent: world.options.bigValuePercent)
    let limit = min(Limits.maximumPresenceBytes, world.options.maximumLineBytes - 100)
    state = value == .null || value.encodedByteCount > limit ? JSON?.none : value
    repeatState()
  }

  private func repeatState() {
    hasSaid = true
    send("{\"op\":\"presence\"\(state.map { ",\"state\":\($0)" } ?? "")}")
  }

  private func follow() {
    send("{\"op\":\"subscribe\",\"path\":\"@presence\"}")
  }

  private func send(_ line: String) { link?.send(Array((line + "\n").utf8)) }

  private func connect() {
    link = world.connect(self)
    scanner = LineScanner()
    inbox = []
    isWelcome = false
    hasSaid = false
    replica = Replica(path: ReservedWords.presencePath)
    send("{\"op\":\"hello\",\"protocol\":1,\"client\":\"\(name)\"}")
    if random.chance(70) { repeatState() } else { state = nil }
    if follows { follow() }
  }

  private func hangUp() {
    link?.closeByClient()
    link = nil
    isWelcome = false
  }

  // What comes back.

  func received(_ bytes: [UInt8], on link: VirtualLink) {
    guard link === self.link else { return }
    inbox += bytes
    while link === self.link {
      let finding = inbox.withUnsafeBytes { scanner.next(in: $0, maximumLineBytes: .max - 1) }
      guard case .line(let count, let next) = finding else { return }
      let line = Array(inbox[..<count])
      inbox.removeFirst(next)
      do {
        try take(try line.withUnsafeBytes { try ServerMessage($0) })
      } catch {
        world.report(.convergence, "client \(name): \(error)")
      }
    }
  }

  private func take(_ message: ServerMessage) throws {
    switch message {
    case .welcome: isWelcome = true
    case .snapshot(let snapshot): _ = replica.take(snapshot)
    case .part(let part): _ = try replica.take(part)
    case .patch(let patch): try replica.take(patch)
    case .unsubscribed: replica = Replica(path: ReservedWords.presencePath)
    case .error(let failure, _) where failure.code != "not_found":
      world.report(.wire, "client \(name): \(failure.code) \(failure.message)")
    case .bye: hangUp()
    default: break
    }
  }

  func ended(_ link: VirtualLink) {
    guard link === self.link else { return }
    hangUp()
  }

  // What others should be told.

  var presence: Truth? {
    guard let link, isWelcome, !(isAsleep && hasSaid) else { return nil }
    return Truth(link: link.id, state: state)
  }

  /// What is still missing once all faults are over.
  var unfinished: String? {
    guard isWelcome else { return "\(name) is not welcome" }
    if isAsleep != endsAsleep { return "\(name) still sleeps" }
    guard follows, !isAsleep else { return nil }
    var truths: [ByteText: Truth] = [:]
    for (name, entry) in replica.value?.objectValue ?? [:] {
      let serial = UInt64(clamping: entry["serial"]?.integerValue ?? -1)
      truths[ByteText(name)] = Truth(link: ConnectionID(serial), state: entry["state"])
    }
    if truths == world.presentClients { return nil }
    return "\(name) sees \(replica.value?.description ?? "nothing") where there is"
      + " \(world.presentClients)"
  }
}
