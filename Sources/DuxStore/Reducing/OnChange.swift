/// Runs a further reducer when a value of the state changed.
///
/// See ``Reducer/onChange(of:_:)``.
public struct OnChange<Watched: Reducer, Value: Equatable & Sendable, Reaction: Reducer>: Reducer
where Reaction.State == Watched.State, Reaction.Action == Watched.Action {
  let watched: Watched
  let value: @Sendable (Watched.State) -> Value
  let reaction: @Sendable (Value, Value) -> Reaction

  /// Runs the watched reducer, then the reaction if the value is another than before.
  public func reduce(
    into state: inout Watched.State, action: Watched.Action
  ) throws -> Effect<Watched.Action> {
    let old = value(state)
    let effect = try watched.reduce(into: &state, action: action)
    let new = value(state)
    guard old != new else { return effect }
    return effect.beside(try reaction(old, new).reduce(into: &state, action: action))
  }

  /// What went from the watched reducer.
  public func departures(from old: Watched.State, to new: Watched.State) -> [EffectScope] {
    watched.departures(from: old, to: new)
  }

  /// Enters the watched reducer's slices.
  public func describe(in outline: inout ReducerOutline) {
    watched.describe(in: &outline)
  }
}

extension Reducer {
  /// The same reducer, and another one behind it when the first changed a value of the state.
  ///
  /// ```swift
  /// Scope(\.filter, action: Action.filter) { Filter() }
  ///   .onChange(of: { $0.filter }) { old, new in
  ///     Reduce { state, action in
  ///       state.page = 1
  ///       return .command(FetchPage(filter: new, page: 1))
  ///     }
  ///   }
  /// ```
  ///
  /// What the reaction itself changes does not set it off again. It belongs to this reducer, and
  /// holds no slices: those stand outside it.
  ///
  /// - Parameters:
  ///   - value: what is compared, before and after this reducer ran.
  ///   - reaction: what runs then, made of the value before and after.
  /// - Returns: the two as one reducer.
  public func onChange<Value: Equatable & Sendable, Reaction: Reducer<State, Action>>(
    of value: @escaping @Sendable (State) -> Value,
    @ReducerBuilder<State, Action> _ reaction: @escaping @Sendable (Value, Value) -> Reaction
  ) -> OnChange<Self, Value, Reaction> {
    OnChange(watched: self, value: value, reaction: reaction)
  }
}
