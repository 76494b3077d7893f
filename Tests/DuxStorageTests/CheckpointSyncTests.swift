import CSQLite
import DuxLog
import Synchronization
import Testing

@testable import DuxStorage

/// What the checkpointer copies is on the disk when its run ends, so that nobody else waits for it.
@Suite(.serialized) struct CheckpointSyncTests {
  private let folder = TemporaryFolder()

  @Test func `a run syncs the database though it may not copy all`() throws {
    try withCheckpointer { writer, checkpointer, syncs in
      try writer.append(commit(2...2))
      try checkpointer.run()
      // SQLite's own sync comes with the last page only, which the reader holds up.
      #expect(syncs.count == 1)
      #expect(writer.progress.copiedPages < writer.walPageCount)
      #expect(writer.progress.copiedPages > 0)
    }
  }

  @Test func `after a sync that failed no commit is taken`() throws {
    try withCheckpointer { writer, checkpointer, syncs in
      try writer.append(commit(2...2))
      syncs.fail()
      #expect(storageError { try checkpointer.run() }?.kind == .syncFailed)
      #expect(storageError { try writer.append(commit(3...3)) }?.kind == .syncFailed)
    }
  }

  /// A log of one step with a reader that stays at that step, and what counts the checkpointer's
  /// syncs in place of making them.
  private func withCheckpointer(
    _ body: (LogWriter, WALCheckpointer, Syncs) throws -> Void
  ) throws {
    try withLog(folder.data) { writer in
      try writer.append(commit(1...1))
      let reader = try Connection(folder.data + "/dux.db", .reading)
      defer { reader.close() }
      try reader.execute("BEGIN")
      #expect(try reader.integer("SELECT count(*) FROM log") == 1)
      let checkpointer = try writer.makeCheckpointer()
      defer { checkpointer.close() }
      let syncs = try Syncs(of: checkpointer.connection)
      defer { syncs.stop() }
      try body(writer, checkpointer, syncs)
    }
  }

  /// Stands in front of the methods of a connection's database file.
  private final class Syncs {
    // C's functions capture nothing; the suite's tests come one after the other.
    private static let made = Atomic(0)
    private static let result = Atomic(SQLITE_OK)

    private let file: UnsafeMutablePointer<sqlite3_file>
    private let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    private let former: UnsafePointer<sqlite3_io_methods>

    init(of connection: Connection) throws {
      var found: UnsafeMutablePointer<sqlite3_file>?
      sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_FILE_POINTER, &found)
      file = try #require(found)
      former = try #require(file.pointee.pMethods)
      methods.initialize(to: former.pointee)
      methods.pointee.xSync = { _, _ in
        Syncs.made.add(1, ordering: .relaxed)
        return Syncs.result.load(ordering: .relaxed)
      }
      Self.made.store(0, ordering: .relaxed)
      Self.result.store(SQLITE_OK, ordering: .relaxed)
      file.pointee.pMethods = UnsafePointer(methods)
    }

    deinit { methods.deallocate() }

    var count: Int { Self.made.load(ordering: .relaxed) }

    func fail() { Self.result.store(ExtendedCode.syncFailed, ordering: .relaxed) }

    func stop() { file.pointee.pMethods = former }
  }
}
