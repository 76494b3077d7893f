/// Makes one reducer of those listed in a body: they run in order, each on what those before left.
@resultBuilder
public enum ReducerBuilder<State: Sendable, Action: Sendable> {
  /// One part of a body.
  public static func buildExpression<R: Reducer<State, Action>>(_ reducer: R) -> R {
    reducer
  }

  /// A body without parts changes nothing.
  public static func buildBlock() -> EmptyReducer<State, Action> {
    EmptyReducer()
  }

  /// The first part.
  public static func buildPartialBlock<R: Reducer<State, Action>>(first: R) -> R {
    first
  }

  /// A part behind others.
  public static func buildPartialBlock<First: Reducer<State, Action>, Next: Reducer<State, Action>>(
    accumulated: First, next: Next
  ) -> CombinedReducer<First, Next> {
    CombinedReducer(accumulated, next)
  }

  /// A part that is there sometimes.
  public static func buildOptional<R: Reducer<State, Action>>(_ reducer: R?) -> OptionalReducer<R> {
    OptionalReducer(reducer)
  }

  /// The first of two alternatives.
  public static func buildEither<First: Reducer<State, Action>, Second: Reducer<State, Action>>(
    first: First
  ) -> EitherReducer<First, Second> {
    .first(first)
  }

  /// The second of two alternatives.
  public static func buildEither<First: Reducer<State, Action>, Second: Reducer<State, Action>>(
    second: Second
  ) -> EitherReducer<First, Second> {
    .second(second)
  }

  /// Any number of parts of one kind.
  public static func buildArray<R: Reducer<State, Action>>(
    _ reducers: [R]
  ) -> ReducerSequence<R> {
    ReducerSequence(reducers)
  }
}

/// A reducer that changes nothing.
public struct EmptyReducer<State: Sendable, Action: Sendable>: Reducer {
  /// Makes it.
  public init() {}

  /// Leaves the state alone.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
}

/// Two reducers in a row.
public struct CombinedReducer<First: Reducer, Next: Reducer>: Reducer
where First.State == Next.State, First.Action == Next.Action {
  private let first: First
  private let next: Next

  /// Makes one reducer of two.
  public init(_ first: First, _ next: Next) {
    self.first = first
    self.next = next
  }

  /// Runs both; when the second throws, the store drops what the first did.
  public func reduce(
    into state: inout First.State, action: First.Action
  ) throws -> Effect<First.Action> {
    let effect = try first.reduce(into: &state, action: action)
    return effect.beside(try next.reduce(into: &state, action: action))
  }

  /// What went from either.
  public func departures(from old: First.State, to new: First.State) -> [EffectScope] {
    first.departures(from: old, to: new) + next.departures(from: old, to: new)
  }

  /// Enters the slices of both.
  public func describe(in outline: inout ReducerOutline) {
    first.describe(in: &outline)
    next.describe(in: &outline)
  }
}

/// A reducer that may not be there.
public struct OptionalReducer<Wrapped: Reducer>: Reducer {
  private let wrapped: Wrapped?

  /// Makes a reducer of one that may not be there.
  public init(_ wrapped: Wrapped?) {
    self.wrapped = wrapped
  }

  /// Runs the reducer if there is one.
  public func reduce(
    into state: inout Wrapped.State, action: Wrapped.Action
  ) throws -> Effect<Wrapped.Action> {
    try wrapped?.reduce(into: &state, action: action) ?? .none
  }

  /// What went from the reducer, if there is one.
  public func departures(from old: Wrapped.State, to new: Wrapped.State) -> [EffectScope] {
    wrapped?.departures(from: old, to: new) ?? []
  }

  /// Enters the slices of the reducer, if there is one.
  public func describe(in outline: inout ReducerOutline) {
    wrapped?.describe(in: &outline)
  }
}

/// One of two reducers.
public enum EitherReducer<First: Reducer, Second: Reducer>: Reducer
where First.State == Second.State, First.Action == Second.Action {
  /// The first alternative.
  case first(First)
  /// The second alternative.
  case second(Second)

  /// Runs the one that is there.
  public func reduce(
    into state: inout First.State, action: First.Action
  ) throws -> Effect<First.Action> {
    switch self {
    case .first(let reducer): try reducer.reduce(into: &state, action: action)
    case .second(let reducer): try reducer.reduce(into: &state, action: action)
    }
  }

  /// What went from the one that is there.
  public func departures(from old: First.State, to new: First.State) -> [EffectScope] {
    switch self {
    case .first(let reducer): reducer.departures(from: old, to: new)
    case .second(let reducer): reducer.departures(from: old, to: new)
    }
  }

  /// Enters the slices of the one that is there.
  public func describe(in outline: inout ReducerOutline) {
    switch self {
    case .first(let reducer): reducer.describe(in: &outline)
    case .second(let reducer): reducer.describe(in: &outline)
    }
  }
}

/// Any number of reducers of one kind in a row.
public struct ReducerSequence<Element: Reducer>: Reducer {
  private let elements: [Element]

  /// Makes one reducer of many.
  public init(_ elements: [Element]) {
    self.elements = elements
  }

  /// Runs all in order.
  public func reduce(
    into state: inout Element.State, action: Element.Action
  ) throws -> Effect<Element.Action> {
    .merge(try elements.map { try $0.reduce(into: &state, action: action) })
  }

  /// What went from any of them.
  public func departures(from old: Element.State, to new: Element.State) -> [EffectScope] {
    elements.flatMap { $0.departures(from: old, to: new) }
  }

  /// Enters the slices of all.
  public func describe(in outline: inout ReducerOutline) {
    for element in elements { element.describe(in: &outline) }
  }
}
