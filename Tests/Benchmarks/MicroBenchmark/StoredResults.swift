import DuxJSON
import Foundation

/// The figures that later runs are held to.
struct StoredResults {
  private let file: URL
  private var figures: [String: Figures] = [:]
  /// The compiler they were stored with.
  private(set) var compiler: String?

  /// Where they are kept.
  static let usualPath = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "results.json").path()

  /// The compiler that built this program: another may allocate more, or less.
  static var currentCompiler: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }

  /// Reads a file; one that is not there yet holds none.
  init(path: String) throws {
    file = URL(filePath: path)
    guard FileManager.default.fileExists(atPath: path) else { return }
    do {
      let json = try JSON(parsing: [UInt8](Data(contentsOf: file)))
      compiler = json["swift"]?.stringValue
      for (name, stored) in json["benchmarks"]?.objectValue ?? [:] {
        figures[name] = Figures(stored: stored)
      }
    } catch {
      throw BenchmarkFault("\(path) can't be read: \(error)")
    }
  }

  /// Puts figures in place of those of the same names, and writes the file.
  ///
  /// Instructions that were not counted this time stay as they are.
  mutating func store(_ new: [(name: String, figures: Figures)]) throws {
    for (name, figures) in new {
      var figures = figures
      figures.instructions = figures.instructions ?? self.figures[name]?.instructions
      self.figures[name] = figures
    }
    let known = Set(Benchmark.all.map(\.name))
    var benchmarks = JSONObject()
    for (name, figures) in figures where known.contains(name) {
      benchmarks[name] = figures.stored
    }
    let json: JSON = [
      "swift": .string(Self.currentCompiler), "benchmarks": .object(benchmarks),
    ]
    var text: [UInt8] = []
    json.writePretty(into: &text, indent: 2)
    try Data(text + [0x0A]).write(to: file)
  }

  /// Allocations that an operation may have more than stored, as what grows doesn't grow evenly.
  static let allocationTolerance = 0.05
  /// The part by which its instructions may be more.
  static let instructionTolerance = 0.05

  /// What has become worse, for people; empty when nothing has.
  func complaints(about new: [(name: String, figures: Figures)]) -> [String] {
    let limits = Dictionary(
      uniqueKeysWithValues: Benchmark.all.map { ($0.name, $0.allocationLimit) })
    return new.flatMap { name, new -> [String] in
      let allocations = "\(name): \(decimal(new.allocations)) allocations for one operation"
      if let limit = limits[name] ?? nil, new.allocations > limit + Self.allocationTolerance {
        return ["\(allocations), \(decimal(limit)) are allowed"]
      }
      guard let old = figures[name] else { return ["\(name): no results are stored"] }
      var complaints: [String] = []
      if new.allocations > old.allocations + Self.allocationTolerance {
        complaints.append("\(allocations), stored are \(decimal(old.allocations))")
      }
      if let before = old.instructions, let now = new.instructions,
        now > before * (1 + Self.instructionTolerance)
      {
        complaints.append(
          "\(name): \(decimal(now, places: 0)) instructions for one operation, stored are"
            + " \(decimal(before, places: 0))")
      }
      return complaints
    }
  }

  /// Which need fewer allocations than stored, so that the gain is not guarded yet.
  func gains(of new: [(name: String, figures: Figures)]) -> [String] {
    new.filter { name, new in
      figures[name].map { new.allocations < $0.allocations - Self.allocationTolerance } ?? false
    }.map(\.name)
  }
}

/// A number for people.
func decimal(_ value: Double, places: Int = 2) -> String {
  JSON.rounded(value, places: places).description
}
