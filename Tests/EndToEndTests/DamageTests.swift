import DuxJSON
import Glibc
import Testing

/// Damaged data is refused by name and left as it is; nothing wrong is ever served.
struct DamageTests {
  private let folder: TemporaryFolder
  private var data: String { folder("data") }
  private var database: String { data + "/dux.db" }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Writes some history and ends the daemon.
  ///
  /// - Returns: the log.
  private func makeData(_ steps: Int64 = 150, thenKill: Bool) throws -> [LoggedStep] {
    let daemon = try DaemonProcess(data: data)
    let client = try Client(daemon, named: "writer")
    for step in 1...steps {
      try client.accepted(
        .set(
          "/\(step % 20)",
          ["n": .integer(step), "pad": .string(String(repeating: "p", count: 300))]), n: step)
    }
    let log = try client.log()
    if thenKill { try daemon.kill() } else { try daemon.stop() }
    return log
  }

  private func refused(_ name: String, saying word: String, code: Int32 = FailedStart.Code.data)
    throws
  {
    let before = try files()
    let start = try FailedStart(data: data)
    #expect(start.code == code, "\(start.message)")
    #expect(start.message.contains(name), "\(start.message)")
    #expect(start.message.contains(word), "\(start.message)")
    try #expect(files() == before)
  }

  private func files() throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for name in ["dux.db", "dux.wal"] where access(data + "/" + name, F_OK) == 0 {
      found[name] = try contents(of: data + "/" + name)
    }
    return found
  }

  @Test(arguments: [0, 1, 4_096, 10_000])
  func aFileThatIsNoDatabaseIsRefused(length: Int) throws {
    _ = try makeData(5, thenKill: false)
    try write((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }, to: database)
    try refused(database, saying: "damaged")
  }

  @Test func aLaterFormatIsRefused() throws {
    _ = try makeData(5, thenKill: false)
    var bytes = try contents(of: database)
    // The lowest byte of SQLite's user_version.
    bytes[63] = 99
    try write(bytes, to: database)
    try refused(database, saying: "99")
  }

  @Test func anotherProgramsDatabaseIsRefused() throws {
    mkdir(data, 0o700)
    let script =
      "import sqlite3,sys;c=sqlite3.connect(sys.argv[1]);c.execute('create table t(x)');c.commit()"
    try #expect(run(["python3", "-c", script, database]).end == .code(0))
    try refused(database, saying: "not a Dux database")
  }

  @Test func aMissingDatabaseBesideItsWriteAheadLogIsRefused() throws {
    _ = try makeData(20, thenKill: true)
    unlink(database)
    try refused(data, saying: "damaged")
    #expect(access(database, F_OK) != 0)
  }

  @Test(arguments: ["dux.db", "dux.wal"], [false, true])
  func aCutOffFileIsRefusedOrServedAsFarAsItIsWhole(name: String, killed: Bool) throws {
    var seed = Seed(5)
    let log = try makeData(thenKill: killed)
    let whole = try files()
    let length = whole[name]?.count ?? 0
    for _ in 0..<10 where length > 0 {
      let cut = Int.random(in: 0..<length, using: &seed)
      try restore(whole)
      truncate(data + "/" + name, off_t(cut))
      try judge(
        log, mayBeShorter: name == "dux.wal",
        "\(seed.testDescription): \(name) cut at \(cut) of \(length)")
    }
  }

  @Test(arguments: ["dux.db", "dux.wal"], [false, true])
  func aFlippedBitIsRefusedOrHarmless(name: String, killed: Bool) throws {
    var seed = Seed(6)
    let log = try makeData(thenKill: killed)
    let whole = try files()
    for _ in 0..<12 {
      guard var bytes = whole[name], !bytes.isEmpty else { return }
      let place = Int.random(in: 0..<bytes.count, using: &seed)
      bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &seed)
      try restore(whole)
      try write(bytes, to: data + "/" + name)
      try judge(
        log, mayBeShorter: name == "dux.wal", "\(seed.testDescription): \(name) flipped at \(place)"
      )
    }
  }

  private func restore(_ files: [String: [UInt8]]) throws {
    for name in try names(in: data) { unlink(data + "/" + name) }
    for (name, bytes) in files { try write(bytes, to: data + "/" + name) }
  }

  /// Starts a daemon on what is there: it names a file and leaves it alone, or serves what was
  /// written, whole or up to some step.
  ///
  /// What a checkpoint covers is read when it is asked for; the client is then refused, and the
  /// daemon's own messages name the file.
  private func judge(_ log: [LoggedStep], mayBeShorter: Bool, _ change: String) throws {
    let before = try files()
    let errors = folder("stderr")
    unlink(errors)
    do {
      let daemon = try DaemonProcess(in: folder)
      let client = try Client(daemon, named: "judge")
      let found = try client.log()
      #expect(found.count == log.count || mayBeShorter, "\(change): \(found.count) of \(log.count)")
      #expect(Laws.totalOrder(found).isEmpty, "\(change)")
      try #expect(
        Laws.fold(found).bytes == Laws.fold(Array(log.prefix(found.count))).bytes, "\(change)")
      try #expect(Laws.exactRecovery(found, state: client.get().value).isEmpty, "\(change)")
    } catch let refusal as Unexpected {
      var text = refusal.description
      if text.contains(#""code":"internal""#) {
        #expect(!text.contains(data), "\(change): \(text)")
        text = String(decoding: try contents(of: errors), as: UTF8.self)
      } else {
        #expect(text.contains("code(65)"), "\(change): \(text)")
        try #expect(files() == before, "\(change)")
      }
      #expect(text.contains(data + "/dux.") && text.contains("damaged"), "\(change): \(text)")
    }
  }
}
