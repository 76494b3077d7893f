@testable import DuxTerminal

/// Chance that is the same for the same seed.
struct Chance {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  /// A number from 0 on, below a limit; 0 where there is none.
  mutating func below(_ limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return limit > 0 ? Int(mixed % UInt64(limit)) : 0
  }
}

extension Grid {
  /// Whether each wide character has both its halves, and each cell something to show.
  var isWhole: Bool {
    guard cells.count == size.columns * size.rows else { return false }
    return (0..<size.rows).allSatisfy { row in
      (0..<size.columns).allSatisfy { column in
        switch self[row, column].part {
        case .whole: !self[row, column].text.isEmpty
        case .left: column + 1 < size.columns && self[row, column + 1].part == .right
        case .right: column > 0 && self[row, column - 1].part == .left
        }
      }
    }
  }
}

/// The lines that a view shows.
func lines(of view: some View, _ columns: Int, _ rows: Int) -> [String] {
  render(view, size: Size(columns: columns, rows: rows)).lines
}
