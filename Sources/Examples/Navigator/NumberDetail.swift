public import DuxStore

/// One number, which can be counted up, at once or a little later.
public struct NumberDetail: Reducer {
  /// The number.
  public struct State: Codable, Equatable, Sendable {
    /// It.
    public var number: Int
  }

  /// What somebody taps; where that leads is known to the flow alone.
  public enum Action: Codable, Equatable, Sendable {
    case increment
    /// Counts up in a second, unless the screen is left before.
    case incrementLater
    case showDouble
    case showRandom
    case goBack
    case goBackToList
    /// Back to the topmost screen that shows a number.
    case goBackTo(number: Int)
    case goBackToRoot
  }

  @Dependency(\.clock) private var clock

  /// Makes it.
  public init() {}

  /// Counts.
  public func reduce(into state: inout State, action: Action) throws -> Effect<Action> {
    switch action {
    case .increment:
      let (next, overflows) = state.number.addingReportingOverflow(1)
      guard !overflows else { throw Self.tooLarge(state.number) }
      state.number = next
    case .incrementLater:
      return .run("incrementLater") { send in
        try await clock.sleep(for: .seconds(1))
        await send(.increment)
      }
    case .showDouble, .showRandom, .goBack, .goBackToList, .goBackTo, .goBackToRoot: break
    }
    return .none
  }

  static func tooLarge(_ number: Int) -> Rejection {
    Rejection(reason: "overflow", message: "there is no number of 64 bits after \(number)")
  }
}
