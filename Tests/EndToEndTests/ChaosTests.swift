import Testing

/// All laws at once, through faults at random moments.
@Suite(.serialized)
struct ChaosTests {
  @Test(arguments: [Seed(1)])
  func theLawsHoldThroughTwentyKills(seed: Seed) throws {
    let scenario = try Scenario(
      DaemonProcess(), seed: seed, dispatchesEach: 400, within: .seconds(120))
    var broken: [String] = []
    for _ in 0..<20 {
      try scenario.runForAWhile(20...200)
      broken += try scenario.killAndStart()
      if Bool.random(using: &scenario.random) { scenario.cutSomeone() }
    }
    #expect(scenario.isBusy, "all kills must come while there is work")
    broken += try scenario.finish()
    #expect(broken.isEmpty, "\(broken.joined(separator: "\n"))")
  }

  @Test(arguments: [Seed(2)])
  func theLawsHoldThroughPauses(seed: Seed) throws {
    let scenario = try Scenario(
      DaemonProcess(), seed: seed, dispatchesEach: 300, within: .seconds(120))
    for _ in 0..<20 {
      try scenario.runForAWhile(20...200)
      scenario.daemon.pause()
      for _ in 0..<Int.random(in: 1...5, using: &scenario.random) {
        scenario.cutSomeone()
        try scenario.turn(waitMilliseconds: 10)
      }
      scenario.daemon.resume()
    }
    let broken = try scenario.finish()
    #expect(broken.isEmpty, "\(broken.joined(separator: "\n"))")
  }

  @Test(arguments: [["--durability", "normal"], ["--retain-count", "100"]], [Seed(7)])
  func whatTheStateTellsHoldsThroughKillsWithOtherSettings(options: [String], seed: Seed) throws {
    let scenario = try Scenario(
      DaemonProcess(options), seed: seed, dispatchesEach: 300, within: .seconds(120))
    var broken: [String] = []
    for _ in 0..<8 {
      try scenario.runForAWhile(50...300)
      broken += try scenario.killAndStart()
    }
    broken += try scenario.finishWithoutLog()
    #expect(broken.isEmpty, "\(broken.joined(separator: "\n"))")
  }
}
