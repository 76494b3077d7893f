import DuxJSON
import Foundation
import Synchronization
import Testing

@testable import DuxStore

/// A stack as the rules say it, over a plain array: the root first.
private struct Model {
  struct Item: Equatable {
    var id: String
    var style: RouteStyle
    var screen: Place
  }

  struct Refusal: Error { let reason: String }

  var items = [Item(id: "root", style: .root(stack: true), screen: .page(0))]
  var revision: Int64 = 0

  private var base: Int { items.lastIndex { $0.style.isPresented } ?? 0 }

  mutating func apply(_ action: NavigationAction<Place>, ids: [String]) throws(Refusal) {
    if let base = action.base, base != revision { throw Refusal(reason: "nav_conflict") }
    let before = items
    switch action {
    case .push(let screen, _):
      guard items[base].style.stack == true else { throw Refusal(reason: "nav_cannot_push") }
      items.append(Item(id: ids[0], style: .push, screen: screen))
    case .present(let screen, let style, let stack, _):
      let style = (style ?? .sheet).style(stack: stack ?? false)
      items.append(Item(id: ids[0], style: style, screen: screen))
    case .goBack(let count, _): try drop(count ?? 1, onlyPushed: false)
    case .pop(let count, _): try drop(count ?? 1, onlyPushed: true)
    case .goBackTo(let target, _): try drop(to: target, onlyPushed: false)
    case .popTo(let target, _): try drop(to: target, onlyPushed: true)
    case .goBackToRoot: items = [items[0]]
    case .popToRoot: try drop(to: .id(RouteID(rawValue: items[0].id)), onlyPushed: true)
    case .popToStackRoot: while items.last?.style == .push { items.removeLast() }
    case .dismiss(let count, _): try dismiss(count ?? 1)
    case .dismissAll: items = Array(items.prefix { !$0.style.isPresented })
    case .set(let plans, let root, _): try set(plans, root, ids)
    case .replace(let id, let screen, _):
      guard let index = items.firstIndex(where: { $0.id == id.rawValue }) else {
        throw Refusal(reason: "nav_no_such_route")
      }
      items[index].screen = screen
      revision += 1
      return
    case .forgetDropped: return
    }
    if items != before { revision += 1 }
  }

  private mutating func drop(_ count: Int, onlyPushed: Bool) throws(Refusal) {
    guard count > 0 else { throw Refusal(reason: "nav_bad_count") }
    guard count < items.count else { throw Refusal(reason: "nav_at_root") }
    if onlyPushed, items.suffix(count).contains(where: { $0.style != .push }) {
      throw Refusal(reason: "nav_not_pushed")
    }
    items.removeLast(count)
  }

  private mutating func drop(to target: RouteTarget<Place>, onlyPushed: Bool) throws(Refusal) {
    let found = items.lastIndex { item in
      switch target {
      case .id(let id): item.id == id.rawValue
      case .kind(let kind): item.screen.kind == kind
      case .screen(let screen): item.screen == screen
      }
    }
    guard let found else { throw Refusal(reason: "nav_no_such_route") }
    guard found < items.count - 1 else { return }
    try drop(items.count - 1 - found, onlyPushed: onlyPushed)
  }

  private mutating func dismiss(_ count: Int) throws(Refusal) {
    guard count > 0 else { throw Refusal(reason: "nav_bad_count") }
    let layers = items.indices.filter { items[$0].style.isPresented }
    guard count <= layers.count else { throw Refusal(reason: "nav_nothing_presented") }
    items.removeSubrange(layers[layers.count - count]...)
  }

  private mutating func set(
    _ plans: [RoutePlan<Place>], _ root: Place?, _ ids: [String]
  ) throws(Refusal) {
    var ids = ids
    var next = [items[0]]
    if let root { next = [Item(id: ids.removeFirst(), style: items[0].style, screen: root)] }
    for plan in plans {
      var item: Item
      if let id = plan.id {
        guard let old = items.dropFirst().first(where: { $0.id == id.rawValue }) else {
          throw Refusal(reason: "nav_no_such_route")
        }
        item = old
      } else {
        guard let screen = plan.screen else { throw Refusal(reason: "nav_bad_route") }
        item = Item(id: ids.removeFirst(), style: .push, screen: screen)
      }
      item.style = plan.style ?? item.style
      item.screen = plan.screen ?? item.screen
      if next.contains(where: { $0.id == item.id }) { throw Refusal(reason: "nav_duplicate_route") }
      let layer = next.last { $0.style.stack != nil }
      if item.style == .push, layer?.style.stack != true {
        throw Refusal(reason: "nav_cannot_push")
      }
      next.append(item)
    }
    items = next
  }
}

/// Random operations, legal and not.
private struct Operations {
  var random: Generator

  mutating func next(on routes: Routes<Place>) -> NavigationAction<Place> {
    let base: Int64? =
      random.below(4) == 0 ? routes.revision - Int64(random.below(3) / 2) : nil
    switch random.below(16) {
    case 0, 1, 2: return .push(screen: screen(), base: base)
    case 3, 4:
      return .present(
        screen: screen(), style: [nil, .sheet, .cover][random.below(3)],
        stack: [nil, true, false][random.below(3)], base: base)
    case 5: return .goBack(count: count(), base: base)
    case 6: return .goBackTo(to: target(routes), base: base)
    case 7: return .goBackToRoot(base: base)
    case 8: return .pop(count: count(), base: base)
    case 9: return .popTo(to: target(routes), base: base)
    case 10: return .popToRoot(base: base)
    case 11: return .popToStackRoot(base: base)
    case 12: return .dismiss(count: count(), base: base)
    case 13: return .dismissAll(base: base)
    case 14: return .replace(id: id(routes), screen: screen(), base: base)
    default:
      let plans = (0..<random.below(5)).map { _ in plan(routes) }
      return .set(routes: plans, root: random.below(4) == 0 ? screen() : nil, base: base)
    }
  }

