public import DuxStore
public import Foundation

/// A form in steps: name, date of birth, job, and all of it once more to send it in.
///
/// It knows the order of the steps, and nothing of what is entered: that goes to the ``SignUpDraft`` in the home.
public struct SignUpFlow: Reducer {
  /// Where somebody stands in the form.
  public struct State: Codable, Equatable, Sendable {
    /// What is filled in: the id of a ``SignUpDraft``.
    public let draft: UUID
    /// The steps so far.
    public var routes = Routes(root: SignUpStep.name)

    init(draft: UUID) {
      self.draft = draft
    }

    /// Makes a form that is at a step, with those before it below.
    init(draft: UUID, at step: SignUpStep) throws {
      self.draft = draft
      let before = SignUpStep.allCases.prefix { $0 != step } + [step]
      try routes.set(before.dropFirst().map { .push($0) })
    }
  }

  /// What may be asked of it.
  public enum Action: Codable, Equatable, Sendable {
    case route(id: RouteID, action: SignUpStep.Action)
    case nav(NavigationAction<SignUpStep>)
  }

  /// Makes the flow.
  public init() {}

  /// Goes from step to step.
  public var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .route(_, .name(.complete)): try state.routes.push(.dateOfBirth)
      case .route(_, .dateOfBirth(.complete)): try state.routes.push(.job)
      case .route(_, .job(.complete)): try state.routes.push(.final)
      case .route(_, .final(.change(let step))): try state.routes.goBack(to: .kind(step))
      case .route, .nav: break
      }
      return .none
    }
    .forEachRoute(\.routes, routes: Action.route(id:action:), nav: Action.nav) { SignUpStepping() }
  }
}

/// A step of the form; what was entered lies in the draft, so none holds anything.
public enum SignUpStep: RouteScreen, CaseIterable {
  /// What somebody does on a step.
  public enum Action: Codable, Equatable, Sendable {
    case name(NameAction)
    case dateOfBirth(DateAction)
    case job(JobAction)
    case final(FinalAction)
  }

  /// What somebody does on the first step.
  public enum NameAction: Codable, Equatable, Sendable {
    case enter(first: String, last: String)
    /// Enters them and goes on, or neither.
    case complete(first: String, last: String)
  }

  /// What somebody does on the second step.
  public enum DateAction: Codable, Equatable, Sendable {
    /// As `1990-12-31`.
    case enter(String)
    /// Enters it and goes on, or neither.
    case complete(String)
  }

  /// What somebody does on the third step.
  public enum JobAction: Codable, Equatable, Sendable {
    /// One of ``SignUpDraft/jobs``.
    case choose(String)
    /// Chooses it and goes on, or neither.
    case complete(String)
  }

  /// What somebody does at the end.
  public enum FinalAction: Codable, Equatable, Sendable {
    /// Goes back to a step, by its kind.
    case change(step: String)
    case submit
    /// Closes the form when it was taken.
    case done
  }

  case name, dateOfBirth, job, final

  /// The names that the steps are kept under.
  public static let kinds: [ScreenKind<SignUpStep>] = [
    ScreenKind("name", case: .name), ScreenKind("dateOfBirth", case: .dateOfBirth),
    ScreenKind("job", case: .job), ScreenKind("final", case: .final),
  ]
  /// The first step.
  public static let home: SignUpStep? = .name

  /// Whether an action is one of this step's.
  func offers(_ action: Action) -> Bool {
    switch (self, action) {
    case (.name, .name), (.dateOfBirth, .dateOfBirth), (.job, .job), (.final, .final): true
    default: false
    }
  }
}

/// Lets no step do what is another's.
struct SignUpStepping: Reducer {
  func reduce(
    into step: inout SignUpStep, action: SignUpStep.Action
  ) throws -> Effect<SignUpStep.Action> {
    guard step.offers(action) else {
      throw Rejection(reason: "target_gone", message: "the route is the step \(step) of the form")
    }
    return .none
  }
}
