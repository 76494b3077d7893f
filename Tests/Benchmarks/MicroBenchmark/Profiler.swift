import Foundation

/// Valgrind around this program: what it counts does not depend on what else the machine does.
struct Profiler {
  private let valgrind: String
  private let objcopy: String

  /// Finds the programs it takes; `nil` where one is missing.
  init?() {
    func find(_ names: String...) -> String? {
      let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      return names.flatMap { name in folders.map { "\($0)/\(name)" } }
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
    guard let valgrind = find("valgrind"), let objcopy = find("objcopy", "llvm-objcopy") else {
      return nil
    }
    self.valgrind = valgrind
    self.objcopy = objcopy
  }

  /// The instructions of all measured rounds of each benchmark.
  func instructions(of benchmarks: [Benchmark]) throws -> [String: Double] {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "dux-profile-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let log = folder.appending(path: "log")
    // Valgrind gives up on debugging information that is newer than itself.
    let program = folder.appending(path: "program").path()
    let original = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    try run(objcopy, ["--strip-debug", original, program], log: log)
    try run(
      valgrind,
      [
        "--tool=callgrind", "--callgrind-out-file=\(folder.path())/profile",
        "--toggle-collect=region_body", "--dump-after=region_benchmark_ended", program, "--bare",
      ] + benchmarks.map(\.name), log: log)
    var counts: [String: Double] = [:]
    for (index, benchmark) in benchmarks.enumerated() {
      counts[benchmark.name] = try total(of: folder.appending(path: "profile.\(index + 1)"))
    }
    return counts
  }

  private func run(_ program: String, _ arguments: [String], log: URL) throws {
    try Data().write(to: log)
    let output = try FileHandle(forWritingTo: log)
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    // Hashing that differs from run to run would cost other numbers of instructions.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
    process.standardOutput = output
    process.standardError = output
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      let said = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
      throw BenchmarkFault("\(program) failed: \(said.suffix(500))")
    }
  }

  private func total(of part: URL) throws -> Double {
    let label = "totals:"
    let text = try String(contentsOf: part, encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix(label) }
    guard let total = line.flatMap({ Double($0.dropFirst(label.count).drop { $0 == " " }) }) else {
      throw BenchmarkFault("valgrind wrote no total into \(part.lastPathComponent)")
    }
    return total
  }
}
