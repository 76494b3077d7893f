import DuxCommandLine

/// How times are distributed, as bars of text: a row for each step of a scale that grows by tenths,
/// fifths, thirds or whole powers of ten, so that it has few rows whatever the times are.
struct LatencyChart {
  /// What bars are made of.
  enum Characters {
    /// Block elements of Unicode, to an eighth of a column.
    case blocks
    /// For terminals of another character set.
    case ascii
  }

  let style: Style
  let characters: Characters
  /// Columns that a line may fill.
  let columns: Int

  private static let greatestRows = 14
  /// Where the steps of a scale begin, the finest first, in hundredths of a power of ten.
  private static let scales: [[Int64]] = [
    [100, 125, 160, 200, 250, 315, 400, 500, 630, 800], [100, 160, 250, 400, 630],
    [100, 200, 500], [100],
  ]
  private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
  /// Columns of the unit, the share and the blanks between.
  private static let otherColumns = 13
  private static let longestBar = 50

  /// One row: the times from a bound up to the next.
  struct Row: Equatable {
    var bounds: Range<Int64>
    var count: Int
  }

  /// The lines of a chart; none where there are no times.
  func lines(of times: LatencyHistogram) -> [String] {
    let rows = Self.rows(of: times)
    guard let most = rows.map(\.count).max(), most > 0 else { return [] }
    let labels = rows.map {
      LatencyText.ms($0.bounds.lowerBound) + " " + dash + " " + LatencyText.ms($0.bounds.upperBound)
    }
    let width = labels.map(\.count).max() ?? 0
    let room = max(8, min(Self.longestBar, columns - width - Self.otherColumns))
    return zip(rows, labels).map { row, label in
      let share = Double(row.count) / Double(times.count) * 100
      let bar = bar(Double(row.count) / Double(most) * Double(room), isThere: row.count > 0)
      return String(repeating: " ", count: width - label.count) + label + " ms  "
        + style.coloured(bar, .cyan) + (bar.isEmpty ? "" : " ") + style.faint(share.fixed(1) + " %")
    }
  }

  /// The rows between the shortest and the longest time, on the finest scale that has few enough.
  static func rows(of times: LatencyHistogram) -> [Row] {
    guard times.count > 0, let least = times.value(at: 0) else { return [] }
    var rows: [Row] = []
    for scale in scales {
      rows = bounds(from: least, to: times.greatest, scale)
        .map { Row(bounds: $0, count: times.count(in: $0)) }
      if rows.count <= greatestRows { break }
    }
    return rows
  }

  private static func bounds(
    from least: Int64, to greatest: Int64, _ scale: [Int64]
  ) -> [Range<Int64>] {
    var edges: [Int64] = []
    var power: Int64 = 10
    // Times have at most 2^43 ns, so that the edge behind them is far from the end of the numbers.
    while edges.last ?? 0 <= greatest, power < 1 << 55 {
      edges += scale.map { $0 * power / 100 }
      power *= 10
    }
    let ranges = zip(edges, edges.dropFirst()).map { $0..<$1 }
    return ranges.filter { $0.upperBound > least && $0.lowerBound <= greatest }
  }

  private var dash: String { characters == .blocks ? "–" : "-" }

  private func bar(_ length: Double, isThere: Bool) -> String {
    guard isThere else { return "" }
    switch characters {
    case .ascii:
      return String(repeating: "#", count: max(1, Int(length.rounded())))
    case .blocks:
      let eighths = max(1, Int((length * 8).rounded()))
      return String(repeating: "█", count: eighths / 8) + Self.eighths[eighths % 8]
    }
  }
}

extension LatencyChart.Characters {
  /// The variables that say which character set the terminal has, the first one set counts.
  static let variables = ["LC_ALL", "LC_CTYPE", "LANG"]

  /// Decides by what the environment says of the locale.
  init(_ environment: [String: String]) {
    let locale = Self.variables.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    let charset = locale.uppercased().filter { $0.isLetter || $0.isNumber }
    self = charset.contains("UTF8") ? .blocks : .ascii
  }
}

/// Times as people read them.
enum LatencyText {
  /// Nanoseconds in milliseconds, with as many digits as tell something: `0.342`, `12.3`, `1,204`.
  static func ms(_ nanoseconds: Int64) -> String {
    let ms = Double(nanoseconds) / 1e6
    switch ms {
    case ..<1: return ms.fixed(3)
    case ..<10: return ms.fixed(2)
    case ..<100: return ms.fixed(1)
    default: return Int64(ms.rounded()).grouped
    }
  }
}
