import DuxStore
import Testing

/// Random schedules of steps, ends, cancellations and departures, against a model and against what
/// must hold whatever happens.
struct EffectScheduleTests {
  private static let seeds: Range<UInt64> = 0..<60
  private static let scopes = ["/", "a", "a/x", "a/y", "b", "b/x"]

  @Test(arguments: seeds)
  func thePoliciesDoAsModelled(seed: UInt64) {
    var generator = Generator(seed: seed)
    let harness = EffectHarness()
    var model = PolicyModel()
    for number in 0..<120 {
      let scope = Self.scopes[generator.below(Self.scopes.count)]
      let id = ["p", "q"][generator.below(2)]
      switch generator.below(10) {
      case 0...4:
        let policies: [EffectPolicy] = [.parallel, .takeLatest, .takeFirst, .queue]
        let policy = policies[generator.below(4)]
        let effect = run("\(number)").cancellable(EffectID(id), policy).scoped(to: scope)
        #expect(Set(harness.begin(effect)) == model.begin("\(number)", scope, id, policy))
      case 5, 6:
        guard let name = model.running.randomElement(using: &generator) else { continue }
        #expect(Set(harness.end(name)) == model.end(name))
      case 7:
        let outputs = harness.begin(.cancel(EffectID(id)).scoped(to: scope))
        #expect(Set(outputs) == model.remove { $0.scope == scope && $0.id == id })
      case 8:
        let outputs = harness.begin(.cancelAll.scoped(to: scope))
        #expect(Set(outputs) == model.remove { EffectScope(scope).contains(EffectScope($0.scope)) })
      default:
        let outputs = harness.begin(.none, departed: [scope])
        #expect(Set(outputs) == model.remove { EffectScope(scope).contains(EffectScope($0.scope)) })
      }
      #expect(harness.running.sorted() == model.effects.map(\.name).sorted())
    }
    while let name = model.running.first { #expect(Set(harness.end(name)) == model.end(name)) }
    #expect(harness.ledger.isEmpty)
  }

  @Test(arguments: seeds)
  func noActionComesFromADeadOwnerAndNothingIsLeft(seed: UInt64) {
    var schedule = RandomSchedule(seed: seed)
    for _ in 0..<150 { schedule.takeStep() }
    schedule.finish()
    #expect(schedule.faults.isEmpty)
    #expect(schedule.ledger.isEmpty)
  }

  @Test func theSameScheduleAsksForTheSame() {
    let logs = (0..<2).map { _ in
      var schedule = RandomSchedule(seed: 7)
      for _ in 0..<500 { schedule.takeStep() }
      return schedule.log
    }
    #expect(logs[0].count > 100)
    #expect(logs[0] == logs[1])
  }
}

extension Effect {
  fileprivate func scoped(to scope: String) -> Effect {
    EffectScope(scope).path.reversed().reduce(self) { $0.scoped($1) }
  }
}

/// What the policies mean, written as a list.
private struct PolicyModel {
  struct Item {
    let name: String
    let scope: String
    let id: String
    var isWaiting = false
  }

  var effects: [Item] = []

  var running: [String] { effects.filter { !$0.isWaiting }.map(\.name) }

  mutating func begin(
    _ name: String, _ scope: String, _ id: String, _ policy: EffectPolicy
  ) -> Set<String> {
    let others = effects.filter { $0.scope == scope && $0.id == id }
    var outputs: Set<String> = []
    var item = Item(name: name, scope: scope, id: id)
    switch policy {
    case .parallel: break
    case .takeLatest:
      outputs = Set(others.filter { !$0.isWaiting }.map { "cancel \($0.name)" })
      effects.removeAll { $0.scope == scope && $0.id == id }
    case .takeFirst: if !others.isEmpty { return [] }
    case .queue: item.isWaiting = !others.isEmpty
    }
    effects.append(item)
    return item.isWaiting ? [] : outputs.union(["run \(name)"])
  }

  mutating func end(_ name: String) -> Set<String> {
    effects.removeAll { $0.name == name }
    return startNext()
  }

  mutating func remove(_ isRemoved: (Item) -> Bool) -> Set<String> {
    let outputs = effects.filter { isRemoved($0) && !$0.isWaiting }.map { "cancel \($0.name)" }
    effects.removeAll(where: isRemoved)
    return Set(outputs).union(startNext())
  }

  private mutating func startNext() -> Set<String> {
    var outputs: Set<String> = []
    for index in effects.indices where effects[index].isWaiting {
      let item = effects[index]
      let isFree = !effects.contains { other in
        other.scope == item.scope && other.id == item.id && !other.isWaiting
      }
      guard isFree else { continue }
      effects[index].isWaiting = false
      outputs.insert("run \(item.name)")
    }
    return outputs
  }
}

/// Random effects of every kind, and the watch over them.
private struct RandomSchedule {
  var ledger = EffectLedger<String>(keyPrefix: "r", limits: FollowUpLimits(depth: 50, waiting: 200))
  private(set) var faults: [String] = []
  private(set) var log: [String] = []
  private var generator: Generator
  private var step: Int64 = 0
  private var names = 0
  /// Whose each effect is, by its name, and which of the owner's lives it belongs to.
  private var lives: [String: Int] = [:]
  private var owners: [String: (scope: String, life: Int)] = [:]
  private var active: [EffectToken: String] = [:]
  private var sleeping: Set<EffectToken> = []
  private var outbox: [CommandKey] = []
  private static let scopes = ["a", "a/x", "a/y", "b", "b/x"]