  private mutating func screen() -> Place { random.below(5) == 0 ? .about : .page(random.below(3)) }

  private mutating func count() -> Int? {
    [nil, nil, 1, 1, 2, 3, 0, -1, .min, .max][random.below(10)]
  }

  private mutating func id(_ routes: Routes<Place>) -> RouteID {
    let ids = routes.all.map(\.id) + ["gone", "0"]
    return ids[random.below(ids.count)]
  }

  private mutating func target(_ routes: Routes<Place>) -> RouteTarget<Place> {
    switch random.below(3) {
    case 0: .id(id(routes))
    case 1: .kind(["page", "about", "tour"][random.below(3)])
    default: .screen(screen())
    }
  }

  private mutating func plan(_ routes: Routes<Place>) -> RoutePlan<Place> {
    switch random.below(5) {
    case 0, 1: .push(screen())
    case 2:
      .present(screen(), as: random.below(2) == 0 ? .sheet : .cover, stack: random.below(2) == 0)
    case 3: .keep(id(routes))
    default: RoutePlan(id: random.below(2) == 0 ? id(routes) : nil, style: nil, screen: nil)
    }
  }
}

struct RoutesPropertyTests {
  private final class Counter: Sendable {
    private let value = Mutex(0)

    func next() -> Int {
      value.withLock { value in
        defer { value += 1 }
        return value
      }
    }
  }

  /// Ids that a step may take, in order.
  private func world(_ ids: [String], _ taken: Counter) -> DependencyValues {
    DependencyValues(.test).setting {
      $0.uuid = Source("uuid") { UUID(uuidString: ids[taken.next()]) ?? UUID() }
    }
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func operationsDoWhatThePlainArrayDoesOrAreRefusedForTheSameReason(seed: UInt64) throws {
    var operations = Operations(random: Generator(seed: seed))
    var routes = Routes(root: Place.page(0))
    var model = Model()
    var json = try StateCoder.encode(routes)
    for step in 0..<100 {
      let ids = (0..<8).map { minted(step * 8 + $0).rawValue }
      let action = operations.next(on: routes)
      let before = routes
      let expected = Result { try model.apply(action, ids: ids) }
      let values = world(ids, Counter())
      let found = Result {
        try DependencyValues.$current.withValue(values) { try routes.apply(action) }
      }
      let text = "seed \(seed), step \(step): \(action)"
      switch (found, expected) {
      case (.success, .success): break
      case (.failure(let error), .failure(let refusal)):
        #expect(Rejection(error).reason == (refusal as? Model.Refusal)?.reason, "\(text)")
        #expect(routes == before, "\(text)")
      default: Issue.record("\(text): \(found), not \(expected)")
      }
      try check(routes, model, text)
      json = try checkPatch(from: json, to: routes, before: before, text)
    }
  }

  private func check(_ routes: Routes<Place>, _ model: Model, _ text: String) throws {
    let found = routes.all.map {
      Model.Item(id: $0.id.rawValue, style: $0.style, screen: $0.screen)
    }
    #expect(found == model.items, "\(text)")
    #expect(routes.revision == model.revision, "\(text)")
    #expect(routes.top.id.rawValue == model.items.last?.id)
    if case .root = routes.root.style {} else { Issue.record("\(text): no root") }
    var pushed = routes
    let isPushed = DependencyValues.$current.withValue(DependencyValues(.live)) {
      (try? pushed.push(.about)) != nil
    }
    #expect(routes.canPush == isPushed, "\(text)")
  }

  /// The patch leads from one JSON to the next, and a replica that reads it has the same stack.
  private func checkPatch(
    from old: JSON, to routes: Routes<Place>, before: Routes<Place>, _ text: String
  ) throws -> JSON {
    let json = try StateCoder.encode(routes)
    var replica = old
    try JSONPatch.diff(from: old, to: json).apply(to: &replica)
    #expect(replica == json, "\(text)")
    var leaves = StateLeaves()
    _ = try StateCoder.encode(before, collecting: &leaves)
    #expect(
      try StateCoder.decode(Routes<Place>.self, from: replica, reusing: leaves) == routes, "\(text)"
    )
    return json
  }

  /// Somebody who looks at a screen presses back on what they see, while the stack goes on under them.
  @Test(arguments: 0..<60 as Range<UInt64>)
  func aBackKeyTakesAwayOnlyWhatItsPersonSaw(seed: UInt64) throws {
    var operations = Operations(random: Generator(seed: seed &+ 1_000))
    var routes = Routes(root: Place.page(0))
    var screens = Array(repeating: routes, count: 3)
    for step in 0..<200 {
      let person = operations.random.below(3)
      switch operations.random.below(4) {
      case 0:
        let seen = screens[person]
        let before = routes
        try? routes.apply(.goBack(base: seen.revision))
        if routes != before {
          #expect(
            before.all.dropLast().map(\.id) == routes.all.map(\.id), "seed \(seed), step \(step)")
          #expect(before.top.id == seen.top.id, "seed \(seed), step \(step)")
        }
      case 1: screens[person] = routes
      default:
        let ids = (0..<8).map { minted(step * 8 + $0).rawValue }
        let action = operations.next(on: routes)
        DependencyValues.$current.withValue(world(ids, Counter())) { try? routes.apply(action) }
      }
    }
  }
}
