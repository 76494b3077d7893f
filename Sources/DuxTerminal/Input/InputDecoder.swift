/// Makes events of the bytes that a terminal sends, however they are cut.
///
/// Knows what xterm, the Linux console, rxvt and kitty send: control keys, CSI and SS3 sequences with
/// modifiers, `CSI u`, the mouse in SGR's form and the old one, bracketed paste, focus. A sequence that
/// is unknown, too long or broken off is skipped, and what follows it is read as always.
///
/// The decoder has no clock. While ``wait`` is not `nil` it holds bytes whose meaning is open; whoever
/// has a clock calls ``timeOut()`` when nothing has come for that long.
/// - Invariant: holds at most `PasteReader.limitBytes` and a few hundred bytes more.
public struct InputDecoder: Sendable {
  /// What the decoder waits for.
  public enum Wait: Equatable, Sendable {
    /// The rest of a sequence: a key by itself if none comes at once.
    case sequence
    /// The rest of a paste.
    case paste
  }

  enum State: Sendable {
    case ground
    case escape
    case csi(ControlSequence)
    /// After `CSI [`: a function key of the Linux console.
    case console
    /// After ESC O, with the parameter so far.
    case ss3(parameter: Int)
    /// After `CSI M`: button, column and row, a byte each.
    case oldMouse([UInt8])
    /// After `ESC ]` and its like, with the byte that began it: an answer nobody asked for.
    case string(UInt8, count: Int, hasEscape: Bool)
  }

  /// The longest string of a terminal that is skipped as one, in bytes.
  static let stringLimitBytes = 1_024

  var state = State.ground
  private var assembler = ScalarAssembler()
  /// Whether Escape came before what is read now.
  private var isAlt = false
  private var paste: PasteReader?
  private var events: [InputEvent] = []

  /// Makes a decoder that has seen nothing.
  public init() {}

  /// What is waited for; `nil` when every byte has had its effect.
  public var wait: Wait? {
    if paste != nil { return .paste }
    if case .ground = state { return assembler.isPartial ? .sequence : nil }
    return .sequence
  }

  /// Takes bytes, and gives the events that they complete.
  ///
  /// - Complexity: O(*n*), *n* = the number of bytes.
  public mutating func decode(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
    for byte in bytes { take(byte) }
    return takeEvents()
  }

  /// Settles what is open, since nothing has come for a while: ESC is then a key, `ESC [` is Alt-[, a
  /// paste is what came of it, and a sequence without end is nothing.
  public mutating func timeOut() -> [InputEvent] {
    if let paste {
      self.paste = nil
      tell(paste)
      return takeEvents()
    }
    switch state {
    case .ground: break
    case .escape: emit(Key(.escape))
    case .csi(let sequence) where sequence.isEmpty: emit(.alt("["))
    case .ss3(parameter: 0): emit(.alt("O"))
    case .string(let first, let count, let hasEscape):
      if count == 0 { emitAlt(first) }
      if hasEscape { emit(Key(.escape)) }
    case .csi, .console, .ss3, .oldMouse: break
    }
    state = .ground
    isAlt = false
    assembler.reset()
    return takeEvents()
  }

  private mutating func takeEvents() -> [InputEvent] {
    defer { events = [] }
    return events
  }

  mutating func emit(_ event: InputEvent) {
    events.append(event)
  }

  mutating func emit(_ key: Key) {
    events.append(.key(key))
  }

  private mutating func emitAlt(_ byte: UInt8) {
    emit(.alt(Character(Unicode.Scalar(byte))))
  }

  private mutating func tell(_ paste: PasteReader) {
    let text = paste.pasted
    if !text.isEmpty { emit(.paste(text)) }
  }

  mutating func beginPaste() {
    paste = PasteReader()
  }

