import DuxStore
import Testing

@Suite("Random subscribers")
struct SelectPropertyTests {
  /// One subscriber of the play: it checks what it is told, and does something at random.
  private final class Player: Sendable {
    struct Content: Sendable {
      var subscription: Subscription?
      var start: Int64?
      var told: [StateChange<Tally.State, Tally.Action>] = []
      var selected: [Int] = []
      var isReleased = false
      var callsAfterRelease = 0
    }

    let content = SharedValue(Content())
  }

  private final class Play: Sendable {
    let store = Store.tally()
    let generator: SharedValue<Generator>
    let players = SharedValue<[Player]>([])
    let remaining = SharedValue(400)

    init(seed: UInt64) { generator = SharedValue(Generator(seed: seed)) }

    func chance(_ bound: Int) -> Int { generator.update { $0.below(bound) } }

    /// Adds a subscriber of either kind, each of which acts when it is called.
    func subscribe() {
      let player = Player()
      let initial: InitialValue = chance(2) == 0 ? .current : .none
      let subscription: Subscription
      if chance(2) == 0 {
        subscription = store.subscribe(initial: initial) { [weak self] change in
          player.content.update { content in
            content.told.append(change)
            if content.isReleased { content.callsAfterRelease += 1 }
          }
          self?.act()
        }
      } else {
        subscription = store.select(\.count, initial: initial) { [weak self] count in
          player.content.update { content in
            content.selected.append(count)
            if content.isReleased { content.callsAfterRelease += 1 }
          }
          self?.act()
        }
      }
      player.content.update { content in
        content.start = subscription.start
        content.subscription = subscription
      }
      players.update { $0.append(player) }
    }

    func release() {
      let players = players.value
      guard !players.isEmpty else { return }
      let player = players[chance(players.count)]
      let subscription = player.content.update { content in
        content.isReleased = true
        return content.subscription.take()
      }
      if chance(2) == 0 { subscription?.cancel() }
    }

    func act() {
      guard
        remaining.update({
          $0 -= 1; return $0
        }) > 0
      else { return }
      switch chance(8) {
      case 0: subscribe()
      case 1: release()
      case 2: store.dispatch(.add(chance(3)))
      case 3: store.dispatch(.countdown(chance(3)))
      case 4: store.dispatch(.refuse)
      default: break
      }
    }
  }

  @Test("see each step once and in order from their start, whatever they do", arguments: 0..<60)
  func chains(seed: Int) {
    let play = Play(seed: UInt64(seed))
    for _ in 0..<5 { play.subscribe() }
    for _ in 0..<40 {
      play.act()
      play.store.dispatch(.add(play.chance(2)))
    }
    let end = play.store.snapshot
    for player in play.players.value {
      let content = player.content.value
      let told = content.told.drop { $0.previous == nil }
      if let first = told.first { #expect(first.seq == (content.start ?? -1) + 1) }
      for (one, next) in zip(content.told, content.told.dropFirst()) {
        #expect(next.seq == one.seq + 1)
        #expect(next.previous == one.state)
      }
      if !content.isReleased, let last = content.told.last {
        #expect(last.seq == end.seq && last.state == end.state)
      }
      for (one, next) in zip(content.selected, content.selected.dropFirst()) {
        #expect(one != next)
      }
      if !content.isReleased, let last = content.selected.last { #expect(last == end.state.count) }
      #expect(content.callsAfterRelease == 0)
    }
    for player in play.players.value { player.content.update { $0.subscription = nil } }
    #expect(play.store.listenerCount == 0)
  }
}
