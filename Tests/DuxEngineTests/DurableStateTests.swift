import DuxJSON
import DuxLog
import Simulation
import Testing

@testable import DuxEngine

/// What is shown while steps are on their way to the disk: the state that the log holds, and nothing
/// of what comes after it.
struct DurableStateTests {
  @Test(arguments: Run.allCases, Run.allCases)
  func `reads are of what the log holds, whatever is on its way`(first: Run, second: Run) throws {
    let scene = try Scene()
    scene.send(first.steps(in: "/p"))
    try scene.check("the first group is under way")
    for step in second.steps(in: "/q") { scene.send([step]) }
    try scene.check("the second is open behind it")
    scene.harness.commit()
    #expect(scene.writer.takeOps().count { $0 == "ack" } == first.steps(in: "/p").count)
    try scene.check("the first is durable")
    scene.send([Scene.increment], [Run.merge.steps(in: "/p")[0]])
    try scene.check("a third is open behind the second")
    scene.harness.failCommit()
    try scene.check("the second and the third are refused")
    scene.harness.pass(1_000)
    scene.send([Scene.increment], second.steps(in: "/q"))
    try scene.check("others are under way")
    scene.settle()
    try scene.check("they are durable")
  }

  @Test(arguments: Run.allCases, Run.allCases)
  func `the first look after a group is settled or refused is right, too`(
    first: Run, second: Run
  ) throws {
    let scene = try Scene()
    scene.send(first.steps(in: "/p"), second.steps(in: "/q"))
    scene.harness.commit()
    try scene.check("the second group is under way, nobody looked before")
    scene.settle()
    scene.send([Scene.increment], first.steps(in: "/q"), second.steps(in: "/p"))
    scene.harness.failCommit()
    try scene.check("all are refused, nobody looked before")
    scene.harness.pass(1_000)
    scene.send([Scene.increment])
    scene.settle()
    try scene.check("another is durable")
  }

  @Test(arguments: Run.allCases)
  func `a checkpoint is of the durable state, though steps are on their way`(run: Run) throws {
    let scene = try Scene(checkpointEntries: 2)
    scene.send([Scene.increment], run.steps(in: "/p"))
    scene.harness.tell { $0.startCheckpoint() }
    #expect(scene.harness.checkpoints.count == 1)
    try scene.check(scene.harness.checkpoints.last)
    scene.harness.tell { $0.checkpointEnded() }
    scene.harness.commit()
    try scene.check(scene.harness.engine.lastCheckpoint(upToBytes: .max))
    scene.send(run.steps(in: "/q"))
    scene.harness.commit()
    #expect(scene.harness.checkpoints.count == 2)
    try scene.check(scene.harness.checkpoints.last)
  }

  @Test(arguments: Run.allCases)
  func `a subscription begun meanwhile has the durable state, then each step`(run: Run) throws {
    let scene = try Scene()
    scene.send(run.steps(in: "/p"), run.steps(in: "/q"), Run.edits.steps(in: "/p"))
    try scene.watch("", "/list/1", "/rows/1/n", "/p/pair/1", "/map", "/@leases")
    scene.harness.commit()
    try scene.watch("/list", "/rows/0")
    try scene.checkWatchers("the first group is durable")
    scene.harness.failCommit()
    scene.harness.pass(1_000)
    scene.send([Scene.increment], run.steps(in: "/q"))
    try scene.watch("/p", "/q")
    scene.settle()
    try scene.checkWatchers("all is durable")
  }

  @Test(arguments: Run.allCases)
  func `below an array each step is told as it was, with steps open behind the group`(
    run: Run
  ) throws {
    let scene = try Scene()
    try scene.watch("/rows/0/n", "/rows/1/n", "/rows/1", "/rows/2")
    let shifts = [
      Scene.step("doc/insert", ["path": "/rows", "index": 0, "value": ["n": "new"]]),
      Scene.step("doc/set", ["path": "/rows/1/n", "value": "now"]),
      Scene.step("doc/remove", ["path": "/rows/2"]),
    ]
    scene.send([Scene.increment], shifts + run.steps(in: "/p"))
    scene.harness.commit()
    let others = [
      Scene.step("doc/remove", ["path": "/rows/0"]),
      Scene.step("doc/append", ["path": "/rows", "value": ["n": "last"]]),
      Scene.step("doc/insert", ["path": "/rows", "index": 1, "value": ["n": "between"]]),
    ]
    scene.send(run.steps(in: "/q") + others)
    scene.harness.commit()
    try scene.checkWatchers("the shifts are durable")
    #expect(scene.watchers.allSatisfy { $0.patchCount > 0 })
    scene.settle()
    try scene.checkWatchers("the others are durable")
  }

  @Test(arguments: 1...24 as ClosedRange<UInt64>)
  func `whatever happens, what is shown is what the log holds`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let scene = try Scene()
    for moment in 0..<160 {
      try happen(in: scene, &random)
      let place = "seed \(seed), moment \(moment)"
      if random.chance(40) { try scene.check(place) }
      try scene.checkWatchers(place)
      guard scene.isRight else { return }
    }
    scene.harness.pass(1_000)
    scene.settle()
    try scene.check("seed \(seed), at the end")
    try scene.checkWatchers("seed \(seed), at the end")
    #expect(scene.harness.disk.head.value > 20, "seed \(seed)")
  }

  private func happen(in scene: Scene, _ random: inout SeededGenerator) throws {
    let harness = scene.harness
    switch random.below(20) {
    case 0...8: scene.send((0...random.below(4)).map { _ in random.step(n: &scene.lastN) })
    case 9...14: if !harness.commits.isEmpty { harness.commit() }
    case 15:
      if !harness.commits.isEmpty { harness.failCommit() }
      if random.chance(70) { harness.pass(1_000) }
    case 16: harness.pass(1_000)
    case 17: try scene.watch(random.pick(["", "/list/1", "/list/0/n", "/rows/1/n", "/map/a"]))
    case 18:
      harness.tell { $0.startCheckpoint() }
      try scene.check(scene.newCheckpoint())
    default: if random.chance(20) { try scene.crash() }
    }
  }
}
