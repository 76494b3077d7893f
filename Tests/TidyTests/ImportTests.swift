import Testing

/// The arrows between modules point downwards, and few modules meet the system.
struct ImportTests {
  /// The modules of this package from the bottom up; a module may import what is above it in this
  /// list, and programs that are not in it any of these.
  static let layers: [[String]] = [
    ["DuxJSON", "DuxNetwork", "DuxCommandLine"],
    ["DuxLog", "DuxStore"],
    ["DuxProtocol", "DuxStorage"],
    ["DuxEngine"],
    ["DuxServer", "DuxClient"],
  ]

  /// What a module may take from the system beside the standard library.
  static let systemModules: [String: Set<String>] = [
    "DuxJSON": ["Glibc"], "DuxLog": [], "DuxStore": ["Glibc"], "DuxProtocol": ["Glibc"],
    "DuxEngine": ["Glibc"],
    "DuxNetwork": ["CLibUV", "Glibc", "Synchronization"],
    "DuxStorage": ["CSQLite", "Glibc", "Synchronization"],
    "DuxCommandLine": ["Glibc"],
    "DuxServer": ["Foundation", "Glibc", "Synchronization"],
    "DuxClient": ["Foundation", "Glibc", "Synchronization"],
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

  @Test func theManifestDrawsTheSameArrows() throws {
    let target = /(?:library|program)\(\s*"(\w+)"(?:,\s*\[([^\]]*)\])?/
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

  @Test func decisionsAreMadeWithoutClocksChanceAndInput() {
    let pure = ["DuxJSON", "DuxLog", "DuxStore", "DuxProtocol", "DuxEngine"]
    let impure =
      /\b(ContinuousClock|SuspendingClock|Date\(|clock_gettime|gettimeofday|getenv|SystemRandomNumberGenerator|readLine|fopen|Task \{|Thread)|\.random\(in: [^,)]*\)|\.randomElement\(\)|\.shuffled\(\)|^ *print\(/
    for file in SourceTree.sources where pure.contains(file.target) {
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
