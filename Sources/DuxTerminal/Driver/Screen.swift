import CNcursesW
import Glibc

/// What draws grids: ncurses, which knows what terminals of each type understand.
///
/// ncurses writes into memory; what it wrote is handed on, so that a slow terminal never holds up the
/// program. Input and the terminal's modes are not its business. One thread at a time, and one screen in
/// a process: ncurses has its state in global variables.
final class Screen {
  private let file: UnsafeMutablePointer<FILE>
  private let input: UnsafeMutablePointer<FILE>
  private let screen: OpaquePointer
  private let window: UnsafeMutablePointer<WINDOW>
  private let depth: ColorDepth
  /// What ends the terminal's other screen, shows the cursor and resets colours, for whoever has no
  /// time for ``leave()``.
  let exitBytes: [UInt8]
  /// What is on the terminal; `nil` when nobody knows.
  private var shown: Grid?
  private var pairs: [Colors: Int32] = [:]
  private var isCursorVisible = true

  private struct Colors: Hashable {
    var foreground: Int32
    var background: Int32
  }

  /// What terminals are told beside what ncurses tells them.
  ///
  /// Bracketed paste, and buttons, wheel and drag of the mouse in SGR's form; others ignore it.
  static let enteringBytes = Array("\u{1B}[?2004h\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h".utf8)
  /// The opposite, in the opposite order.
  static let leavingBytes = Array("\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l\u{1B}[?2004l".utf8)

  /// Makes a screen for a type of terminal.
  ///
  /// - Throws: ``TerminalError`` for a type that is unknown, or that cannot place a cursor.
  init(_ traits: TerminalTraits) throws(TerminalError) {
    Self.chooseCharacters()
    let memory = memfd_create("screen", Self.closedOnExec)
    guard memory >= 0, let file = fdopen(memory, "w"), let input = fopen("/dev/null", "re") else {
      throw TerminalError("there is no memory for a screen: \(String(cString: strerror(errno)))")
    }
    self.file = file
    self.input = input
    guard Self.knows(traits.type) else {
      fclose(file)
      fclose(input)
      throw TerminalError(
        "no terminal of the type \(traits.type) is known here, or it cannot place a cursor "
          + "(TERM names the type; Debian's ncurses-term knows more of them)")
    }
    guard let screen = newterm(traits.type, file, input), let window = newwin(0, 0, 0, 0) else {
      throw TerminalError("ncurses cannot use a terminal of the type \(traits.type)")
    }
    self.screen = screen
    self.window = window
    typeahead(-1)
    depth = traits.isColorless ? .none : Self.colorDepth()
    if depth != .none {
      start_color()
      use_default_colors()
    }
    exitBytes = ["sgr0", "cnorm", "rmcup"].flatMap { Self.bytes($0) }
    // ncurses has entered, for a screen of the size that terminfo has. Nothing of that is sent: the
    // first frame enters again.
    endwin()
    _ = takeBytes()
  }

  deinit {
    delwin(window)
    delscreen(screen)
    fclose(file)
    fclose(input)
  }

  /// Asks terminfo, for newterm ends the process over a type without what it needs.
  private static func knows(_ type: String) -> Bool {
    var status: Int32 = 0
    guard setupterm(type, STDOUT_FILENO, &status) == OK else { return false }
    defer { del_curterm(set_curterm(nil)) }
    let isGeneric = tigetflag("gn") > 0 || tigetflag("hc") > 0
    return !isGeneric && has("cup") && has("clear")
  }

  private static func has(_ name: String) -> Bool { !bytes(name).isEmpty }

  /// What terminfo has under a name; nothing where the terminal lacks it.
  private static func bytes(_ name: String) -> [UInt8] {
    // A missing string is NULL, a name that is none of a string is -1.
    guard let text = tigetstr(name), Int(bitPattern: text) != -1 else { return [] }
    return Array(String(cString: text).utf8)
  }

  private static func colorDepth() -> ColorDepth {
    switch tigetnum("colors") {
    case 256...: .indexed
    case 16...: .sixteen
    case 8...: .eight
    default: .none
    }
  }

  /// Makes the C library, and ncurses with it, read and write UTF-8, whatever the user's language is.
  private static func chooseCharacters() {
    setlocale(LC_CTYPE, "")
    guard strcmp(nl_langinfo(Int32(CODESET)), "UTF-8") != 0 else { return }
    setlocale(LC_CTYPE, "C.UTF-8")
  }

  /// The bytes that make the terminal show a grid.
  ///
  /// Of its cells they write only those that differ from what is there. The first ones of all, and
  /// those after ``leave()``, also enter the terminal's other screen.
  func draw(_ grid: Grid) -> [UInt8] {
    set_term(screen)
    if shown?.size != grid.size { resize(to: grid.size) }
    guard grid.size.rows > 0, grid.size.columns > 0 else {
      shown = nil
      return []
    }
    let old = shown ?? Grid(size: grid.size)
    for change in shown == nil ? grid.allRows : grid.changes(from: old) {
      write(grid[change], at: change)
    }
    placeCursor(grid.cursor)
    wnoutrefresh(window)
    doupdate()
    shown = grid
    return takeBytes()
  }

