import DuxJSON
package import DuxStore

/// An app with every kind of effect: parcels are delivered by commands, counts go up by follow-ups,
/// somebody listens, and a crew comes and goes with what it carries.
package struct Errands: App {
  /// What is known of a delivery.
  package struct Parcel: Codable, Equatable, Identifiable, Sendable {
    package var id: String
    package var status = "ordered"
  }

  package struct State: Codable, Equatable, Sendable {
    package var parcels = Table<String, Parcel>()
    package var crew = Table<String, Porter.State>()
    package var count = 0
    package var heard: [String] = []
    package var starts = 0
    package var drawn: Int64?
    package var author = ""
  }

  package enum Action: Codable, Equatable, Sendable {
    /// Asks for a delivery under an id.
    case order(parcel: String, id: String, policy: EffectPolicy)
    /// Asks for a delivery, and for the next when that is over.
    case orderBoth(first: String, second: String)
    /// Asks for a delivery unless asked again within the time.
    case orderLater(parcel: String, ms: Int)
    case started(String)
    case delivered(String)
    case failed(parcel: String, reason: String)
    case cancel(id: String)
    case chain(Int)
    case spread(Int)
    case tick
    case ping
    case pong
    case listen(String)
    case heard(String)
    case draw
    case deny
    case denyLater
    case hire(String)
    case dismiss(String)
    case crew(id: String, action: Porter.Action)
    case begin
  }

  /// Has a parcel delivered.
  package struct Deliver: Command {
    package var parcel: String
    /// The porter who carries it; nobody in particular.
    package var porter: String?
  }

  package var name = "errands"
  package var version = 1
  package let initialState = State()
  package var startAction: Action? = .begin
  package var middleware: [any Middleware<State, Action>] = []
  /// Whether the app has a handler of its command.
  package var delivers = true

  @Dependency(\.random) var random
  @Dependency(\.author) var author

  package init() {}

  package var commands: [CommandHandler<Action>] {
    guard delivers else { return [] }
    return [
      CommandHandler(
        Deliver.self, started: { command, _ in .started(command.parcel) },
        failed: { error, command, _ in
          .failed(parcel: command.parcel, reason: String(describing: error))
        }
      ) { command, _ in
        if let porter = command.porter {
          return .crew(id: porter, action: .carried(command.parcel))
        }
        return .delivered(command.parcel)
      }
    ]
  }

  package var body: some Reducer<State, Action> {
    Reduce { state, action in
      state.author = author
      return try change(&state, action)
    }
    .forEach(\.crew, action: Action.crew(id:action:)) { Porter() }
  }

  private func change(_ state: inout State, _ action: Action) throws -> Effect<Action> {
    switch action {
    case .order(let parcel, let id, let policy):
      put(parcel, "ordered", in: &state)
      return .command(Deliver(parcel: parcel)).cancellable(EffectID(id), policy)
    case .orderBoth(let first, let second):
      put(first, "ordered", in: &state)
      put(second, "ordered", in: &state)
      return .concatenate(
        .command(Deliver(parcel: first)), .command(Deliver(parcel: second)),
        .send(.heard("both")))
    case .orderLater(let parcel, let ms):
      return .command(Deliver(parcel: parcel)).debounced("later", for: .milliseconds(ms))
    case .started(let parcel): put(parcel, "started", in: &state)
    case .delivered(let parcel): put(parcel, "delivered", in: &state)
    case .failed(let parcel, let reason): put(parcel, reason, in: &state)
    case .cancel(let id): return .cancel(EffectID(id))
    case .chain(let depth):
      state.count += 1
      return depth > 0 ? .send(.chain(depth - 1)) : .none
    case .spread(let count): return .merge((0..<count).map { _ in .send(.tick) })
    case .tick: state.count += 1
    case .ping: return .send(.pong)
    case .pong: return .send(.ping)
    case .listen(let word):
      return .run("listen \(word)") { send in await send(.heard(word)) }.cancellable(
        "ear", .takeLatest)
    case .heard(let word): state.heard = state.heard.suffix(9) + [word]
    case .draw: state.drawn = random()
    case .deny: throw Rejection(reason: "denied", message: "denied")
    case .denyLater: return .send(.deny)
    case .hire(let id): try state.crew.append(Porter.State(id: id))
    case .dismiss(let id): state.crew.remove(id: id)
    case .crew: break
    case .begin: state.starts += 1
    }
    return .none
  }

  private func put(_ parcel: String, _ status: String, in state: inout State) {
    let isKnown: Void? = state.parcels.update(parcel) { $0.status = status }
    if isKnown == nil { try? state.parcels.append(Parcel(id: parcel, status: status)) }
  }
}

/// One of the crew, who owns what it does.
package struct Porter: Reducer {
  package struct State: Codable, Equatable, Identifiable, Sendable {
    package var id: String
    package var carried: [String] = []
    package var steps = 0
  }

  package enum Action: Codable, Equatable, Sendable {
    case carry(String)
    case carried(String)
    /// Takes so many steps, each a follow-up.
    case walk(Int)
    case step
    case whistle
    case whistled
  }

  package func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .carry(let parcel): return .command(Errands.Deliver(parcel: parcel, porter: state.id))
    case .carried(let parcel): state.carried = state.carried.suffix(9) + [parcel]
    case .walk(let count): return .merge((0..<count).map { _ in .send(.step) }).cancellable("walk")
    case .step, .whistled: state.steps += 1
    case .whistle: return .run("whistle \(state.id)") { send in await send(.whistled) }
    }
    return .none
  }
}
