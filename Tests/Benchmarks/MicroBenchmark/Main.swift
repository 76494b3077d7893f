import DuxCommandLine
import DuxJSON
import Foundation
import MeasuredRegion

/// The program: measures pieces of the daemon by themselves, and holds them to stored results.
@main
struct Program {
  private static let list = Option("list", letter: "l", .flag, summary: "Print the names and stop")
  private static let json = Option("json", .flag, summary: "Print the figures as JSON")
  private static let check = Option(
    "check", .flag, summary: "Compare with the stored results; any rise is an error")
  private static let store = Option(
    "store", .flag, summary: "Store the results, for later checks to compare with")
  private static let instructions = Option(
    "instructions", letter: "i", .flag, summary: "Count instructions too, with valgrind")
  private static let results = Option(
    "results", .value("FILE"), summary: "Where the results are stored",
    defaultValue: StoredResults.usualPath)
  private static let bare = Option(
    "bare", .flag, summary: "Do the work and measure nothing, as --instructions starts it")

  private static let command = Command(
    name: "MicroBenchmark",
    summary: "Measure pieces of the daemon by themselves",
    discussion: """
      Allocations and instructions are counted, so they are the same however busy the machine is; \
      --check looks at them alone. Times are the processor's, medians of several batches.

      Exit status: 0 all is well; 1 --check found a rise, or a benchmark failed; 64 the command \
      line is wrong.
      """,
    arguments: [Argument("NAME", .any, summary: "Which benchmarks, all without any")],
    options: [list, json, check, store, instructions, results, bare],
    examples: [
      Example("MicroBenchmark", summary: "Measure all"),
      Example(
        "MicroBenchmark --check", summary: "See that no operation allocates more than before"),
      Example(
        "MicroBenchmark --store --instructions", summary: "Make today's figures the stored ones"),
    ])

  static func main() {
    do {
      let invocation = try command.parse(ProcessStart.arguments())
      switch invocation.request {
      case .help:
        let terminal = Terminal.of(1, environment: ProcessInfo.processInfo.environment)
        say(invocation.helpText(width: min(terminal.columns, 100), style: terminal.style))
      case .version: say("MicroBenchmark has no versions of its own")
      case .run:
        let settings = try Settings.resolve(
          options: command.options, arguments: invocation.given, environment: [:],
          configuration: nil)
        try run(settings, names: invocation.arguments("NAME"))
      }
    } catch {
      let isUsage =
        error is UsageError || error is SettingError || error is ValueError
        || error is UnknownBenchmark
      fail("\(error)", status: isUsage ? 64 : 1)
    }
  }

  private static func run(_ settings: Settings, names: [String]) throws {
    let chosen = names.isEmpty ? Benchmark.all : try names.map { try Benchmark.named($0) }
    if try settings.isOn(list) { return say(table(of: chosen)) }
    if try settings.isOn(bare) { return try Measuring.runBare(chosen) }
    let isChecking = try settings.isOn(check)
    let isStoring = try settings.isOn(store)
    guard !(isChecking && isStoring) else {
      throw SettingError(source: .commandLine(store.spelling), reason: "leaves nothing to --check")
    }
    guard region_counts_allocations() else {
      return complain("skipped: allocations can be counted with glibc only")
    }
    try Measuring.checkThatAllocationsAreCounted()
    var measuring = Measuring(
      takesTimes: !isChecking, instructions: try countedInstructions(of: chosen, settings))
    var found: [(name: String, figures: Figures)] = []
    for benchmark in chosen {
      found.append((benchmark.name, try measuring.figures(of: benchmark)))
    }
    say(try settings.isOn(json) ? jsonText(of: found) : table(of: found))
    var stored = try StoredResults(path: settings.value(of: results, as: .text))
    if isStoring { try stored.store(found) }
    if isChecking { compare(found, with: stored) }
  }

  /// Nothing where they are not wanted, or can't be counted.
  private static func countedInstructions(
    of chosen: [Benchmark], _ settings: Settings
  ) throws -> [String: Double] {
    guard try settings.isOn(instructions) else { return [:] }
    guard let profiler = Profiler() else {
      complain("instructions are not counted: valgrind and objcopy are not both on the PATH")
      return [:]
    }
    let needed = Set(chosen.flatMap(\.needed))
    return try profiler.instructions(of: Benchmark.all.filter { needed.contains($0.name) })
  }

  private static func compare(
    _ found: [(name: String, figures: Figures)], with stored: StoredResults
  ) {
    if let compiler = stored.compiler, compiler != StoredResults.currentCompiler {
      complain(
        "the results were stored with Swift \(compiler), this is \(StoredResults.currentCompiler)")
    }
    let gains = stored.gains(of: found)
    if !gains.isEmpty {
      complain(
        "fewer allocations than stored: \(gains.joined(separator: ", ")); --store keeps that")
    }
    let complaints = stored.complaints(about: found)
    guard !complaints.isEmpty else { return }
    fail(
      complaints.joined(separator: "\n")
        + "\nif that is meant, keep it with: DUX_BENCHMARKS=1 swift run -c release MicroBenchmark"
        + " --store", status: 1)
  }

  private static func say(_ text: String) { print(text) }

  private static func complain(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data("MicroBenchmark: \(text)\n".utf8))
  }

  private static func fail(_ text: String, status: Int32) -> Never {
    complain(text)
    exit(status)
  }
}

extension Program {
  fileprivate static func table(of benchmarks: [Benchmark]) -> String {
    let width = benchmarks.map(\.name.count).max() ?? 0
    return benchmarks.map { benchmark in
      benchmark.name.padding(toLength: width + 2, withPad: " ", startingAt: 0) + benchmark.summary
    }.joined(separator: "\n")
  }

  fileprivate static func table(of found: [(name: String, figures: Figures)]) -> String {
    var lines = [
      "| one operation | allocations | bytes | instructions | µs |", "|---|--:|--:|--:|--:|",
    ]
    for (name, figures) in found {
      let cells = [
        name, decimal(figures.allocations), decimal(figures.bytes, places: 0),
        figures.instructions.map { decimal($0, places: 0) } ?? "–",
        figures.nanoseconds.map { decimal($0 / 1_000) } ?? "–",
      ]
      lines.append("| " + cells.joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n")
  }

  fileprivate static func jsonText(of found: [(name: String, figures: Figures)]) -> String {
    var members = JSONObject()
    for (name, figures) in found { members[name] = figures.json }
    return JSON.object(members).description
  }
}
