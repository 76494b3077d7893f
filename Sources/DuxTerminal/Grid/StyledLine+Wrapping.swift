extension StyledLine {
  /// The line with an ellipsis as its last, to show that more follows.
  func ended(at limit: Int) -> StyledLine {
    guard limit > 0 else { return StyledLine() }
    var line = self
    let style = pieces.last?.style ?? .plain
    line.append(Piece(unit: .ellipsis, style: style, isStart: true))
    return columns < limit ? line : line.truncated(to: limit)
  }

  /// The line in as many as it takes, broken after blanks and beside wide characters where that is
  /// possible, at a border of characters where not.
  ///
  /// Blanks at a break are left out.
  func wrapped(_ limit: Int) -> [StyledLine] {
    guard columns > limit, limit > 0 else { return [self] }
    var lines: [StyledLine] = []
    var start = 0
    var used = 0
    var lastBreak = 0
    var index = 0
    func breakLine(_ end: Int) {
      lines.append(StyledLine(pieces[start..<end].withoutTrailingBlanks))
      start = end
      while start < pieces.endIndex, pieces[start].isBlank { start += 1 }
      index = max(index, start)
      used = pieces[start..<index].reduce(0) { $0 + $1.unit.width }
      lastBreak = start
    }
    while index < pieces.endIndex {
      let end = endOfCharacter(index)
      let width = pieces[index..<end].reduce(0) { $0 + $1.unit.width }
      if used + width > limit, index > start {
        let atBlank = pieces[index].isBlank || pieces[index].unit.width == 2
        breakLine(atBlank || lastBreak <= start ? index : lastBreak)
        continue
      }
      used += width
      index = end
      if pieces[end - 1].isBlank || pieces[end - 1].unit.width == 2 { lastBreak = end }
    }
    if start < pieces.endIndex || lines.isEmpty { lines.append(StyledLine(pieces[start...])) }
    return lines
  }

  private init(_ pieces: ArraySlice<Piece>) {
    self.init()
    for piece in pieces { append(piece) }
  }

  private func endOfCharacter(_ start: Int) -> Int {
    var end = start + 1
    while end < pieces.endIndex, !pieces[end].isStart { end += 1 }
    return end
  }
}

extension StyledLine.Piece {
  fileprivate var isBlank: Bool { unit.text == " " }
}

extension ArraySlice<StyledLine.Piece> {
  fileprivate var withoutTrailingBlanks: Self {
    prefix((lastIndex { !$0.isBlank } ?? startIndex - 1) - startIndex + 1)
  }
}
