import Foundation
import Simulation
import Testing

/// Whole lives of a daemon and its clients under faults, judged law by law.
///
/// `DUX_SIM_SEED=7` runs one seed; `DUX_SIM_COUNT=5000` runs that many from a random one on;
/// `DUX_SIM_TRACE=file` writes what happened before a failure to a file.
struct SimulationTests {
  private static let environment = ProcessInfo.processInfo.environment

  private static let seeds: [UInt64] = {
    if let seed = environment["DUX_SIM_SEED"].flatMap({ UInt64($0) }) { return [seed] }
    if let count = environment["DUX_SIM_COUNT"].flatMap({ UInt64($0) }) {
      let first = UInt64.random(in: 1...1_000_000_000)
      return Array(first..<first + max(1, count))
    }
    return Array(1...60)
  }()

  @Test func `every law holds whatever happens`() throws {
    var events = 0
    var steps = 0
    var crashes = 0
    var commands = 0
    var cancelled = 0
    var failures = 0
    for seed in Self.seeds {
      let outcome = try World(seed: seed, traceLimit: 0).run()
      events += outcome.eventCount
      steps += outcome.stepCount
      crashes += outcome.crashCount
      commands += outcome.commandCount
      cancelled += outcome.cancelCount
      guard let violation = outcome.violation else { continue }
      let again = try World(seed: seed, traceLimit: 20_000).run()
      Issue.record(
        """
        DUX_SIM_SEED=\(seed): \(violation)
        again: \(again.violation?.description ?? "nothing"); before it:
        \(again.trace.suffix(60).map { String($0.prefix(400)) }.joined(separator: "\n"))
        """)
      if let path = Self.environment["DUX_SIM_TRACE"] {
        try? Data(again.trace.joined(separator: "\n").utf8).write(to: URL(filePath: path))
      }
      failures += 1
      if failures >= 12 { break }
    }
    print(
      "\(Self.seeds.count) seeds, \(events) events, \(steps) steps, \(crashes) crashes,"
        + " \(commands) commands, \(cancelled) of them cancelled")
  }
}
