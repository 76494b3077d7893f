import DuxLog
import Synchronization
import Testing

@testable import DuxStorage

@Suite struct WALBoundTests {
  let folder = TemporaryFolder()

  private let small = WALLimits(
    checkpointPages: 50, restartPages: 50, tailPages: 20, ceilingPages: 400)

  private var walPages: Int { (contents(folder.data + "/dux.wal")?.count ?? 0) / 4120 }

  @Test func theFileStaysSmallWhenTheCheckpointerRunsBesideTheWriter() throws {
    try withLog(folder.data, limits: small) { writer in
      let checkpointer = try writer.makeCheckpointer()
      defer { checkpointer.close() }
      var longest = 0
      for seq in Int64(1)...2000 {
        try writer.append(commit(seq...seq))
        if writer.wantsCheckpoint { try checkpointer.run() }
        try writer.settleWAL()
        longest = max(longest, writer.walPageCount)
      }
      #expect(longest < 80)
      #expect(walPages < 80)
    }
    try #expect(readBack(folder.data).steps.count == 2000)
  }

  @Test func theCeilingHoldsWithoutAnyCheckpointer() throws {
    try withLog(folder.data, limits: small) { writer in
      for seq in Int64(1)...2000 {
        try writer.append(commit(seq...seq))
        #expect(writer.walPageCount < 420)
      }
      #expect(walPages < 420)
    }
  }

  @Test func aReaderThatStaysOpenHoldsUpNothingAndTheFileShrinksAfterIt() throws {
    try withLog(folder.data, limits: small) { writer in
      try writer.append(commit(1...1))
      try withReader(writer) { reader in
        for seq in Int64(2)...500 {
          try writer.append(commit(seq...seq))
          try writer.settleWAL()
          _ = try reader.outcome(client: "tty1", n: 1)
        }
        #expect(writer.walPageCount < 420)
      }
    }
  }

  @Test func writerReadersAndCheckpointerWorkOnThreadsOfTheirOwn() async throws {
    let folder = try DataFolder(path: folder.data)
    let writer = try LogWriter(opening: folder, durability: .normal, app: app, limits: small)
    defer { writer.close() }
    let done = Flag()
    let stopped = try await withThrowingTaskGroup(of: Int.self) { group in
      let checkpointer = try writer.makeCheckpointer()
      group.addTask {
        defer { checkpointer.close() }
        var runs = 0
        while !done.isSet.load(ordering: .relaxed) {
          try checkpointer.run()
          runs += 1
          try Task.checkCancellation()
          await Task.yield()
        }
        return runs
      }
      group.addTask {
        let reader = try LogReader(opening: folder)
        defer { reader.close() }
        var last: Int64 = 0
        while last < 3000 {
          let read = try reader.all(after: last)
          #expect(read.map(\.seq.value) == read.indices.map { last + 1 + Int64($0) })
          last = read.last?.seq.value ?? last
          try Task.checkCancellation()
          await Task.yield()
        }
        return 0
      }
      for seq in Int64(1)...3000 {
        try writer.append(commit(seq...seq))
        try writer.settleWAL()
        await Task.yield()
      }
      _ = try await group.next()
      done.isSet.store(true, ordering: .relaxed)
      return try await group.next()
    }
    #expect(stopped != nil)
    #expect(writer.walPageCount < 1000)
  }
}

private final class Flag: Sendable {
  let isSet = Atomic(false)
}
