/// Divides a rectangle among views in a row or a column.
struct StackLayout {
  enum Axis { case horizontal, vertical }

  var axis: Axis
  var children: [any DrawnView]
  let spacing: Int

  init(axis: Axis, children: [any DrawnView], spacing: Int) {
    self.axis = axis
    self.children = children
    self.spacing = spacing.length
  }

  private var gaps: Int {
    children.count > 1 ? spacing * (children.count - 1) : 0
  }

  var width: Extent {
    switch axis {
    case .horizontal: sum(children.map(\.width))
    case .vertical: children.filter { !($0 is Spacer) }.map(\.width).covered
    }
  }

  func height(columns: Int) -> Extent {
    let heights = zip(children, widths(columns))
      .map { child, columns in (child, child.height(columns: columns)) }
    switch axis {
    case .horizontal: return heights.filter { !($0.0 is Spacer) }.map(\.1).covered
    case .vertical: return sum(heights.map(\.1))
    }
  }

  func draw(into canvas: inout Canvas, _ alignment: Alignment) {
    let widths = widths(canvas.size.columns)
    let heights = heights(canvas.size.rows, widths: widths)
    var offset = 0
    for (child, (columns, rows)) in zip(children, zip(widths, heights)) {
      let size = Size(columns: columns, rows: rows)
      var place = alignment.place(size, in: canvas.size)
      switch axis {
      case .horizontal: place.origin.column = offset
      case .vertical: place.origin.row = offset
      }
      offset += (axis == .horizontal ? columns : rows) + spacing
      guard columns > 0, rows > 0 else { continue }
      canvas.within(place) { child.draw(into: &$0) }
    }
  }

  private func sum(_ extents: [Extent]) -> Extent {
    extents.reduce(.fixed(gaps)) { $0.followed(by: $1) }
  }

  private func widths(_ columns: Int) -> [Int] {
    let extents = children.map(\.width)
    guard axis == .horizontal else { return extents.map { min(columns, $0.max) } }
    return divide(columns, extents)
  }

  private func heights(_ rows: Int, widths: [Int]) -> [Int] {
    let extents = zip(children, widths).map { $0.height(columns: $1) }
    guard axis == .vertical else { return extents.map { min(rows, $0.max) } }
    return divide(rows, extents)
  }

  private func divide(_ room: Int, _ extents: [Extent]) -> [Int] {
    Division(extents: extents, priorities: children.map(\.priority)).lengths(max(room - gaps, 0))
  }
}

extension [Extent] {
  fileprivate var covered: Extent { reduce(.fixed(0)) { $0.covering($1) } }
}

/// Divides a length among parts that want some of it.
///
/// Where there is more than all want, those of the highest priority grow, the shortest first, so that
/// in the end they are equally long. Where there is less, those of the lowest priority give way, the
/// longest first, down to what they need; and where even that is too much, down to nothing.
struct Division {
  var extents: [Extent]
  var priorities: [Int]

  func lengths(_ room: Int) -> [Int] {
    var lengths = extents.map(\.ideal)
    let groups = Set(priorities).sorted()
    var rest = room - lengths.reduce(0, +)
    func level(_ group: Int, _ low: (Extent) -> Int, _ high: (Extent) -> Int) {
      let members = extents.indices.filter { priorities[$0] == group }
      let before = members.reduce(0) { $0 + lengths[$1] }
      let fitted = Self.level(
        members.map { (low(extents[$0]), high(extents[$0])) }, room: max(before + rest, 0))
      for (member, length) in zip(members, fitted) { lengths[member] = length }
      rest -= fitted.reduce(0, +) - before
    }
    if rest > 0 {
      for group in groups.reversed() where rest > 0 { level(group, \.ideal, \.max) }
    } else if rest < 0 {
      for group in groups where rest < 0 { level(group, \.min, \.ideal) }
      for group in groups where rest < 0 { level(group, { _ in 0 }, \.min) }
    }
    return lengths
  }

  /// Gives all one length, but for those that must have more or can't, as long as it fits; what is left
  /// goes to the first that take it.
  private static func level(_ bounds: [(low: Int, high: Int)], room: Int) -> [Int] {
    func lengths(_ level: Int) -> [Int] { bounds.map { min(max(level, $0.low), $0.high) } }
    var low = 0
    var high = Size.longest
    while low < high {
      let middle = (low + high + 1) / 2
      if lengths(middle).reduce(0, +) <= room { low = middle } else { high = middle - 1 }
    }
    var result = lengths(low)
    var rest = room - result.reduce(0, +)
    for index in result.indices where rest > 0 && result[index] < bounds[index].high {
      guard result[index] == low else { continue }
      result[index] += 1
      rest -= 1
    }
    return result
  }
}
