import Foundation
import DuxStore
import DuxTesting
import Testing

@testable import Navigator

typealias HomeStore = TestStore<Home.State, Home.Action>

/// A home with ids that count up and chance that repeats itself.
func homeStore(
  clock: TestClock = TestClock(), _ initialState: Home.State = Home.State()
) -> HomeStore {
  TestStore(
    initialState: initialState,
    dependencies: {
      $0.clock = clock
      $0.uuid = .counting()
      $0.random = .seeded(1)
    }
  ) { Home() }
}

/// The id that such a home gives as its *number*th.
func minted(_ number: UInt64) -> RouteID { RouteID(rawValue: UUID.numbered(number).uuidString) }

extension Home.Action {
  /// An action of the number flow in a route.
  static func numbers(_ flow: RouteID, _ action: NumberFlow.Action) -> Home.Action {
    .route(id: flow, action: .numbers(action))
  }

  /// An action of a number's screen.
  static func number(_ flow: RouteID, _ id: RouteID, _ action: NumberDetail.Action) -> Home.Action {
    .numbers(flow, .route(id: id, action: .detail(action)))
  }

  /// An action of the list of numbers.
  static func pick(_ flow: RouteID, _ number: Int) -> Home.Action {
    .numbers(flow, .route(id: .root, action: .list(.picked(number))))
  }

  /// An action of a step of the form.
  static func step(_ flow: RouteID, _ id: RouteID, _ action: SignUpStep.Action) -> Home.Action {
    .route(id: flow, action: .signUp(.route(id: id, action: action)))
  }
}

extension Home.State {
  /// The screens on the way, shortly.
  var way: [String] {
    trail.map {
      switch $0.screen {
      case .menu: "menu"
      case .numberList: "list"
      case .number(let number): "\(number)"
      case .step(let step): step.kind ?? ""
      }
    }
  }
}
