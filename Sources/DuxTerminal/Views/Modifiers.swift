extension View {
  /// Takes what a view wants and changes the room or the style that it gets.
  private func modified(_ modifier: Modifier) -> some View {
    ModifiedView(content: drawn, modifier: modifier)
  }

  /// Keeps as many cells blank on all sides.
  public func padding(_ length: Int = 1) -> some View {
    padding(horizontal: length, vertical: length)
  }

  /// Keeps cells blank at the sides, and above and below.
  public func padding(horizontal: Int = 0, vertical: Int = 0) -> some View {
    modified(.padding(horizontal: horizontal.length, vertical: vertical.length))
  }

  /// Gives the view a width, a height or both, whatever it wants.
  public func frame(
    width: Int? = nil, height: Int? = nil, alignment: Alignment = .topLeading
  ) -> some View {
    modified(
      .frame(width: width.map(Extent.fixed), height: height.map(Extent.fixed), alignment))
  }

  /// Says how wide, how high or both the view can be, whatever it wants.
  public func frame(
    width: Extent? = nil, height: Extent? = nil, alignment: Alignment = .topLeading
  ) -> some View {
    modified(.frame(width: width, height: height, alignment))
  }

  /// Takes all the room there is, and stands somewhere in it.
  public func filling(_ alignment: Alignment = .topLeading) -> some View {
    fillingWidth(alignment).fillingHeight(alignment)
  }

  /// Takes all columns there are, and stands somewhere in them.
  public func fillingWidth(_ alignment: Alignment = .topLeading) -> some View {
    modified(.filling(horizontal: true, vertical: false, alignment))
  }

  /// Takes all rows there are, and stands somewhere in them.
  public func fillingHeight(_ alignment: Alignment = .topLeading) -> some View {
    modified(.filling(horizontal: false, vertical: true, alignment))
  }

  /// Says who grows first and gives way last in a stack: those with the higher number.
  ///
  /// It is 0 for most.
  public func priority(_ priority: Int) -> some View {
    modified(.priority(priority))
  }

  /// Gives text in the view a look, under its own.
  public func role(_ role: Role) -> some View {
    modified(.look(role, .plain, fills: false))
  }

  /// Gives text in the view a style, under its own.
  public func style(_ style: TextStyle) -> some View {
    modified(.look(nil, style, fills: false))
  }

  /// Fills the view's room with the look of a role, and gives text in it that look.
  public func background(_ role: Role) -> some View {
    modified(.look(role, .plain, fills: true))
  }

  /// Names the view, so that a click on it is told by that name.
  public func target(_ name: String) -> some View {
    target(Target(name))
  }

  /// Names the view as one of several, so that a click on it is told by that.
  public func target(_ target: Target) -> some View {
    modified(.target(target))
  }
}

/// What a modifier changes.
private enum Modifier {
  case padding(horizontal: Int, vertical: Int)
  case frame(width: Extent?, height: Extent?, Alignment)
  case filling(horizontal: Bool, vertical: Bool, Alignment)
  case priority(Int)
  case look(Role?, TextStyle, fills: Bool)
  case target(Target)
}

private struct ModifiedView: DrawnView {
  var content: any DrawnView
  var modifier: Modifier

  var priority: Int {
    if case .priority(let priority) = modifier { priority } else { content.priority }
  }

  var width: Extent {
    switch modifier {
    case .padding(let horizontal, _): content.width.extended(by: 2 * horizontal)
    case .frame(let width?, _, _): width
    case .filling(true, _, _): .flexible(min: content.width.min, ideal: content.width.ideal)
    case .frame, .filling, .priority, .look, .target: content.width
    }
  }

  func height(columns: Int) -> Extent {
    switch modifier {
    case .padding(let horizontal, let vertical):
      return content.height(columns: max(columns - 2 * horizontal, 0)).extended(by: 2 * vertical)
    case .frame(_, let height?, _): return height
    case .frame, .priority, .look, .target: break
    case .filling(_, let vertical, _):
      let height = content.height(columns: min(columns, content.width.max))
      return vertical ? .flexible(min: height.min, ideal: height.ideal) : height
    }
    return content.height(columns: min(columns, content.width.max))
  }

  func draw(into canvas: inout Canvas) {
    switch modifier {
    case .padding(let horizontal, let vertical):
      let size = Size(
        columns: canvas.size.columns - 2 * horizontal, rows: canvas.size.rows - 2 * vertical)
      canvas.draw(content, in: Rect(row: vertical, column: horizontal, size: size))
    case .frame(_, _, let alignment), .filling(_, _, let alignment):
      canvas.draw(content, in: alignment.place(content.size(in: canvas.size), in: canvas.size))
    case .priority: content.draw(into: &canvas)
    case .look(let role, let style, let fills):
      let look = (role.map { canvas.theme[$0] } ?? .plain).overlaid(with: style)
      canvas.within(Rect(row: 0, column: 0, size: canvas.size), style: look) {
        if fills { $0.fill() }
        content.draw(into: &$0)
      }
    case .target(let target):
      canvas.name(target)
      content.draw(into: &canvas)
    }
  }
}
