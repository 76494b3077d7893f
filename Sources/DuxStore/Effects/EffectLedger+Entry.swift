extension EffectLedger {
  typealias Node = Effect<Action>.Node

  /// Something that began and has not ended: work, or a group of work.
  struct Entry: Sendable {
    var kind: Kind
    let scope: EffectScope
    let place: ScopeIndex.Place
    let cause: EffectCause
    /// Departures from this moment on concern it and what is still to begin in it.
    let birth: UInt64
    /// The ids of the groups around it, outermost first.
    let controls: [EffectControl]
    var isAnnounced = false

    // The group around it, and the list of its parts: links, so that each is O(1) to take out.
    var parent: EffectToken?
    var firstPart: EffectToken?
    var lastPart: EffectToken?
    var previous: EffectToken?
    var next: EffectToken?
  }

  enum Kind: Sendable {
    case send(Action, isTaken: Bool)
    case run(EffectOperation<Action>)
    case command(CommandEntry)
    /// The parts of a concatenation that have not begun.
    case sequence(Held)
    /// What runs under an id.
    case member(Member)
    /// A throttle's interval: what is held for its end.
    case window(EffectKey, latest: EffectToken?)
  }

  /// Parts that will begin later.
  struct Held: Sendable {
    var nodes: ArraySlice<Node>
    /// The number of the first command among them.
    var commandIndex: Int
    /// Whether some belong to scopes inside their group's own.
    let hasInnerScopes: Bool
  }

  /// What runs under an id, or waits to.
  struct Member: Sendable {
    let key: EffectKey
    var wait: Wait
    /// What begins when the wait is over; a command that waits alone is a part already.
    var held: Held?
    /// How long it waits, or holds up others, where it does.
    var interval = Duration.zero
  }

  enum Wait: Sendable {
    case none
    case queue
    case sleep
    case window
  }

  /// Who runs and who waits under an id.
  struct KeyState: Sendable {
    var running: Set<EffectToken> = []
    var queue = TokenQueue()
    var queueCount = 0
    var window: EffectToken?

    var isFree: Bool { running.isEmpty && queueCount == 0 }
    var isUnused: Bool { isFree && window == nil }
  }

  /// Where in an effect the ledger is.
  struct Context {
    /// What departed before the effect's step is no matter to it.
    let birth: UInt64
    var cause: EffectCause
    var scope = EffectScope.root
    var controls: [EffectControl] = []
    var parent: EffectToken?
  }

  enum PendingOutput: Sendable {
    case begin(EffectToken)
    case sleep(EffectToken, Duration)
    case start(EffectToken)
    case cancel(EffectToken)
    case drop(CommandKey)
    case cut(RunawayEffects)
  }

  enum AgendaItem: Sendable {
    /// A group that may have no parts left.
    case group(EffectToken)
    /// An id that nothing may run under any more while others wait.
    case key(EffectKey)
  }

  /// Puts an entry into all indexes, as the last part of its group.
  mutating func add(_ kind: Kind, in context: Context) -> EffectToken {
    let token = EffectToken(number: makeNumber())
    let entry = Entry(
      kind: kind, scope: context.scope, place: scopes.insert(token, into: context.scope),
      cause: context.cause, birth: context.birth, controls: context.controls)
    entries[token] = entry
    if let parent = context.parent { link(token, to: parent) }
    if case .window = kind {
      windowCount += 1
    } else {
      roots[context.cause.root, default: []].insert(token)
    }
    if kind.holdsInnerScopes { partsOfInnerScopes += 1 }
    return token
  }

  private mutating func link(_ token: EffectToken, to parent: EffectToken) {
    let last = entries[parent]?.lastPart
    entries[token]?.parent = parent
    entries[token]?.previous = last
    if let last { entries[last]?.next = token } else { entries[parent]?.firstPart = token }
    entries[parent]?.lastPart = token
  }

  /// Takes an entry out of its group.
  mutating func unlink(_ entry: Entry) {
    guard let parent = entry.parent else { return }
    if let previous = entry.previous {
      entries[previous]?.next = entry.next
    } else {
      entries[parent]?.firstPart = entry.next
    }
    if let next = entry.next {
      entries[next]?.previous = entry.previous
    } else {
      entries[parent]?.lastPart = entry.previous
    }
    if entries[parent]?.firstPart == nil { agenda.append(.group(parent)) }
  }

  /// The parts of a group, in order.
  func parts(of token: EffectToken) -> [EffectToken] {
    var found: [EffectToken] = []
    var part = entries[token]?.firstPart
    while let current = part {
      found.append(current)
      part = entries[current]?.next
    }
    return found
  }
}

extension EffectLedger.Kind {
  var holdsInnerScopes: Bool {
    switch self {
    case .sequence(let held): held.hasInnerScopes
    case .member(let member): member.held?.hasInnerScopes ?? false
    case .send, .run, .command, .window: false
    }
  }
}

/// First in, first out, of tokens that may have become void in the meantime.
struct TokenQueue: Sendable {
  private var tokens: [EffectToken] = []
  private var head = 0

  /// What ``popFirst()`` will give, but for what is not newer than `last`; newer tokens stand behind
  /// older ones.
  func waiting(after last: EffectToken?) -> ArraySlice<EffectToken> {
    guard let last else { return tokens[head...] }
    var (low, high) = (head, tokens.count)
    while low < high {
      let middle = (low + high) / 2
      if tokens[middle] > last { high = middle } else { low = middle + 1 }
    }
    return tokens[low...]
  }

  mutating func append(_ token: EffectToken) { tokens.append(token) }

  mutating func popFirst() -> EffectToken? {
    guard head < tokens.count else { return nil }
    defer {
      head += 1
      if head * 2 > tokens.count {
        tokens.removeFirst(head)
        head = 0
      }
    }
    return tokens[head]
  }

  mutating func removeAll() {
    tokens = []
    head = 0
  }
}
