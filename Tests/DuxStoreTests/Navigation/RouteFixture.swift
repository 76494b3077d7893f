import DuxJSON
import DuxStore

/// Screens of a small app: one with a state, one with a stack of its own, one with nothing.
enum Place: RouteScreen {
  case page(RoutePage.State)
  case tour(Tour.State)
  case about

  static let kinds: [ScreenKind<Place>] = [
    ScreenKind("page", Place.page, formerly: ["sheet"]),
    ScreenKind("tour", Place.tour),
    ScreenKind("about", case: .about),
  ]

  static func page(_ number: Int) -> Place { .page(RoutePage.State(number: number)) }
}

/// A screen whose effects are told apart by its number.
struct RoutePage: Reducer {
  struct State: Codable, Equatable, Sendable {
    var number: Int
    var loads = 0
  }
  enum Action: Codable, Equatable, Sendable { case load, loaded, loadAndClose, loadForever, fail }

  func reduce(into state: inout State, action: Action) throws -> Effect<Action> {
    switch action {
    case .load, .loadAndClose: return .send(.loaded).cancellable("load \(state.number)")
    case .loadForever: return .send(.loaded).cancellable("load \(state.number)").detached()
    case .loaded: state.loads += 1
    case .fail:
      state.loads = -1
      throw Rejection(reason: "no", message: "no")
    }
    return .none
  }
}

/// A stack within a screen.
struct Tour: Reducer {
  struct State: Codable, Equatable, Sendable {
    var routes = Routes(root: Stop.stop(RoutePage.State(number: 100)))
  }
  enum Action: Codable, Equatable, Sendable {
    case route(id: RouteID, action: Stop.Action)
    case nav(NavigationAction<Stop>)
  }

  var body: some Reducer<State, Action> {
    EmptyReducer()
      .forEachRoute(\.routes, routes: Action.route(id:action:), nav: Action.nav) {
        EmptyReducer()
          .ifCaseLet(Stop.stop, named: "stop", action: Stop.Action.stop) { RoutePage() }
          .ifCaseLet(Stop.tour, named: "tour", action: Stop.Action.tour) { InnerTour() }
      }
  }
}

/// A screen of a tour, which may be a tour again.
enum Stop: RouteScreen {
  enum Action: Codable, Equatable, Sendable {
    case stop(RoutePage.Action)
    case tour(InnerTour.Action)
  }

  case stop(RoutePage.State)
  case tour(InnerTour.State)

  static let kinds: [ScreenKind<Stop>] = [
    ScreenKind("stop", Stop.stop), ScreenKind("tour", Stop.tour),
  ]
  static let home: Stop? = .stop(RoutePage.State(number: 0))
}

/// The innermost stack.
struct InnerTour: Reducer {
  struct State: Codable, Equatable, Sendable {
    var routes = Routes(root: Leaf.leaf, stack: true)
  }
  enum Action: Codable, Equatable, Sendable {
    case route(id: RouteID, action: Never)
    case nav(NavigationAction<Leaf>)
  }
  enum Leaf: RouteScreen {
    case leaf
    static let kinds: [ScreenKind<Leaf>] = [ScreenKind("leaf", case: .leaf)]
  }

  var body: some Reducer<State, Action> {
    EmptyReducer()
      .forEachRoute(\.routes, routes: Action.route(id:action:), nav: Action.nav) {
        EmptyReducer<Leaf, Never>()
      }
  }
}

/// The whole of it, whose log tells in which order things ran.
struct Places: Reducer {
  struct State: Codable, Equatable, Sendable {
    var routes = Routes(root: Place.page(0))
    var seen: [String] = []
  }
  enum PlaceAction: Codable, Equatable, Sendable {
    case page(RoutePage.Action)
    case tour(Tour.Action)
  }
  enum Action: Codable, Equatable, Sendable {
    case route(id: RouteID, action: PlaceAction)
    case nav(NavigationAction<Place>)
    case begin
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .route(let id, .page(.loadAndClose)):
        try state.routes.goBack(to: id); try state.routes.goBack()
      case .route(let id, _):
        state.seen.append("\(id): \(state.routes[id: id]?.screen.kind ?? "-")")
      case .nav(.push(.about, _)): throw Rejection(reason: "no_about", message: "no")
      case .nav: state.seen.append("nav: \(state.routes.count)")
      case .begin: return .send(.nav(.dismissAll())).cancellable("own")
      }
      return .none
    }
    .forEachRoute(\.routes, routes: Action.route(id:action:), nav: Action.nav) {
      EmptyReducer()
        .ifCaseLet(Place.page, named: "page", action: PlaceAction.page) { RoutePage() }
        .ifCaseLet(Place.tour, named: "tour", action: PlaceAction.tour) { Tour() }
    }
  }
}

/// The id that the dependency of tests mints as its *number*th.
func minted(_ number: Int) -> RouteID {
  RouteID(
    rawValue: "00000000-0000-0000-0000-" + String(repeating: "0", count: 12 - hex(number).count)
      + hex(number))
}

private func hex(_ number: Int) -> String { String(number, radix: 16, uppercase: true) }

/// Runs a body where ids count up.
@discardableResult
func counted<Result>(_ body: () throws -> Result) rethrows -> Result {
  try DependencyValues.$current.withValue(
    DependencyValues(.test).setting { $0.uuid = .counting() }, operation: body)
}

/// The reason of a refusal, after a check that it left no trace; `taken` if there was none.
func reason<Value: Equatable>(
  _ value: inout Value, _ step: (inout Value) throws -> Void
) -> String {
  let before = value
  do {
    try step(&value)
    return "taken"
  } catch {
    return value == before ? Rejection(error).reason : "changed"
  }
}
