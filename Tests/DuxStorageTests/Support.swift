import DuxLog
import Foundation
import Glibc
import Testing

@testable import DuxStorage

/// A folder of a test's own, removed with it.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/dux-storage-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } ?? "/nonexistent"
    }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The store's folder in it.
  var data: String { path + "/data" }
}

/// Starts a program, and gives its process id.
func start(_ arguments: String...) -> pid_t? {
  start(arguments)
}

private func start(_ arguments: [String]) -> pid_t? {
  var child: pid_t = 0
  var argv = arguments.map { strdup($0) }
  argv.append(nil)
  defer { argv.forEach { free($0) } }
  return posix_spawn(&child, arguments[0], nil, nil, argv, environ) == 0 ? child : nil
}

/// Runs a program and waits for it.
@discardableResult
func run(_ arguments: String...) -> Int32 {
  guard let child = start(arguments) else { return -1 }
  var status: Int32 = 0
  while waitpid(child, &status, 0) < 0 && errno == EINTR {}
  return status
}

let app = AppIdentity(name: "document", version: 1)

/// A writer on a folder, with the lock that belongs to it.
func openWriter(
  _ path: String, durability: Durability = .full, limits: WALLimits = .standard
) throws -> LogWriter {
  try LogWriter(
    opening: DataFolder(path: path), durability: durability, app: app, limits: limits)
}

/// A step whose content follows from its number.
func step(_ seq: Int64, client: String = "tty1", n: Int64? = nil, size: Int = 40) -> LogEntry {
  LogEntry(
    seq: SequenceNumber(seq), time: 1000 + seq, client: client, n: n ?? seq,
    actions: Array("[{\"type\":\"t\",\"payload\":\(seq)}]".utf8)
      + [UInt8](repeating: UInt8(truncatingIfNeeded: seq), count: size),
    patch: Array("[\(seq)]".utf8))
}

/// A commit of steps `range` with one outcome for each.
func commit(
  _ range: ClosedRange<Int64>, client: String = "tty1", time: Int64 = 5000, size: Int = 40
) -> Commit {
  Commit(
    entries: range.map { step($0, client: client, size: size) },
    outcomes: [
      .init(
        client: client,
        outcomes: range.map {
          Outcome(
            n: $0, bodyDigest: UInt64(bitPattern: -$0),
            result: .accepted(seq: SequenceNumber($0), changed: $0 % 2 == 0))
        })
    ], time: time)
}

/// A commit of outcomes alone.
func outcomes(_ range: ClosedRange<Int64>, client: String, time: Int64) -> Commit {
  var made = commit(range, client: client, time: time)
  made.entries = []
  return made
}

/// Reads a folder's whole log the way a daemon starts, and leaves its files as they are.
func readBack(_ path: String) throws -> (steps: [LogEntry], recovery: Recovery) {
  let writer = try openWriter(path)
  defer { writer.connection.close() }
  let reader = try LogReader(opening: writer.folder)
  defer { reader.close() }
  var steps: [LogEntry] = []
  let recovery = try recover(from: reader, restore: { _ in }, apply: { steps.append($0) })
  return (steps, recovery)
}

/// The bytes of a file, `nil` where there is none.
func contents(_ path: String) -> [UInt8]? {
  guard let length = try? SystemFile.length(of: path) else { return nil }
  return try? SystemFile.prefix(of: path, count: Int(length))
}

/// Replaces a file.
func write(_ bytes: some Collection<UInt8>, to path: String) {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
  let bytes = Array(bytes)
  var done = 0
  while done < bytes.count {
    let count = bytes.withUnsafeBytes {
      Glibc.write(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done)
    }
    guard count > 0 else { break }
    done += count
  }
  close(descriptor)
}

/// What a `kill -9` would leave behind: the files as they are while the log is open.
func imageOfFiles(of folder: String, at target: String) {
  mkdir(target, 0o700)
  for name in ["dux.db", "dux.wal"] {
    if let bytes = contents(folder + "/" + name) {
      write(bytes, to: target + "/" + name)
    }
  }
}

/// The error of a body that must fail in storage.
func storageError(_ body: () throws -> Void) -> StorageError? {
  do {
    try body()
    return nil
  } catch {
    return error as? StorageError
  }
}

/// Small random numbers that are the same in each run.
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

/// Opens a folder's log for the time of a body, then closes it and gives up the lock.
func withLog<Result>(
  _ path: String, durability: Durability = .full, limits: WALLimits = .standard,
  _ body: (LogWriter) throws -> Result
) throws -> Result {
  let writer = try openWriter(path, durability: durability, limits: limits)
  defer { writer.close() }
  return try body(writer)
}

/// Opens a reader beside a writer for the time of a body.
func withReader<Result>(
  _ writer: LogWriter, _ body: (LogReader) throws -> Result
) throws -> Result {
  let reader = try LogReader(opening: writer.folder)
  defer { reader.close() }
  return try body(reader)
}

extension LogReader {
  /// All steps after one.
  func all(after seq: Int64 = 0) throws -> [LogEntry] {
    try entries(
      after: SequenceNumber(seq), through: nil, maximumCount: .max, maximumBytes: .max)
  }
}
