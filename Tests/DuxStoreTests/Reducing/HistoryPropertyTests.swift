import DuxJSON
import Testing

@testable import DuxStore

/// Several authors edit, undo and redo at random, with actions between that no undo takes back.
@Suite struct HistoryPropertyTests {
  private static let authors = ["ann", "bob", "cid"]

  @Test(arguments: 0..<40)
  func onlyRecordedPathsMove(seed: Int) throws {
    var random = SeededNumbers(seed)
    var store = try Stepper(limits: HistoryLimits(depth: 6), notes: "a", "b", "c")
    var moves = 0
    for step in 0..<150 {
      let author = Self.authors[random.below(3)]
      let before = store.state
      let action = Self.action(&random, step)
      do {
        try store.send(action, by: author)
      } catch {
        #expect(
          ["conflict", "nothing_to_undo", "nothing_to_redo", "duplicate_id"]
            .contains(Rejection(error).reason), "seed \(seed)")
        #expect(store.state == before, "seed \(seed)")
        continue
      }
      if case .history(let asked) = action, asked != .discard {
        try check(asked, by: author, from: before, to: store.state, "seed \(seed), step \(step)")
        moves += 1
      }
      for other in Self.authors where other != author {
        for side in [HistorySide.undo, .redo] {
          let (old, new) = (before.history, store.state.history)
          #expect(old.steps(side, of: other) == new.steps(side, of: other), "seed \(seed)")
        }
      }
      #expect(store.state.history.undoCount(of: author) <= 6)
    }
    #expect(moves > 3, "seed \(seed) undoes and redoes something")
  }

  /// What moved is what the step had recorded, and holds what it had before; undoing an undo, or
  /// redoing a redo, gives the state back.
  private func check(
    _ action: HistoryAction, by author: String, from before: Notebook.State,
    to after: Notebook.State, _ comment: Comment
  ) throws {
    let side: HistorySide = action == .undo ? .undo : .redo
    let step = try #require(try before.history.top(side, of: author), comment)
    let old = try StateCoder.encode(before.content)
    let new = try StateCoder.encode(after.content)
    let recorded = step.changes.changes.map(\.path)
    for moved in JSONPatch.diff(from: old, to: new).operations.map(\.path) {
      #expect(
        recorded.contains { $0.isPrefix(of: moved) || moved.isPrefix(of: $0) }, comment)
    }
    for moved in ContentChanges(from: old, to: new).changes {
      #expect(recorded.contains(moved.path), comment)
    }
    for change in step.changes.changes {
      #expect(old.value(at: change.path) == change.now, comment)
      #expect(new.value(at: change.path) == change.was, comment)
    }
    #expect(before.cursor == after.cursor, comment)
    var back = Stepper(Notebook(limits: HistoryLimits(depth: 6)), after)
    try back.send(.history(action == .undo ? .redo : .undo), by: author)
    #expect(back.state.content == before.content, comment)
  }

  private static func action(_ random: inout SeededNumbers, _ step: Int) -> Notebook.Action {
    let id = ["a", "b", "c", "d"][random.below(4)]
    return switch random.below(20) {
    case 0: .title("title \(step)")
    case 1: .add(id)
    case 2: .remove(id)
    case 3, 4: .write(id: id, text: "text \(step)")
    case 5, 6: .paint(id: id, color: "color \(step)")
    case 7: .type("t")
    case 8: .tag("tag \(step)")
    case 9: .count(id, random.below(2) == 0 ? nil : step)
    case 10: .own(random.below(2) == 0 ? nil : "owner \(step)")
    case 11: .stamp(id: id, text: "stamp \(step)")
    case 12: .titleAndTag("both \(step)")
    case 13: .move(step)
    case 14: .history(.discard)
    case 15, 16: .history(.redo)
    default: .history(.undo)
    }
  }
}

/// Numbers that a seed determines (splitmix64).
private struct SeededNumbers {
  private var state: UInt64

  init(_ seed: Int) { state = UInt64(bitPattern: Int64(seed)) }

  mutating func below(_ bound: UInt64) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % bound)
  }
}
