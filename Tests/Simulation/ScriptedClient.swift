import DuxEngine
import DuxJSON
import DuxLog
import DuxProtocol

/// A client that speaks the protocol by itself: legal, odd and wrong requests, in bursts.
final class ScriptedClient: LinkEnd {
  private let names: [String?]
  private unowned let world: World
  private var random: SeededGenerator
  private var link: VirtualLink?
  private var scanner = LineScanner()
  private var inbox: [UInt8] = []
  private var positions: [ByteText: Request.Position] = [:]
  private var name: String?
  private var sent: [(n: Int64, line: [UInt8])] = []
  private var nextN: Int64 = 1
  private var requestCount = 0

  init(names: [String?], world: World, random: SeededGenerator) {
    self.names = names
    self.world = world
    self.random = random
    think()
  }

  private func think() {
    world.after(Int64(random.below(world.options.thinkingMs * 4) + 1)) { [self] in
      guard world.hasFaults else {
        link?.closeByClient()
        link = nil
        return
      }
      if link == nil { connect() }
      if random.chance(3) {
        link?.closeByClient()
        link = nil
      }
      for _ in 0..<(random.chance(10) ? 40 : random.below(4)) { ask() }
      think()
    }
  }

  private func connect() {
    guard random.chance(50), let link = world.connect(self) else { return }
    self.link = link
    scanner = LineScanner()
    inbox = []
    let next = random.pick(names)
    if next != name {
      sent = []
      nextN = 1
    }
    name = next
    guard random.chance(95) else { return }
    write { $0.hello(client: next) }
  }

  private func write(_ body: (inout LineWriter) -> Void) {
    var writer = LineWriter()
    body(&writer)
    link?.send(writer.bytes)
  }

  private func ask() {
    requestCount += 1
    let id = RequestID.integer(Int64(requestCount))
    let text = random.path(favouringArrays: world.options.favoursArrays)
    guard let path = try? JSONPointer(text) else { return }
    switch random.below(26) {
    case 0...2: subscribe(path)
    case 3: write { $0.unsubscribe(path: path) }
    case 4: write { $0.get(path: path, at: nil, id: id) }
    case 5: write { $0.get(path: path, at: somePlace(), id: id) }
    case 6:
      let range = Request.LogRange(start: .after(somePlace()), limit: 1 + random.below(30))
      write { $0.log(range, id: id) }
    case 7:
      let range = Request.LogRange(start: .time(world.wallMs - 2_000), limit: 1 + random.below(30))
      write { $0.log(range, id: id) }
    case 8, 9: write { $0.ping(id: id) }
    case 10: write { $0.status(id: id) }
    case 11: sendAgain()
    case 12: sendNonsense()
    case 13: sayPresence()
    case 14: followPresence()
    default: dispatch()
    }
  }

  private func somePlace() -> SequenceNumber {
    SequenceNumber(Int64(random.below(world.history.head + 2)))
  }

  private func subscribe(_ path: JSONPointer) {
    var position = positions[ByteText(path.description)]
    if random.chance(20) { position = nil }
    if random.chance(20) {
      position = .init(epoch: world.disk.epoch, seq: somePlace())
    } else if random.chance(3) {
      position = .init(epoch: "another", seq: somePlace())
    }
    let withActions = random.chance(20)
    write { $0.subscribe(path: path, position: position, withActions: withActions) }
  }

  private func dispatch() {
    let actions = random.step(world.options)
    let conditions = random.conditions(world.options)
    guard name != nil, random.chance(60) else {
      return write { $0.dispatch(n: nil, actions: actions, preconditions: conditions) }
    }
    let n = nextN
    nextN += random.chance(10) ? 3 : 1
    var writer = LineWriter()
    writer.dispatch(n: n, actions: actions, preconditions: conditions)
    sent.append((n, writer.bytes))
    link?.send(writer.bytes)
  }

  private func sayPresence() {
    let state = random.value(bigPercent: 20)
    let text = random.chance(20) ? "" : ",\"state\":\(state)"
    link?.send(Array("{\"op\":\"presence\"\(text)}\n".utf8))
  }

  private func followPresence() {
    let path = ReservedWords.presencePath
    let lines = [
      "{\"op\":\"subscribe\",\"path\":\"\(path)\"}\n",
      "{\"op\":\"subscribe\",\"path\":\"\(path)\",\"since\":1,\"epoch\":\"x\"}\n",
      "{\"op\":\"unsubscribe\",\"path\":\"\(path)\"}\n",
    ]
    link?.send(Array(random.pick(lines).utf8))
  }

  private func sendAgain() {
    guard let former = sent.randomElement(using: &random) else { return }
    if random.chance(70) {
      link?.send(former.line)
    } else {
      let actions = random.step(world.options)
      write {
        $0.dispatch(
          n: max(1, former.n - Int64(random.below(2))), actions: actions, preconditions: [])
      }
    }
  }

  private func sendNonsense() {
    let lines = [
      "nonsense\n", "{}\n", "{\"op\":\"jump\",\"id\":\"x\"}\n", "\n", " \r\n", "[1]\r\n",
      "{\"op\":\"subscribe\",\"path\":\"x\",\"id\":1}\n", "{\"op\":\"hello\",\"protocol\":1}\n",
      "{\"op\":\"hello\",\"protocol\":2,\"id\":2}\n", "{\"op\":\"dispatch\",\"n\":0}\n",
      "{\"op\":\"dispatch\",\"action\":1}\n",
    ]
    if random.chance(2) {
      link?.send(Array(repeating: 0x20, count: world.options.maximumLineBytes + 2))
    } else {
      link?.send(Array(random.pick(lines).utf8))
    }
  }

  // What comes back: kept only to go on from there later.

  func received(_ bytes: [UInt8], on link: VirtualLink) {
    guard link === self.link else { return }
    inbox += bytes
    while true {
      let finding = inbox.withUnsafeBytes { scanner.next(in: $0, maximumLineBytes: .max - 1) }
      guard case .line(let count, let next) = finding else { return }
      let line = Array(inbox[..<count])
      inbox.removeFirst(next)
      if let message = try? line.withUnsafeBytes({ try ServerMessage($0) }) { note(message) }
    }
  }

  private func note(_ message: ServerMessage) {
    switch message {
    case .welcome(let welcome): nextN = max(nextN, welcome.lastN + 1)
    case .snapshot(let snapshot):
      positions[ByteText(snapshot.path)] = snapshot.hasMore ? nil : snapshot.position
    case .patch(let patch):
      guard let former = positions[ByteText(patch.path)] else { return }
      positions[ByteText(patch.path)] = .init(epoch: former.epoch, seq: patch.seq)
    case .mark(let path, let seq):
      guard let former = positions[ByteText(path)] else { return }
      positions[ByteText(path)] = .init(epoch: former.epoch, seq: seq)
    case .resumed(let path, let position, _): positions[ByteText(path)] = position
    case .bye:
      link?.closeByClient()
      link = nil
    default: break
    }
  }

  func ended(_ link: VirtualLink) {
    if link === self.link { self.link = nil }
  }
}
