/// Runs a reducer on the navigator that an action is for, and keeps who follows whom.
///
/// ``Reducer/forEachNavigator(_:action:named:initial:content:)`` makes one.
public struct ForEachNavigator<Parent: Reducer, Content: Reducer>: Reducer
where Content.State: NavigatorContent, Content.Action: NavigatorContent {
  typealias Step = NavigatorsAction<Content.Action>

  let parent: Parent
  let place: any WritableKeyPath<Parent.State, Navigators<Content.State>> & Sendable
  let action: CasePath<Parent.Action, NavigatorsAction<Content.Action>>
  let givenName: String?
  let initial: Content.State
  let content: Content

  private var name: String { givenName ?? PlaceName.of(place) }
  private var author: String { DependencyValues.current.author }

  /// Does what is asked of the navigators, and then runs the parent.
  public func reduce(
    into state: inout Parent.State, action: Parent.Action
  ) throws -> Effect<Parent.Action> {
    guard let step = self.action.extract(action) else {
      return try parent.reduce(into: &state, action: action)
    }
    let effect = try take(step, in: &state[keyPath: place])
    return effect.beside(try parent.reduce(into: &state, action: action))
  }

  private func take(
    _ step: Step, in navigators: inout Navigators<Content.State>
  ) throws -> Effect<Parent.Action> {
    switch step {
    case .here(let action): return try takeHere(action, in: &navigators)
    case .client(let id, let action):
      guard id == author || isApp else { throw NavigatorsError.notYours(id) }
      return try run(action, at: .client(id), in: &navigators)
    case .shared(let id, let action):
      return try run(action, at: .shared(id), in: &navigators)
    case .join: try navigators.join(author, at: initial)
    case .follow(let followed): try navigators.follow(followed, by: author, at: initial)
    case .unfollow: navigators.unfollow(by: author)
    case .leave: navigators.remove(client: author)
    case .remove(let client):
      guard navigators.remove(client: client) else { throw NavigatorsError.noSuchClient(client) }
    case .close(let name):
      guard navigators.close(shared: name) else { throw NavigatorsError.noSuchShared(name) }
    }
    return .none
  }

  /// Whether nobody from outside asks: names that begin like this are refused there.
  private var isApp: Bool { author.isEmpty || author.hasPrefix("@") }

  private func takeHere(
    _ action: Content.Action, in navigators: inout Navigators<Content.State>
  ) throws -> Effect<Parent.Action> {
    try navigators.join(author, at: initial)
    if case .client(let name) = navigators.clients[id: author]?.following {
      throw NavigatorsError.following(name)
    }
    return try run(action, at: navigators.place(seenBy: author), in: &navigators)
  }

  private func run(
    _ action: Content.Action, at place: Followed,
    in navigators: inout Navigators<Content.State>
  ) throws -> Effect<Parent.Action> {
    let path = self.action
    switch place {
    case .client(let id):
      let effect = try navigators.clients.update(id) {
        try content.reduce(into: &$0.content, action: action)
      }
      guard let effect else { throw NavigatorsError.noSuchClient(id) }
      return effect.lifted(
        by: { path.embed(.client(id: id, action: $0)) }, to: [name, "clients", id])
    case .shared(let id):
      let effect = try navigators.shared.update(id) {
        try content.reduce(into: &$0.content, action: action)
      }
      guard let effect else { throw NavigatorsError.noSuchShared(id) }
      return effect.lifted(
        by: { path.embed(.shared(id: id, action: $0)) }, to: [name, "shared", id])
    }
  }

  /// What went from the parent, the navigators that are gone, and what went from those that changed.
  public func departures(from old: Parent.State, to new: Parent.State) -> [EffectScope] {
    let (former, current) = (old[keyPath: place], new[keyPath: place])
    return parent.departures(from: old, to: new)
      + departures(from: former.clients, to: current.clients, \.content, named: "clients")
      + departures(from: former.shared, to: current.shared, \.content, named: "shared")
  }

  private func departures<Row>(
    from old: Table<String, Row>, to new: Table<String, Row>,
    _ state: KeyPath<Row, Content.State>, named kind: String
  ) -> [EffectScope] {
    guard !old.isIdentical(to: new) else { return [] }
    var departures: [EffectScope] = []
    let difference = new.difference(from: old)
    for id in difference.removed { departures.append(EffectScope(path: [name, kind, id])) }
    for id in difference.changed {
      guard let old = old[id: id], let new = new[id: id] else { continue }
      departures += content.departures(from: old[keyPath: state], to: new[keyPath: state])
        .inside([name, kind, id])
    }
    return departures
  }

  /// Enters the parent's slices and the navigators.
  public func describe(in outline: inout ReducerOutline) {
    parent.describe(in: &outline)
    outline.slice(named: name, content)
  }
}

extension Reducer {
  /// The same reducer with a navigator for each client, and those that several share, which run before it.
  ///
  /// ```swift
  /// struct State: Codable, Equatable, Sendable { var navigators = Navigators<Home.State>() }
  /// enum Action: Codable, Equatable, Sendable { case navigators(NavigatorsAction<Home.Action>) }
  ///
  /// var body: some Reducer<State, Action> {
  ///   EmptyReducer()
  ///     .forEachNavigator(\.navigators, action: Action.navigators, initial: Home.State()) { Home() }
  /// }
  /// ```
  ///
  /// The effects of a navigator are its own, and end with the step in which it is removed. They answer to
  /// it by name, so they find it whoever its client looks at by then.
  ///
  /// - Parameters:
  ///   - place: the navigators.
  ///   - action: their actions among this reducer's, by the case's constructor.
  ///   - name: what the slice is called; needed where `place` is no stored property.
  ///   - initial: what a client begins with, and what begins to be shared.
  ///   - content: the reducers of one navigator's content.
  /// - Returns: the two as one reducer.
  public func forEachNavigator<ContentState, ContentAction, Content>(
    _ place: any WritableKeyPath<State, Navigators<ContentState>> & Sendable,
    action: @escaping @Sendable (NavigatorsAction<ContentAction>) -> Action,
    named name: String? = nil, initial: ContentState,
    @ReducerBuilder<ContentState, ContentAction> content: () -> Content
  ) -> ForEachNavigator<Self, Content> where Content: Reducer<ContentState, ContentAction> {
    ForEachNavigator(
      parent: self, place: place, action: CasePath(action), givenName: name, initial: initial,
      content: content())
  }
}