  /// Takes it that nothing is known of what the terminal shows: the next frame draws everything.
  func forget() {
    set_term(screen)
    shown = nil
    clearok(window, true)
  }

  /// The bytes that give the terminal back as it was.
  func leave() -> [UInt8] {
    set_term(screen)
    // endwin does not show the cursor when it thinks that it has.
    if !isCursorVisible { showCursor(true) }
    endwin()
    shown = nil
    clearok(window, true)
    return Self.leavingBytes + takeBytes()
  }

  private func resize(to size: Size) {
    shown = nil
    guard size.rows > 0, size.columns > 0 else { return }
    resizeterm(Int32(size.rows), Int32(size.columns))
    wresize(window, Int32(size.rows), Int32(size.columns))
    werase(window)
    clearok(window, true)
  }

  private func placeCursor(_ cursor: Position?) {
    showCursor(cursor != nil)
    if let cursor { wmove(window, Int32(cursor.row), Int32(cursor.column)) }
  }

  private func showCursor(_ isVisible: Bool) {
    guard isVisible != isCursorVisible else { return }
    isCursorVisible = isVisible
    curs_set(isVisible ? 1 : 0)
  }

  private func write(_ cells: ArraySlice<Cell>, at change: Change) {
    var column = change.columns.lowerBound
    for cell in cells {
      if cell.part != .right { write(cell, row: change.row, column: column) }
      column += 1
    }
  }

  /// Writes what stands in one cell or two: ncurses puts in one what takes room and what combines with
  /// it, so the halves of a flag are two.
  private func write(_ cell: Cell, row: Int, column: Int) {
    let style = cell.style.resolved(for: depth)
    let width = cell.part == .left ? 2 : 1
    var used = 0
    var text: [wchar_t] = []
    func put() {
      guard !text.isEmpty else { return }
      var pair = pair(of: style)
      var character = cchar_t()
      setcchar(&character, text + [0], Self.attributes(of: style), 0, &pair)
      // An error at the last cell of all only says that the cursor has no place behind it.
      mvwadd_wch(window, Int32(row), Int32(column + used), &character)
      used += max(1, Int(wcwidth(text[0])))
      text = []
    }
    for scalar in cell.plainText.unicodeScalars.map({ wchar_t($0.value) }) {
      let room = Int(wcwidth(scalar))
      if room > 0 { put() }
      // What the C library has another width for than the grid would shift all that follows.
      guard room >= 0, used + room <= width else { break }
      if text.count < Self.scalarsOfACell, room > 0 || !text.isEmpty { text.append(scalar) }
    }
    put()
    while used < width {
      text = [wchar_t(UInt8(ascii: " "))]
      put()
    }
  }

  /// `MFD_CLOEXEC`, of linux/memfd.h.
  private static let closedOnExec: UInt32 = 1
  private static let scalarsOfACell = Int(CCHARW_MAX)

  private static func attributes(of style: TextStyle) -> attr_t {
    var attributes: attr_t = 0
    if style.bold { attributes |= dux_bold }
    if style.dim { attributes |= dux_dim }
    if style.italic { attributes |= dux_italic }
    if style.underline { attributes |= dux_underline }
    if style.reverse { attributes |= dux_reverse }
    return attributes
  }

  /// ncurses' number for two colours, which are used for the first time or known from before.
  private func pair(of style: TextStyle) -> Int32 {
    guard style.foreground != nil || style.background != nil else { return 0 }
    let colors = Colors(
      foreground: style.foreground.map { Int32($0.index) } ?? -1,
      background: style.background.map { Int32($0.index) } ?? -1)
    if let pair = pairs[colors] { return pair }
    // Past its limit ncurses takes the pair that was least used; rather no colour than a wrong one.
    guard pairs.count < Self.pairLimit else { return 0 }
    let pair = alloc_pair(colors.foreground, colors.background)
    guard pair > 0 else { return 0 }
    pairs[colors] = pair
    return pair
  }

  private static let pairLimit = 4_096

  /// What ncurses has written since the last time.
  private func takeBytes() -> [UInt8] {
    fflush(file)
    let memory = fileno(file)
    let count = max(0, Int(lseek(memory, 0, SEEK_CUR)))
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      initializedCount = max(0, pread(memory, buffer.baseAddress, count, 0))
    }
    lseek(memory, 0, SEEK_SET)
    ftruncate(memory, 0)
    return bytes
  }
}

extension Grid {
  fileprivate var allRows: [Change] {
    (0..<size.rows).map { Change(row: $0, columns: 0..<size.columns) }
  }
}
