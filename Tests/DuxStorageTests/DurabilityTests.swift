import DuxLog
import Glibc
import Testing

@testable import DuxStorage

@Suite struct DurabilityTests {
  let folder = TemporaryFolder()

  @Test(arguments: [(Durability.full, Int64(2)), (.normal, 1)])
  func theWriterSyncsAsItsDurabilityAsks(durability: Durability, level: Int64) throws {
    try withLog(folder.data, durability: durability) { writer in
      try #expect(writer.connection.integer("PRAGMA synchronous") == level)
      try #expect(writer.connection.integer("PRAGMA wal_autocheckpoint") == 0)
      try #expect(writer.connection.integer("PRAGMA mmap_size") == 0)
      try #expect(writer.connection.integer("PRAGMA page_size") == 4096)
      try #expect(writer.connection.integer("PRAGMA auto_vacuum") == 2)
      try #expect(writer.connection.integer("PRAGMA trusted_schema") == 0)
      try #expect(writer.connection.integer("PRAGMA cell_size_check") == 1)
      try #expect(
        writer.connection.integer(
          "SELECT count(*) FROM pragma_journal_mode WHERE journal_mode='wal'") == 1)
    }
  }

  @Test func afterAFailedSyncNoCommitIsTakenButReadsGoOn() throws {
    try withLog(folder.data) { writer in
      try writer.append(commit(1...1))
      writer.progress.note(failure: StorageError(.syncFailed, file: "", check: ""))
      #expect(storageError { try writer.append(commit(2...2)) }?.kind == .syncFailed)
      try withReader(writer) { try #expect($0.all() == [step(1)]) }
    }
    try withLog(folder.data) { try $0.append(commit(2...2)) }
  }

  @Test func otherProcessesAreKeptOutOfTheDatabase() throws {
    try withLog(folder.data) { writer in
      try writer.append(commit(1...1))
      #expect(run("/usr/bin/sqlite3", folder.data + "/dux.db", "DELETE FROM log") != 0)
      try withReader(writer) { try #expect($0.all() == [step(1)]) }
    }
    #expect(contents(folder.data + "/dux.db-shm") == nil)
  }

  @Test func lookingAtACrashedLogWithAnotherProgramHarmsNothing() throws {
    do {
      let writer = try openWriter(folder.data)
      try writer.append(commit(1...300))
      let checkpointer = try writer.makeCheckpointer()
      try checkpointer.run()
      checkpointer.close()
      try writer.append(commit(301...500))
    }
    run("/usr/bin/sqlite3", folder.data + "/dux.db", "SELECT sum(seq) FROM log", ".once /dev/null")
    try #expect(readBack(folder.data).steps == (1...500).map { step($0) })
  }

  @Test func aDatabaseThatAnotherProgramHoldsIsBusy() throws {
    try withLog(folder.data) { try $0.append(commit(1...1)) }
    let script = """
      import sqlite3, sys
      held = sqlite3.connect(sys.argv[1]); held.execute("BEGIN"); held.execute("SELECT * FROM log")
      print("held", file=open(sys.argv[2], "w"))
      open(sys.argv[3])
      """
    let fifos = [folder.path + "/held", folder.path + "/end"]
    fifos.forEach { mkfifo($0, 0o600) }
    let child = try #require(
      start("/usr/bin/env", "python3", "-c", script, folder.data + "/dux.db", fifos[0], fifos[1]))
    close(open(fifos[0], O_RDONLY))
    let refused = storageError { _ = try openWriter(folder.data) }
    close(open(fifos[1], O_WRONLY))
    waitpid(child, nil, 0)
    #expect(refused?.kind == .busy(pid: nil))
    try withLog(folder.data) { #expect($0.head.value == 1) }
  }
}
