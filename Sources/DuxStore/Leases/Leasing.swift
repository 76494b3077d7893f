import Foundation

/// Grants leases, renews and ends them.
///
/// A lease is held for as long as it is in the state. Time alone takes nothing away: it does so by
/// an action of the daemon's own, sent by the lease's timer, so that what clients see and what is so
/// are the same, whatever the clocks say.
struct Leasing: Reducer {
  @Dependency(\.date) private var date
  @Dependency(\.author) private var author

  func reduce(into leases: inout Leases, action: LeaseAction) throws -> Effect<LeaseAction> {
    switch action {
    case .acquire(let name, let ttlMs, let holder):
      let nowMs = date().milliseconds
      if let lease = leases[name] { throw Rejection.leaseHeld(name, lease, nowMs: nowMs) }
      try leases.grant(
        name, to: holder ?? author, until: nowMs.adding(ttlMs), ttlMs: ttlMs)
      return timer(of: name, in: leases)
    case .renew(let name, let fence, let ttlMs):
      var lease = try held(name, under: fence, in: leases)
      lease.ttlMs = ttlMs ?? lease.ttlMs
      lease.expiresMs = date().milliseconds.adding(lease.ttlMs)
      leases.put(lease, as: name)
      return timer(of: name, in: leases)
    case .release(let name, let fence):
      _ = try held(name, under: fence, in: leases)
      leases.end(name)
      return .cancel(EffectID(name))
    case .expire(let name, let fence):
      if leases[name]?.fence == fence { leases.end(name) }
      return .none
    case .rearm(let name, let fence):
      return leases[name]?.fence == fence ? timer(of: name, in: leases) : .none
    }
  }

  private func held(
    _ name: String, under fence: Int64, in leases: Leases
  ) throws(Rejection) -> Lease {
    guard let lease = leases[name] else {
      throw .leaseLost(name, fence, "nobody holds it")
    }
    guard lease.fence == fence else {
      throw .leaseLost(name, fence, "\(quoted(lease.holder)) holds it under fence \(lease.fence)")
    }
    return lease
  }

  /// The one timer of a lease, in the place of the one before.
  private func timer(of name: String, in leases: Leases) -> Effect<LeaseAction> {
    guard let lease = leases[name] else { return .none }
    let timer = LeaseTimer(
      name: name, fence: lease.fence, expiresMs: lease.expiresMs, ttlMs: lease.ttlMs)
    return .command(timer).cancellable(EffectID(name), .takeLatest)
  }
}

/// Waits until a lease runs out.
///
/// It is a command, so that it is on disk with the step that granted the lease, and goes on over any
/// crash.
struct LeaseTimer: Command, Equatable {
  static let commandName = "@lease"

  var name: String
  var fence: Int64
  var expiresMs: Int64
  var ttlMs: Int64

  /// Does the waiting.
  ///
  /// A timer that is lost, because somebody cancelled it, is started again: no lease is without one.
  static let handler = CommandHandler<LeaseAction>(
    LeaseTimer.self, retry: .endless,
    failed: { _, timer, _ in .rearm(name: timer.name, fence: timer.fence) },
    run: { timer, _ in
      let world = DependencyValues.current
      let left = timer.left(at: world.date().milliseconds)
      try await world.clock.sleep(for: .milliseconds(left))
      return .expire(name: timer.name, fence: timer.fence)
    })

  /// How long it has to wait: never longer than the lease lasts, though the clock was set back.
  func left(at nowMs: Int64) -> Int64 {
    let (left, overflow) = expiresMs.subtractingReportingOverflow(nowMs)
    return overflow ? (nowMs < 0 ? ttlMs : 0) : min(max(0, left), ttlMs)
  }
}

extension RetryPolicy {
  /// One try, longer than any lease.
  fileprivate static let endless = RetryPolicy(
    attempts: 1, firstDelay: .zero, longestDelay: .zero, timeout: .seconds(366 * 86_400),
    deadline: .seconds(366 * 86_400))
}

extension Rejection {
  fileprivate static func leaseHeld(_ name: String, _ lease: Lease, nowMs: Int64) -> Rejection {
    let leftMs = max(0, lease.expiresMs.subtractingReportingOverflow(nowMs).partialValue)
    let left = leftMs < 10_000 ? "\(leftMs) ms" : "\(leftMs / 1_000) s"
    return Rejection(
      reason: "lease_held",
      message: "the lease \(quoted(name)) is held by \(quoted(lease.holder)) under fence"
        + " \(lease.fence), for another \(left) unless renewed")
  }

  fileprivate static func leaseLost(_ name: String, _ fence: Int64, _ why: String) -> Rejection {
    Rejection(
      reason: "lease_lost",
      message: "the lease \(quoted(name)) is not held under fence \(fence): \(why)")
  }
}

extension Date {
  /// Milliseconds since 1970.
  fileprivate var milliseconds: Int64 {
    Int64(exactly: (timeIntervalSince1970 * 1_000).rounded()) ?? 0
  }
}

extension Int64 {
  fileprivate func adding(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