  private mutating func take(_ byte: UInt8) {
    if paste != nil {
      if paste?.take(byte) == true, let paste {
        self.paste = nil
        tell(paste)
      }
      return
    }
    switch state {
    case .ground: takeText(byte)
    case .escape: takeEscaped(byte)
    case .csi(let sequence): take(byte, in: sequence)
    case .console: takeConsole(byte)
    case .ss3(let parameter): takeSS3(byte, parameter)
    case .oldMouse(let bytes): takeOldMouse(byte, bytes)
    case .string(let first, let count, let hasEscape):
      takeString(byte, first, count, hasEscape)
    }
  }

  /// Gives up what was begun, and reads the byte as if nothing had come before.
  private mutating func restart(with byte: UInt8) {
    state = .ground
    take(byte)
  }

  private mutating func takeText(_ byte: UInt8) {
    switch assembler.take(byte) {
    case .incomplete: break
    case .invalid: isAlt = false
    case .again:
      isAlt = false
      takeText(byte)
    case .scalar("\u{1B}"):
      if isAlt { emit(Key(.escape)) }
      isAlt = false
      state = .escape
    case .scalar(let scalar):
      if var key = Key(scalar) {
        key.alt = isAlt
        emit(key)
      }
      isAlt = false
    }
  }

  private mutating func takeEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "["): state = .csi(ControlSequence())
    case UInt8(ascii: "O"): state = .ss3(parameter: 0)
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"),
      UInt8(ascii: "X"):
      state = .string(byte, count: 0, hasEscape: false)
    default:
      isAlt = true
      restart(with: byte)
    }
  }

  private mutating func take(_ byte: UInt8, in sequence: ControlSequence) {
    var sequence = sequence
    switch sequence.take(byte) {
    case .more: state = .csi(sequence)
    case .broken: restart(with: byte)
    case .whole:
      state = .ground
      carryOut(sequence)
    }
  }

  private mutating func takeConsole(_ byte: UInt8) {
    guard (UInt8(ascii: "A")...UInt8(ascii: "E")).contains(byte) else {
      return restart(with: byte)
    }
    state = .ground
    emit(Key(.function(Int(byte - UInt8(ascii: "A")) + 1)))
  }

  private mutating func takeSS3(_ byte: UInt8, _ parameter: Int) {
    if parameter < 100, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      state = .ss3(parameter: parameter * 10 + Int(byte - UInt8(ascii: "0")))
      return
    }
    guard (0x40..<0x7F).contains(byte) else { return restart(with: byte) }
    state = .ground
    if let code = ControlSequence.code(ofFinal: byte) ?? ControlSequence.code(ofKeypad: byte) {
      emit(Key(code, modifiers: parameter))
    }
  }

  private mutating func takeOldMouse(_ byte: UInt8, _ bytes: [UInt8]) {
    guard byte >= 0x20 else { return restart(with: byte) }
    let bytes = bytes + [byte]
    guard bytes.count == 3 else {
      state = .oldMouse(bytes)
      return
    }
    state = .ground
    let isRelease = (bytes[0] - 0x20) & 0b1110_0011 == 3
    let button = Int(bytes[0] - 0x20)
    if let mouse = Mouse(
      button: isRelease ? button - 3 : button, column: Int(bytes[1]) - 0x20,
      row: Int(bytes[2]) - 0x20, isRelease: isRelease)
    {
      emit(.mouse(mouse))
    }
  }

  private mutating func takeString(
    _ byte: UInt8, _ first: UInt8, _ count: Int, _ hasEscape: Bool
  ) {
    switch byte {
    case UInt8(ascii: "\\") where hasEscape, 0x07: state = .ground
    case _ where hasEscape:
      state = .escape
      take(byte)
    case 0x1B: state = .string(first, count: count, hasEscape: true)
    case 0..<0x20: restart(with: byte)
    case _ where count >= Self.stringLimitBytes: restart(with: byte)
    default: state = .string(first, count: count + 1, hasEscape: false)
    }
  }
}
