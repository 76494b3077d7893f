import DuxJSON
import DuxLog
import Simulation
import Testing

@testable import DuxEngine

/// Small random states whose arrays and objects meet under the same paths.
extension SeededGenerator {
  fileprivate mutating func state(depth: Int) -> JSON {
    guard depth > 0, chance(75) else { return .integer(Int64(below(3))) }
    if chance(50) {
      return .array(JSONArray((0..<below(4)).map { _ in state(depth: depth - 1) }))
    }
    var object = JSONObject()
    for _ in 0..<below(4) { object[pick(["0", "1", "a", "b/~"])] = state(depth: depth - 1) }
    return .object(object)
  }

  fileprivate mutating func pointer() -> JSONPointer {
    JSONPointer(tokens: (0..<below(4)).map { _ in pick(["0", "1", "2", "a", "b/~"]) })
  }

  /// A patch of `add`, `remove` and `replace` that applies, and what it makes.
  fileprivate mutating func patch(on state: JSON) -> (JSONPatch, JSON) {
    var patch = JSONPatch()
    var after = state
    for _ in 0..<(1 + below(3)) {
      let path = pointer()
      let value = self.state(depth: 2)
      let operation: JSONPatchOperation =
        switch below(3) {
        case 0: .add(path: path, value: value)
        case 1: .remove(path: path)
        default: .replace(path: path, value: value)
        }
      if (try? JSONPatch(operations: [operation]).apply(to: &after)) != nil {
        patch.operations.append(operation)
      }
    }
    return (patch, after)
  }
}

/// What a subscriber that held a value holds after a change.
private func value(_ before: JSON?, after change: PathChange) -> JSON? {
  guard case .patch(let patch) = change else { return before }
  if patch.operations.count == 1 {
    switch patch.operations[0] {
    case .add(let path, let value) where path.isRoot: return value
    case .remove(let path) where path.isRoot: return nil
    default: break
    }
  }
  var next = before ?? .null
  return (try? patch.apply(to: &next)) != nil ? next : .string("the patch does not apply")
}

struct PathChangeTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `is what comparing the states says, or says that it does not know`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var known = 0
    for _ in 0..<4_000 {
      let before = random.state(depth: 4)
      let after = random.patch(on: before).1
      let patch = JSONPatch.diff(from: before, to: after)
      let path = random.pointer()
      let (old, new) = (before.value(at: path), after.value(at: path))
      for state in [JSON?.some(before), JSON?.none] {
        let change = PathChange.of(patch, at: path, before: state)
        guard change != .unclear else { continue }
        known += 1
        #expect(value(old, after: change) == new, "\(patch) on \(before) at \(path): \(change)")
        if old != new { #expect(change != .untouched) }
      }
      let compared = PathChange.between(before, after, at: path)
      #expect(value(old, after: compared) == new, "\(before) to \(after) at \(path): \(compared)")
      #expect((compared == .untouched) == (old == new))
    }
    #expect(known > 2_000)
  }

  @Test func `the state is needed only where a number may be an index`() {
    let path = JSONPointer(tokens: ["list", "1", "x"])
    let shift = JSONPatch(operations: [.remove(path: JSONPointer(tokens: ["list", "0"]))])
    #expect(PathChange.of(shift, at: path, before: nil) == .unclear)
    #expect(PathChange.of(shift, at: path, before: ["list": [1, [:]]]) == .unclear)
    #expect(PathChange.of(shift, at: path, before: ["list": ["0": 1]]) == .untouched)
    let named = JSONPatch(operations: [.remove(path: JSONPointer(tokens: ["list", "a"]))])
    #expect(PathChange.of(named, at: path, before: nil) == .untouched)
  }

  @Test func `keys that Unicode calls equivalent are two keys`() {
    let patch = JSONPatch(
      operations: [.replace(path: JSONPointer(tokens: ["e\u{301}"]), value: 1)])
    #expect(PathChange.of(patch, at: JSONPointer(tokens: ["\u{e9}"]), before: nil) == .untouched)
  }

  @Test(arguments: [5, 6] as [UInt64])
  func `the index finds every channel that a change touches`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<1_500 {
      var index = ChannelIndex()
      for number in 0..<12 {
        let path = random.pointer()
        guard !path.isRoot, index.channel(at: path, withActions: false) == nil else { continue }
        index.insert(Channel(path: path, withActions: false, number: number, after: .zero))
      }
      let before = random.state(depth: 4)
      let (patch, after) = random.patch(on: before)
      let found = index.channels(touchedBy: patch, before: before)
      #expect(Set(found.map(\.number)).count == found.count)
      for channel in index.all where !found.contains(where: { $0 === channel }) {
        #expect(
          before.value(at: channel.path) == after.value(at: channel.path),
          "\(patch) on \(before) misses \(channel.path)")
      }
    }
  }

  @Test func `the index leaves channels alone that a change does not come near`() {
    var index = ChannelIndex()
    for number in 0..<1_000 {
      let path = JSONPointer(tokens: ["rows", "r\(number)", "x"])
      index.insert(Channel(path: path, withActions: false, number: number, after: .zero))
    }
    let place = JSONPointer(tokens: ["rows", "r7", "x", "y"])
    let patch = JSONPatch(operations: [.add(path: place, value: 1)])
    let before: JSON = ["rows": ["r7": ["x": [:]]]]
    #expect(index.channels(touchedBy: patch, before: before).map(\.number) == [7])
    #expect(index.count == 1_000)
  }

  @Test func `the index forgets what is removed from it, and nothing else`() {
    var index = ChannelIndex()
    let paths = [["a"], ["a", "b"], ["a", "b", "c"], ["e\u{301}"], ["\u{e9}"]]
    let channels = paths.enumerated().map {
      Channel(
        path: JSONPointer(tokens: $0.element), withActions: false, number: $0.offset, after: .zero)
    }
    channels.forEach { index.insert($0) }
    #expect(index.channel(at: JSONPointer(tokens: ["\u{e9}"]), withActions: false)?.number == 4)
    #expect(index.channel(at: JSONPointer(tokens: ["a"]), withActions: true) == nil)
    index.remove(channels[1])
    index.remove(channels[1])
    #expect(index.count == 4)
    #expect(index.channel(at: channels[1].path, withActions: false) == nil)
    #expect(index.channel(at: channels[2].path, withActions: false) === channels[2])
  }
}

extension ChannelIndex {
  fileprivate func channels(touchedBy patch: JSONPatch, before: JSON) -> [Channel] {
    var touched: [Channel] = []
    collect(touchedBy: patch, before: before, into: &touched)
    return touched
  }

  /// Every channel, found as touched by a change of everything.
  fileprivate var all: [Channel] {
    channels(touchedBy: JSONPatch(operations: [.replace(path: .root, value: [:])]), before: [:])
  }
}
