import Testing

/// The arrows between modules point downwards, and few modules meet the system.
struct ImportTests {
  /// The modules of this package from the bottom up; a module may import what is above it in this
  /// list, and programs that are not in it any of these.
  static let layers: [[String]] = [
    ["DuxJSON", "DuxNetwork", "DuxCommandLine"],
    ["DuxLog", "DuxStore"],
    ["DuxProtocol", "DuxStorage", "DuxHTTP", "Challenge"],
    ["DuxEngine", "ExampleHTTP"],
    [
      "DuxServer", "DuxClient", "DuxTesting", "CatalogueServer", "LoginServer", "Counter", "Login",
      "Movies", "Navigator", "Todos", "Weather",
    ],
    ["DuxTerminal"],
  ]

  /// What a module may take from the system beside the standard library.
  static let systemModules: [String: Set<String>] = [
    "DuxJSON": ["CMemory", "Glibc"], "DuxLog": [],
    "DuxStore": ["Foundation", "Glibc", "Synchronization"],
    "DuxProtocol": ["Glibc"],
    "DuxEngine": ["Glibc"],
    "DuxNetwork": ["CLibUV", "Glibc", "Synchronization"],
    "DuxStorage": ["CSQLite", "Glibc", "Synchronization"],
    "DuxCommandLine": ["Glibc"],
    "DuxHTTP": ["Foundation", "FoundationNetworking", "Synchronization"],
    "ExampleHTTP": ["CMicroHTTPD", "Foundation", "Glibc", "Synchronization"],
    "LoginServer": ["CCrypt", "Foundation", "Glibc", "Synchronization"],
    "DuxServer": ["CMemory", "Dispatch", "Foundation", "Glibc", "Synchronization"],
    "DuxTesting": ["Dispatch", "Foundation", "Synchronization", "Testing"],
    "DuxClient": ["Foundation", "Glibc", "Synchronization"],
    "DuxTerminal": ["CNcursesW", "Foundation", "Glibc", "Synchronization"],
  ]
  private static let programModules: Set<String> = ["Foundation", "Glibc", "Synchronization"]

  private static let ranks = Dictionary(
    uniqueKeysWithValues: layers.enumerated().flatMap { rank, names in names.map { ($0, rank) } })

  @Test func modulesImportOnlyWhatIsBelowThem() {
    var count = 0
    for file in SourceTree.sources {
      let rank = Self.ranks[file.target] ?? Self.layers.count
      let system = Self.systemModules[file.target] ?? Self.programModules
      for (number, module) in file.imports {
        count += 1
        let isBelow = Self.ranks[module].map { $0 < rank } ?? system.contains(module)
        #expect(isBelow, "\(file.path):\(number): \(file.target) may not import \(module)")
      }
    }
    #expect(count > 100)
  }

  @Test func onlyTestsImportTheTestTools() {
    for file in SourceTree.sources where file.target != "DuxTesting" {
      for (number, module) in file.imports where ["DuxTesting", "Testing"].contains(module) {
        Issue.record("\(file.path):\(number): \(file.target) may not import \(module)")
      }
    }
  }

  @Test func theManifestDrawsTheSameArrows() throws {
    let target = /(?:library|program|example)\(\s*"(\w+)"(?:,\s*\[([^\]]*)\])?/
    let found = SourceTree.manifest.matches(of: target)
    #expect(found.count > Self.ranks.count)
    for match in found {
      let name = String(match.output.1)
      let rank = Self.ranks[name] ?? Self.layers.count
      for dependency in (match.output.2 ?? "").matches(of: /"(Dux\w+)"/) {
        let below = String(dependency.output.1)
        #expect(Self.ranks[below] ?? .max < rank, "\(name) may not depend on \(below)")
      }
    }
  }

  /// Where the modules that decide meet the world all the same.
  ///
  /// One runs the closures of an app as tasks, the other gives time, chance and clocks as
  /// dependencies; what comes of either reaches the rest as events and recorded values.
  static let doors: Set<String> = [
    "Sources/DuxStore/Dependencies/StockDependencies.swift",
    "Sources/DuxStore/Effects/EffectRunner.swift",
  ]

  @Test func theDoorsToTheWorldAreThere() {
    #expect(Self.doors.isSubset(of: SourceTree.sources.map(\.path)))
  }

  @Test func decisionsAreMadeWithoutClocksChanceAndInput() {
    let pure = ["DuxJSON", "DuxLog", "DuxStore", "DuxProtocol", "DuxEngine"]
    let impure =
      /\b(ContinuousClock|SuspendingClock|Date\(\)|Date\.now|clock_gettime|gettimeofday|getenv|SystemRandomNumberGenerator|readLine|fopen|Task \{|Task\.detached|Task\(|Thread)|\.random\(in: [^,)]*\)|\.randomElement\(\)|\.shuffled\(\)|^ *print\(/
    for file in SourceTree.sources
    where pure.contains(file.target) && !Self.doors.contains(file.path) {
      for (number, line) in file.code where line.contains(impure) {
        Issue.record("\(file.path):\(number): \(line)")
      }
    }
  }
}

extension SourceTree.File {
  /// The modules imported, with the numbers of their lines.
  fileprivate var imports: [(number: Int, module: String)] {
    code.compactMap { number, line in
      guard !line.hasPrefix(" "), line.contains("import ") else { return nil }
      let pattern =
        /^(?:@\w+(?:\(\w+\))? +)*(?:(?:public|package|internal|private|fileprivate) +)?import +(?:(?:struct|class|enum|func|var|let|protocol|typealias) +)?(\w+)/
      return (try? pattern.firstMatch(in: line)).map { (number, String($0.output.1)) }
    }
  }
}
