import CSQLite
import DuxLog
import Synchronization
import Testing

@testable import DuxStorage

/// What the checkpointer copies is on the disk when its run ends, so that nobody else waits for it.
@Suite(.serialized) struct CheckpointSyncTests {
  private let folder = TemporaryFolder()

  @Test func `a run that may not copy all syncs the database, and the next has nothing to do`()
    throws
  {
    try withCheckpointer(beside: .stayingReader) { writer, checkpointer, syncs in
      try writer.append(commit(2...2))
      try checkpointer.run()
      // SQLite's own sync comes with the last page only, which the reader holds up.
      #expect(syncs.count == 1)
      #expect(writer.progress.copiedPages < writer.walPageCount)
      #expect(writer.progress.copiedPages > 0)
      try checkpointer.run()
      #expect(syncs.count == 1)
    }
  }

  @Test func `a run that copies all leaves the sync to SQLite, and the next has nothing to do`()
    throws
  {
    try withCheckpointer(beside: .nobody) { writer, checkpointer, syncs in
      try checkpointer.run()
      #expect(syncs.count == 1)
      #expect(writer.progress.copiedPages == writer.walPageCount)
      try checkpointer.run()
      #expect(syncs.count == 1)
    }
  }

  @Test func `a run that copies all there was syncs though more was committed meanwhile`() throws {
    try withCheckpointer(beside: .nobody) { writer, checkpointer, syncs in
      let length = writer.walPageCount
      syncs.beforeNextWrite { #expect(throws: Never.self) { try writer.append(commit(2...2)) } }
      try checkpointer.run()
      #expect(writer.walPageCount > length)
      #expect(writer.progress.copiedPages == length)
      #expect(syncs.count == 1)
    }
  }

  @Test func `after a sync that failed no commit is taken`() throws {
    try withCheckpointer(beside: .stayingReader) { writer, checkpointer, syncs in
      try writer.append(commit(2...2))
      syncs.fail()
      let failure = storageError { try checkpointer.run() }
      #expect(failure?.kind == .syncFailed)
      #expect(failure?.code == ExtendedCode.syncFailed)
      #expect(failure?.message == nil, "SQLite was not asked")
      #expect(storageError { try writer.append(commit(3...3)) }?.kind == .syncFailed)
    }
  }

  private enum Company {
    case nobody
    /// A reader that stays at the log's first step.
    case stayingReader
  }

  /// A log of one step, and what stands before the checkpointer's file.
  private func withCheckpointer(
    beside company: Company, _ body: (LogWriter, WALCheckpointer, Syncs) throws -> Void
  ) throws {
    try withLog(folder.data) { writer in
      try writer.append(commit(1...1))
      let reader = try Connection(folder.data + "/dux.db", .reading)
      defer { reader.close() }
      if company == .stayingReader {
        try reader.execute("BEGIN")
        #expect(try reader.integer("SELECT count(*) FROM log") == 1)
      }
      let checkpointer = try writer.makeCheckpointer()
      defer { checkpointer.close() }
      let syncs = try Syncs(of: checkpointer.connection)
      defer { syncs.stop() }
      try body(writer, checkpointer, syncs)
    }
  }

  /// Stands in front of the methods of a connection's database file, and counts its syncs.
  private final class Syncs {
    private static let made = Atomic(0)
    private static let result = Atomic(SQLITE_OK)
    // C's functions capture nothing; the suite's tests come one after the other, each on one thread.
    private nonisolated(unsafe) static var former: UnsafePointer<sqlite3_io_methods>?
    private nonisolated(unsafe) static var beforeWrite: (() -> Void)?

    private let file: UnsafeMutablePointer<sqlite3_file>
    private let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)

    init(of connection: Connection) throws {
      var found: UnsafeMutablePointer<sqlite3_file>?
      sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_FILE_POINTER, &found)
      file = try #require(found)
      let former = try #require(file.pointee.pMethods)
      methods.initialize(to: former.pointee)
      methods.pointee.xSync = { Syncs.sync($0, $1) }
      methods.pointee.xWrite = { file, bytes, count, offset in
        let body = Syncs.beforeWrite.take()
        body?()
        return Syncs.former?.pointee.xWrite?(file, bytes, count, offset) ?? SQLITE_MISUSE
      }
      Self.former = former
      Self.made.store(0, ordering: .relaxed)
      Self.result.store(SQLITE_OK, ordering: .relaxed)
      file.pointee.pMethods = UnsafePointer(methods)
    }

    deinit { methods.deallocate() }

    private static func sync(_ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32) -> Int32 {
      made.add(1, ordering: .relaxed)
      let result = result.load(ordering: .relaxed)
      guard result == SQLITE_OK else { return result }
      return former?.pointee.xSync?(file, flags) ?? SQLITE_MISUSE
    }

    var count: Int { Self.made.load(ordering: .relaxed) }

    func fail() { Self.result.store(ExtendedCode.syncFailed, ordering: .relaxed) }

    func beforeNextWrite(_ body: @escaping () -> Void) { Self.beforeWrite = body }

    func stop() {
      file.pointee.pMethods = Self.former
      Self.beforeWrite = nil
    }
  }
}