  init(seed: UInt64) { generator = Generator(seed: seed) }

  mutating func takeStep() {
    switch generator.below(8) {
    case 0...2: begin()
    case 3: followUp()
    case 4: endOne()
    case 5: sleepOne()
    case 6:
      guard let key = outbox.first else { return }
      ledger.ended(key)
    default:
      guard let token = active.keys.sorted().first else { return }
      ledger.cancel(token)
    }
    take()
  }

  mutating func finish() {
    for _ in 0..<100_000 where !ledger.isEmpty {
      while ledger.nextFollowUp().map({ ledger.ended($0.token) }) != nil {}
      take()
      endOne()
      take()
      sleepOne()
      take()
      if let key = outbox.first { ledger.ended(key) }
      take()
    }
    if !outbox.isEmpty { faults.append("left in the outbox: \(outbox)") }
  }

  private mutating func begin() {
    step += 1
    let cause = EffectCause(step: step, action: "s", author: "me")
    reduce(cause)
  }

  private mutating func reduce(_ cause: EffectCause) {
    var departed: [String] = []
    if generator.below(4) == 0 { departed = [Self.scopes[generator.below(Self.scopes.count)]] }
    let effect = effect(in: "", depth: 3)
    for scope in departed {
      for inner in Self.scopes where EffectScope(scope).contains(EffectScope(inner)) {
        lives[inner, default: 0] += 1
      }
    }
    ledger.begin(effect, of: cause, departed: departed.map { EffectScope($0) })
  }

  private mutating func followUp() {
    guard let next = ledger.nextFollowUp() else { return }
    check(next.action, "is reduced")
    step += 1
    reduce(next.cause.followUp(step: step, action: "s"))
    ledger.ended(next.token)
  }

  private mutating func endOne() {
    guard let token = active.keys.sorted().last, let name = active[token] else { return }
    if ledger.sent(token) == nil { faults.append("\(name) runs and may not send") }
    check(name, "sends")
    active[token] = nil
    ledger.ended(token)
    if ledger.sent(token) != nil { faults.append("\(name) has ended and may send") }
  }

  private mutating func sleepOne() {
    guard let token = sleeping.sorted().first else { return }
    sleeping.remove(token)
    ledger.slept(token)
  }

  private mutating func take() {
    for output in ledger.takeOutputs() {
      switch output {
      case .run(let token, let operation, _):
        check(operation.name, "runs")
        active[token] = operation.name
        log.append("run \(operation.name)")
      case .cancel(let token):
        let isKnown = active.removeValue(forKey: token) != nil || sleeping.remove(token) != nil
        if !isKnown { faults.append("\(token) is cancelled and does not run") }
        log.append("cancel \(token)")
      case .sleep(let token, _):
        sleeping.insert(token)
        log.append("sleep \(token)")
      case .enqueue(let entry): outbox.append(entry.key)
      case .start(let entry):
        if !outbox.contains(entry.key) { faults.append("\(entry.key) starts unwritten") }
        log.append("start \(entry.key)")
      case .drop(let key):
        if !outbox.contains(key) { faults.append("\(key) is dropped and was not there") }
        outbox.removeAll { $0 == key }
        log.append("drop \(key)")
      case .cut: log.append("cut")
      }
    }
    for (token, name) in active where ledger.isRunning(token) {
      check(name, "goes on")
    }
  }

  private mutating func check(_ name: String, _ what: String) {
    guard let owner = owners[name], owner.life != lives[owner.scope, default: 0] else { return }
    faults.append("\(name) of \(owner.scope) \(what), its owner is gone")
  }

  /// A random effect; `scope` is where it will be.
  private mutating func effect(in scope: String, depth: Int) -> Effect<String> {
    let id = EffectID(["p", "q"][generator.below(2)])
    guard depth > 0 else { return leaf(in: scope, id) }
    switch generator.below(9) {
    case 0: return .merge((0..<3).map { _ in effect(in: scope, depth: depth - 1) })
    case 1: return .concatenate((0..<3).map { _ in effect(in: scope, depth: depth - 1) })
    case 2:
      let policies: [EffectPolicy] = [.parallel, .takeLatest, .takeFirst, .queue]
      return effect(in: scope, depth: depth - 1).cancellable(id, policies[generator.below(4)])
    case 3: return effect(in: scope, depth: depth - 1).debounced(id, for: .seconds(1))
    case 4:
      return effect(in: scope, depth: depth - 1)
        .throttled(id, for: .seconds(1), keeping: generator.below(2) == 0 ? .first : .latest)
    case 5: return effect(in: "", depth: depth - 1).detached()
    case 6 where scope.isEmpty, 7 where scope.isEmpty:
      let inner = Self.scopes[generator.below(Self.scopes.count)]
      return effect(in: inner, depth: depth - 1).scoped(to: inner)
    default: return leaf(in: scope, id)
    }
  }

  private mutating func leaf(in scope: String, _ id: EffectID) -> Effect<String> {
    names += 1
    let name = "\(names)"
    owners[name] = (scope, lives[scope, default: 0])
    switch generator.below(6) {
    case 0: return .send(name)
    case 1: return .cancel(id)
    case 2: return generator.below(8) == 0 ? .cancelAll : .none
    case 3: return .command(Job(number: names))
    default: return run(name)
    }
  }
}
