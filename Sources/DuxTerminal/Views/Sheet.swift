extension View {
  /// Shows a sheet over the view while there is one, and the view dimmed around it.
  ///
  /// What lies below can't be clicked, and the cursor is in the sheet or nowhere.
  public func sheet(_ title: String, @ViewBuilder _ content: () -> ViewGroup) -> some View {
    let sheet = content()
    return SheetView(
      below: drawn,
      sheet: sheet.children.isEmpty ? nil : Border(title) { sheet.padding(horizontal: 1) })
  }

  /// Shows a view over the lower right corner of another, or nothing while there is none: for a
  /// ``Banner`` that goes by itself.
  public func toast(@ViewBuilder _ content: () -> ViewGroup) -> some View {
    let toast = content()
    return ToastView(below: drawn, toast: toast.drawn)
  }
}

private struct SheetView: DrawnView {
  var below: any DrawnView
  var sheet: Border?

  var width: Extent { sheet == nil ? below.width : .flexible(ideal: below.width.ideal) }
  func height(columns: Int) -> Extent {
    let height = below.height(columns: min(columns, below.width.max))
    return sheet == nil ? height : .flexible(ideal: height.ideal)
  }
  var priority: Int { below.priority }

  func draw(into canvas: inout Canvas) {
    let place = below.size(in: canvas.size).place(.topLeading, in: canvas.size)
    canvas.draw(below, in: place)
    guard let sheet else { return }
    canvas.cover()
    canvas.restyle { _ in TextStyle(attributes: .dim) }
    let room = sheet.comfortableSize(in: canvas.size)
    canvas.within(room.place(.center, in: canvas.size)) { canvas in
      canvas.fill()
      sheet.draw(into: &canvas)
    }
  }
}

private struct ToastView: DrawnView {
  var below: any DrawnView
  var toast: any DrawnView

  var width: Extent { below.width }
  func height(columns: Int) -> Extent { below.height(columns: columns) }
  var priority: Int { below.priority }

  func draw(into canvas: inout Canvas) {
    below.draw(into: &canvas)
    let size = toast.comfortableSize(in: canvas.size)
    canvas.within(size.place(.bottomTrailing, in: canvas.size)) { canvas in
      canvas.fill()
      toast.draw(into: &canvas)
    }
  }
}

extension DrawnView {
  /// What it takes of a room when it takes no more than it needs.
  fileprivate func comfortableSize(in room: Size) -> Size {
    let columns = min(room.columns, width.ideal)
    return Size(columns: columns, rows: min(room.rows, height(columns: columns).ideal))
  }
}
