import DuxEngine
import DuxLog
import DuxProtocol
import Foundation
import Testing

/// The client's brain in every order of events that a random schedule comes upon.
///
/// `DUX_CLIENT_SEED=7` runs one seed; `DUX_CLIENT_COUNT=5000` runs that many from a random one on.
struct ClientModelCheckTests {
  private static let environment = ProcessInfo.processInfo.environment

  private static let seeds: [UInt64] = {
    if let seed = environment["DUX_CLIENT_SEED"].flatMap({ UInt64($0) }) { return [seed] }
    if let count = environment["DUX_CLIENT_COUNT"].flatMap({ UInt64($0) }) {
      let first = UInt64.random(in: 1...1_000_000_000)
      return Array(first..<first + max(1, count))
    }
    return Array(1...150)
  }()

  /// A random run of one client and one daemon.
  private struct Run {
    let daemon: ModelDaemon
    let program: ModelProgram
    let hasLives: Bool
    let hasTakeover: Bool
    let cutPercent: Int
    var isFrozen = false
    var isSuspended = false
    var steps = 0

    init(seed: UInt64, isTracing: Bool) {
      daemon = ModelDaemon(seed: seed)
      hasLives = daemon.chance(50)
      hasTakeover = daemon.chance(10)
      cutPercent = [2, 10, 40].randomElement(using: &daemon.random) ?? 2
      program = ModelProgram(
        daemon, window: [1, 3, 16].randomElement(using: &daemon.random) ?? 1,
        journaled: daemon.chance(50), isTracing: isTracing)
    }

    mutating func go() -> String? {
      for _ in 0..<400 where program.violation == nil {
        step()
        steps += 1
      }
      daemon.hasFaults = false
      daemon.isFull = false
      program.resume()
      for _ in 0..<4_000 where program.violation == nil {
        calmStep()
        if program.unfinished == nil { break }
      }
      if let violation = program.violation { return violation }
      if let missing = program.unfinished { return "it does not end: \(missing)" }
      if let tag = program.doneThoughCancelled { return "\(tag) was taken back and is done" }
      return twice
    }

    /// A step of ours that one life of the log has twice.
    private var twice: String? {
      for (life, entries) in daemon.lives.enumerated() {
        let own = entries.filter { $0.client == "tty1" }.map(\.tag)
        if Set(own).count < own.count { return "life \(life) has a step twice: \(own)" }
      }
      return nil
    }

    private mutating func step() {
      if isFrozen, program.isFollowing { isFrozen = false }
      switch Int.random(in: 0..<100, using: &daemon.random) {
      case 0..<15: program.ask(isPoisoned: daemon.chance(15))
      case 15..<35: daemon.receive()
      case 35..<55: program.receive()
      case 55..<65: daemon.commit()
      case 65..<70: if !isFrozen { daemon.takeOthers("o\(steps)") }
      case 70..<78: program.pass(Int64.random(in: 1...300, using: &daemon.random))
      case 78..<84: program.flushJournal(mayFail: true)
      case 84: program.pass(Int64.random(in: 1_000...20_000, using: &daemon.random))
      case 85: if daemon.chance(cutPercent) { program.lose("cut") }
      case 86: if daemon.chance(cutPercent), let wire = program.current { daemon.close(wire) }
      case 87: daemon.isFull = daemon.chance(40)
      case 88, 89: program.current?.isLagging = true
      case 90, 91: if let wire = program.current { daemon.catchUp(wire) }
      case 92: if daemon.chance(20) { daemon.crash() }
      case 93: if hasLives, daemon.chance(30) { changeLife() }
      case 94: program.cancel()
      case 95: if daemon.chance(20) { program.crash() }
      case 96: daemon.mark()
      case 97: suspendOrResume()
      case 98: program.wake()
      default: if hasTakeover, daemon.chance(20) { takeOver() }
      }
    }

    private func calmStep() {
      daemon.receive()
      daemon.commit()
      if let wire = program.current { daemon.catchUp(wire) }
      program.flushJournal(mayFail: false)
      program.receive()
      program.pass(50)
    }

    private mutating func changeLife() {
      let head = daemon.head
      let reached = Int(program.view.position?.seq.value ?? 0)
      if daemon.chance(60) {
        daemon.restore(to: Int.random(in: 0...head, using: &daemon.random), newEpoch: true)
        isFrozen = false
      } else if program.view.confirmed.life == daemon.life {
        // Data put back is told apart only as long as it is shorter than what a client has seen.
        let steps = program.fates.values.count { $0 == .open } + 20
        guard reached > steps else { return }
        daemon.restore(
          to: Int.random(in: 0..<(reached - steps), using: &daemon.random), newEpoch: false)
        isFrozen = true
      }
    }

    private mutating func suspendOrResume() {
      if isSuspended { program.resume() } else if daemon.chance(30) { program.suspend() }
      isSuspended.toggle()
    }

    private func takeOver() {
      if let wire = program.current, wire.isGreeted { daemon.close(wire, saying: "replaced") }
    }
  }

  @Test
  func whatIsShownIsWhatTheDaemonDidAndWhatIsOnItsWay() {
    var failures = 0
    for seed in Self.seeds {
      var run = Run(seed: seed, isTracing: false)
      guard let violation = run.go() else { continue }
      run = Run(seed: seed, isTracing: true)
      _ = run.go()
      Issue.record(
        """
        DUX_CLIENT_SEED=\(seed): \(violation)
        before it:
        \(run.program.trace.suffix(40).joined(separator: "\n"))
        """)
      failures += 1
      if failures >= 3 { break }
    }
  }
}
