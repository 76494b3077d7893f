import MeasuredRegion

/// A piece of the daemon's work that can be done again and again by itself.
struct Benchmark: Sendable {
  /// How it is measured.
  enum Method: Sendable {
    /// `rounds` rounds of so many operations are measured, after as many that warm it up.
    ///
    /// Preparing gives one round, which brackets in the meter what is to be measured of it.
    case rounds(Int, operations: Int, prepare: @Sendable () throws -> (Meter) throws -> Void)
    /// What another costs more than a third, for each of so many operations: their names.
    case difference(of: String, over: String, operations: Int)
  }

  let name: String
  /// What one operation is.
  let summary: String
  let method: Method
  /// Allocations that it may never need more than, whatever is stored.
  var allocationLimit: Double?

  /// A benchmark of rounds.
  init(
    _ name: String, _ summary: String, rounds: Int, operations: Int,
    prepare: @escaping @Sendable () throws -> (Meter) throws -> Void
  ) {
    self.name = name
    self.summary = summary
    method = .rounds(rounds, operations: operations, prepare: prepare)
  }

  /// A benchmark of what two others differ by.
  init(
    _ name: String, _ summary: String, difference more: String, over less: String, operations: Int,
    allocationLimit: Double? = nil
  ) {
    self.name = name
    self.summary = summary
    method = .difference(of: more, over: less, operations: operations)
    self.allocationLimit = allocationLimit
  }

  /// The benchmarks that have to be run for it.
  var needed: [String] {
    switch method {
    case .rounds: [name]
    case .difference(let more, let less, _): [more, less]
    }
  }

  /// All there are.
  static let all: [Benchmark] = json + stores + engine + disk
}

/// Measures the regions that are bracketed in it.
final class Meter {
  private(set) var cost = region_cost()
  private let isWarming: Bool

  /// A meter; one that is warming up only does the work.
  init(isWarming: Bool = false) {
    self.isWarming = isWarming
  }

  /// Does what is to be measured.
  func measure(_ body: () throws -> Void) throws {
    guard !isWarming else { return try body() }
    try withoutActuallyEscaping(body) { body in
      let region = Region(body)
      region_measure(
        { context in
          guard let context else { return }
          Unmanaged<Region>.fromOpaque(context).takeUnretainedValue().run()
        }, Unmanaged.passUnretained(region).toOpaque(), &cost)
      if let error = region.error { throw error }
    }
  }

  /// A body on its way through C.
  private final class Region {
    private let body: () throws -> Void
    private(set) var error: (any Error)?

    init(_ body: @escaping () throws -> Void) {
      self.body = body
    }

    func run() {
      do {
        try body()
      } catch {
        self.error = error
      }
    }
  }
}

/// Keeps a value from being optimised away.
@inline(__always)
func keep<Value>(_ value: Value) {
  withUnsafePointer(to: value) { region_keep($0) }
}

/// Something that a benchmark needs did not happen.
struct BenchmarkFault: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
