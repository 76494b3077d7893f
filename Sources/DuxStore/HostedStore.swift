public import DuxJSON

/// A store whose app is known by name only: JSON actions in, JSON patches out.
///
/// It is a value: a copy is a version of the state that nothing changes any more, and costs a
/// reference. That is how the daemon runs ahead of the disk and drops back when the disk fails.
public protocol HostedStore: Sendable {
  /// The app's name.
  var appName: String { get }
  /// The version of the shape of the app's state.
  var appVersion: Int { get }
  /// The state as clients see it.
  var view: JSON { get }

  /// Takes actions as one step: all of them, or none.
  ///
  /// - Returns: what changed in ``view``, as `add`, `remove` and `replace`.
  /// - Throws: ``Refusal`` for the first action that can't be taken; the store is then unchanged.
  /// - Complexity: the reducer's, and O(change) beside it.
  mutating func dispatch(_ actions: [WireAction]) throws(Refusal) -> JSONPatch

  /// Puts a state in place of the store's, as read from a checkpoint or made by logged patches.
  ///
  /// - Throws: ``Refusal/badAction(_:)`` when it is no state of this app; the store is unchanged.
  mutating func restore(view: JSON) throws(Refusal)
}

/// A store of one app, with its state and the view of it.
public struct Store<Hosted: App>: HostedStore {
  /// The app that reduces.
  public let app: Hosted
  /// How large the state may become.
  public let limits: StateLimits
  /// The app's own state.
  public private(set) var state: Hosted.State
  /// The state as clients see it.
  public private(set) var view: JSON

  /// Makes a store in the app's initial state.
  public init(_ app: Hosted, limits: StateLimits) {
    self.app = app
    self.limits = limits
    self.state = app.initialState
    self.view = app.view(of: app.initialState)
  }

  /// The app's name.
  public var appName: String { app.name }

  /// The version of the shape of the app's state.
  public var appVersion: Int { app.version }

  /// Takes actions as one step.
  public mutating func dispatch(_ actions: [WireAction]) throws(Refusal) -> JSONPatch {
    var next = state
    for (index, wire) in actions.enumerated() {
      do throws(Refusal) {
        try reduce(into: &next, wire)
      } catch {
        throw actions.count == 1 ? error : error.prefixed("action \(index): ")
      }
    }
    let nextView = app.view(of: next)
    try check(nextView, after: view)
    let patch = JSONPatch.diff(from: view, to: nextView)
    state = next
    view = nextView
    return patch
  }

  /// Puts a state in place of the store's.
  public mutating func restore(view: JSON) throws(Refusal) {
    self.state = try app.state(fromView: view)
    self.view = view
  }

  private func reduce(into state: inout Hosted.State, _ wire: WireAction) throws(Refusal) {
    let action = try app.action(from: wire)
    do throws(Rejection) {
      try app.reduce(into: &state, action: action)
    } catch {
      throw Refusal(error)
    }
  }

  /// Holds the state to the limits; one that is past a limit already, since the limit was lowered,
  /// may stay so but not grow.
  private func check(_ next: JSON, after former: JSON) throws(Refusal) {
    guard next.depth <= max(limits.maximumDepth, former.depth) else {
      throw .tooDeep(
        "the state would be \(next.depth) levels deep, \(limits.maximumDepth) are allowed")
    }
    guard next.encodedByteCount <= max(limits.maximumBytes, former.encodedByteCount) else {
      throw .tooLarge(
        "the state would take \(next.encodedByteCount) bytes, \(limits.maximumBytes) are allowed")
    }
  }
}

extension Refusal {
  /// A reducer's rejection, with the limits of the state told apart from the app's own reasons.
  init(_ rejection: Rejection) {
    switch rejection.reason {
    case Rejection.tooDeepReason: self = .tooDeep(rejection.message)
    case Rejection.tooLargeReason: self = .tooLarge(rejection.message)
    default: self = .rejected(rejection)
    }
  }
}

extension Rejection {
  static let tooDeepReason = "too_deep"
  static let tooLargeReason = "too_large"
}
