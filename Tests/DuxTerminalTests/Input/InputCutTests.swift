import DuxTerminal
import Testing

/// However bytes are cut, they mean the same, and what follows them is read as always.
@Suite struct InputCutTests {
  private static let pieces: [[UInt8]] =
    [
      "\u{1B}", "[", "O", "]", "\u{07}", "\\", "\u{1B}[200~", "\u{1B}[201~", "\u{1B}[<", "\u{1B}[M",
      "M", "m", "A", "~", "u", "1", "5", ";", ":", "<", "?", "$", " ", "[[", "\r", "\n", "\u{03}",
      "日", "👩", "é", "q", "\u{1B}[1;5A", "\u{1B}[<0;3;4M",
    ].map { Array($0.utf8) } + [
      [0xE2], [0x82], [0xFF], [0xC3], [0xF0, 0x9F], [0x80], [0x00], [0x9B],
    ]

  private func stream(_ random: inout some RandomNumberGenerator) -> [UInt8] {
    (0..<Int.random(in: 1...40, using: &random)).flatMap { _ in
      Self.pieces.randomElement(using: &random) ?? []
    }
  }

  private func decoded(_ pieces: [ArraySlice<UInt8>]) -> [InputEvent] {
    var decoder = InputDecoder()
    var events = pieces.flatMap { decoder.decode($0) }
    events += decoder.timeOut()
    #expect(decoder.wait == nil)
    #expect(decoder.decode("q".utf8) == [.key("q")])
    return events
  }

  @Test(arguments: 1...8) func cutsMakeNoDifference(_ seed: UInt64) {
    var random = SmallRandom(seed: seed)
    for _ in 0..<400 {
      let stream = stream(&random)
      let whole = decoded([stream[...]])
      #expect(decoded(stream.indices.map { stream[$0...$0] }) == whole, "\(stream)")
      var pieces: [ArraySlice<UInt8>] = []
      var rest = stream[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...7, using: &random)
        pieces.append(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      #expect(decoded(pieces) == whole, "\(stream)")
      for case .paste(let text) in whole {
        #expect(
          text.unicodeScalars.allSatisfy {
            $0.properties.generalCategory != .control || $0 == "\n" || $0 == "\t"
          })
      }
    }
  }

  private struct SmallRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    // SplitMix64, as Steele, Lea and Flood have it.
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
      return value ^ value >> 31
    }
  }
}
