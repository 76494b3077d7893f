import DuxJSON
import DuxLog
import DuxProtocol

/// Texts and values: requests read, patches applied and found, answers written.
extension Benchmark {
  static let json = [
    Benchmark("parse", "read one dispatch line", rounds: 64, operations: 64) {
      var step = 1
      return { meter in
        let lines = (0..<64).map { Inputs.line(step + $0, n: step + $0) }
        step += 64
        try meter.measure {
          for line in lines {
            let decoded = line.withUnsafeBytes {
              Request.decode(UnsafeRawBufferPointer(rebasing: $0.dropLast()), limits: Inputs.limits)
            }
            guard case .success = decoded.result else { throw BenchmarkFault("a line was refused") }
            keep(decoded)
          }
        }
      }
    },
    Benchmark("apply", "apply the patch of one value to 10,000 items", rounds: 64, operations: 64) {
      var state = Inputs.document
      var step = 1
      return { meter in
        let patches = try (0..<64).map { try replacement(step + $0) }
        step += 64
        try meter.measure {
          for patch in patches {
            let before = state
            try patch.apply(to: &state)
            keep(before)
          }
        }
      }
    },
    Benchmark("diff", "find the patch of one value among 10,000 items", rounds: 64, operations: 64)
    {
      var state = Inputs.document
      var step = 1
      return { meter in
        var states = [state]
        for _ in 0..<64 {
          step += 1
          try replacement(step).apply(to: &state)
          states.append(state)
        }
        try meter.measure {
          for index in 0..<64 {
            keep(JSONPatch.diff(from: states[index], to: states[index + 1]))
          }
        }
      }
    },
    Benchmark("encode-patch", "write the text of that patch", rounds: 64, operations: 64) {
      var step = 1
      return { meter in
        let patches = try (0..<64).map { try replacement(step + $0) }
        step += 64
        try meter.measure {
          for patch in patches {
            var bytes: [UInt8] = []
            patch.write(into: &bytes)
            keep(bytes)
          }
        }
      }
    },
    Benchmark("encode-ack", "write one ack", rounds: 64, operations: 64) {
      var writer = LineWriter(reservingBytes: 4_096)
      var n: Int64 = 0
      return { meter in
        try meter.measure {
          for _ in 0..<64 {
            n += 1
            writer.bytes.removeAll(keepingCapacity: true)
            writer.outcome(
              .accepted(seq: SequenceNumber(n), changed: true), n: n, id: nil, isDuplicate: false)
            keep(writer.bytes)
          }
        }
      }
    },
    Benchmark("encode-snapshot", "write the text of 10,000 items, 1.3 MB", rounds: 8, operations: 1)
    {
      var state = Inputs.document
      var step = 1
      return { meter in
        step += 1
        try replacement(step).apply(to: &state)
        try meter.measure { keep(state.bytes) }
      }
    },
  ]

  private static func replacement(_ step: Int) throws -> JSONPatch {
    try JSONPatch(operations: [
      .replace(path: JSONPointer(Inputs.path(step)), value: .string(Inputs.value(step)))
    ])
  }
}
