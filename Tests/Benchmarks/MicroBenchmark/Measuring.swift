import MeasuredRegion

/// Runs benchmarks, each once however many ask for its figures.
struct Measuring {
  /// What is wanted beside the counts of allocations.
  let takesTimes: Bool
  /// Instructions by benchmark, where they were counted.
  let instructions: [String: Double]
  private var known: [String: Figures] = [:]

  init(takesTimes: Bool, instructions: [String: Double]) {
    self.takesTimes = takesTimes
    self.instructions = instructions
  }

  private static let batches = 7

  /// Sees that an allocation by Swift's runtime is counted, as a count of none would pass any check.
  ///
  /// - Throws: ``BenchmarkFault`` when it is not.
  static func checkThatAllocationsAreCounted() throws {
    let meter = Meter()
    try meter.measure {
      let memory = UnsafeMutableRawPointer.allocate(byteCount: 100, alignment: 8)
      keep(memory)
      memory.deallocate()
    }
    guard meter.cost.allocations == 1, meter.cost.bytes == 100 else {
      throw BenchmarkFault(
        "one allocation of 100 bytes was counted as \(meter.cost.allocations) of"
          + " \(meter.cost.bytes)")
    }
  }

  mutating func figures(of benchmark: Benchmark) throws -> Figures {
    if let figures = known[benchmark.name] { return figures }
    let figures: Figures
    switch benchmark.method {
    case .rounds(let rounds, let operations, let prepare):
      figures = try measure(
        benchmark.name, rounds: rounds, operations: operations, round: prepare())
    case .difference(let more, let less, let operations):
      figures = try self.figures(of: .named(more))
        .difference(from: self.figures(of: .named(less)), operations: operations)
    }
    known[benchmark.name] = figures
    return figures
  }

  private func measure(
    _ name: String, rounds: Int, operations: Int, round: (Meter) throws -> Void
  ) throws -> Figures {
    func batch() throws -> region_cost {
      let meter = Meter()
      for _ in 0..<rounds { try round(meter) }
      return meter.cost
    }
    let count = Double(rounds * operations)
    _ = try batch()
    let cost = try batch()
    var times: [UInt64] = []
    if takesTimes { for _ in 0..<Self.batches { times.append(try batch().nanoseconds) } }
    times.sort()
    return Figures(
      allocations: Double(cost.allocations) / count, bytes: Double(cost.bytes) / count,
      instructions: instructions[name].map { $0 / count },
      nanoseconds: times.isEmpty ? nil : Double(times[times.count / 2]) / count)
  }

  /// Does the same work once without taking figures, for a profiler around the process.
  static func runBare(_ benchmarks: [Benchmark]) throws {
    for benchmark in benchmarks {
      guard case .rounds(let rounds, _, let prepare) = benchmark.method else { continue }
      let round = try prepare()
      let warming = Meter(isWarming: true)
      for _ in 0..<rounds { try round(warming) }
      let meter = Meter()
      for _ in 0..<rounds { try round(meter) }
      region_benchmark_ended()
    }
  }
}

extension Benchmark {
  /// The benchmark of a name.
  ///
  /// - Throws: ``UnknownBenchmark`` when there is none.
  static func named(_ name: String) throws -> Benchmark {
    guard let found = all.first(where: { $0.name == name }) else {
      throw UnknownBenchmark(name: name)
    }
    return found
  }
}

/// A name that no benchmark has.
struct UnknownBenchmark: Error, CustomStringConvertible {
  let name: String

  var description: String { "there is no benchmark \"\(name)\"; --list shows them all" }
}
