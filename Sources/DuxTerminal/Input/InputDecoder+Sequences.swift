extension InputDecoder {
  /// Does what a whole control sequence says; nothing for one that is unknown.
  mutating func carryOut(_ sequence: ControlSequence) {
    guard !sequence.hasIntermediate else { return }
    switch (sequence.mark, sequence.final) {
    case (UInt8(ascii: "<"), UInt8(ascii: "M")), (UInt8(ascii: "<"), UInt8(ascii: "m")):
      takeMouse(sequence)
    case (nil, UInt8(ascii: "M")) where sequence.isEmpty: state = .oldMouse([])
    case (nil, UInt8(ascii: "[")) where sequence.isEmpty: state = .console
    case (nil, UInt8(ascii: "I")) where sequence.isEmpty: emit(.focusGained)
    case (nil, UInt8(ascii: "O")) where sequence.isEmpty: emit(.focusLost)
    case (nil, UInt8(ascii: "~")): takeNumbered(sequence, modifiers: sequence.number(1))
    case (nil, UInt8(ascii: "$")): takeNumbered(sequence, modifiers: 2)
    case (nil, UInt8(ascii: "^")): takeNumbered(sequence, modifiers: 5)
    case (nil, UInt8(ascii: "@")): takeNumbered(sequence, modifiers: 6)
    case (nil, UInt8(ascii: "u")): takeUnicode(sequence)
    case (nil, let final): takeLettered(sequence, final)
    default: break
    }
  }

  /// A key that is named by the letter at the end, as in `CSI 1 ; 5 A`.
  private mutating func takeLettered(_ sequence: ControlSequence, _ final: UInt8) {
    // What begins with another number is an answer, such as the place of the cursor.
    guard sequence.number(0) <= 1, sequence.number(1, 1) != Self.released,
      let code = ControlSequence.code(ofFinal: final)
    else { return }
    emit(Key(code, modifiers: sequence.number(1)))
  }

  /// A key that is named by the number in front, as in `CSI 5 ~`, and the ends of a paste.
  private mutating func takeNumbered(_ sequence: ControlSequence, modifiers: Int) {
    switch sequence.number(0) {
    case 200: beginPaste()
    // xterm's modifyOtherKeys: modifiers, and the character.
    case 27: takeCharacter(sequence.number(2), modifiers: modifiers)
    case let number:
      guard sequence.number(1, 1) != Self.released,
        let code = ControlSequence.code(ofNumber: number)
      else { return }
      emit(Key(code, modifiers: modifiers))
    }
  }

  /// A key by its character's number, as in `CSI 97 ; 5 u`.
  private mutating func takeUnicode(_ sequence: ControlSequence) {
    guard sequence.number(1, 1) != Self.released else { return }
    takeCharacter(sequence.number(0), modifiers: sequence.number(1))
  }

  private mutating func takeCharacter(_ number: Int, modifiers: Int) {
    // Kitty keeps a range of Unicode for keys without a character; few of them matter here.
    switch number {
    case 57_399...57_408: emit(Key(.character(Self.digit(number - 57_399)), modifiers: modifiers))
    case 57_414: emit(Key(.enter, modifiers: modifiers))
    case 57_344...63_743: break
    default:
      guard let scalar = Unicode.Scalar(UInt32(clamping: number)), var key = Key(scalar) else {
        if number == 27 { emit(Key(.escape, modifiers: modifiers)) }
        return
      }
      key.hold(modifiers)
      emit(key)
    }
  }

  private static func digit(_ value: Int) -> Character {
    Character(Unicode.Scalar(UInt8(ascii: "0") + UInt8(clamping: value)))
  }

  /// What kitty calls a key that came up.
  private static let released = 3

  private mutating func takeMouse(_ sequence: ControlSequence) {
    let isRelease = sequence.final == UInt8(ascii: "m")
    if let mouse = Mouse(
      button: sequence.number(0), column: sequence.number(1), row: sequence.number(2),
      isRelease: isRelease)
    {
      emit(.mouse(mouse))
    }
  }
}

extension Key {
  /// The key that sends a character by itself; `nil` for characters that are no key's.
  init?(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0: self = .control(" ")
    case 0x08, 0x7F: self.init(.backspace)
    case 0x09: self.init(.tab)
    case 0x0A, 0x0D: self.init(.enter)
    case 0x01...0x1A:
      self = .control(Character(Unicode.Scalar(UInt8(scalar.value + 0x60))))
    case 0x1C...0x1F:
      self = .control(Character(Unicode.Scalar(UInt8(scalar.value + 0x40))))
    case 0x1B, 0x80...0x9F: return nil
    default: self.init(.character(Character(scalar)))
    }
  }

  /// Makes a key with what was held down, in the numbers that terminals use.
  init(_ code: Code, modifiers: Int) {
    self.init(code)
    hold(modifiers)
  }

  /// Adds what was held down: one more than a sum of 1 for Shift, 2 for Alt, 4 for Ctrl.
  mutating func hold(_ modifiers: Int) {
    let bits = max(0, modifiers - 1)
    alt = alt || bits & 2 != 0
    control = control || bits & 4 != 0
    guard bits & 1 != 0 else { return }
    switch code {
    case .tab: code = .backTab
    case .backTab: break
    case .character(let character) where !control && character.isLetter:
      // As terminals without such numbers have it: a capital letter, and no Shift.
      code = .character(character.uppercased().first ?? character)
    default: shift = true
    }
  }
}

extension Mouse {
  /// Makes an event of the numbers that a terminal sends, with places from 1; `nil` for what is none.
  init?(button: Int, column: Int, row: Int, isRelease: Bool) {
    guard column > 0, row > 0, button >= 0, let action = Action(button, isRelease: isRelease)
    else { return nil }
    self.init(
      action, at: Position(row: row - 1, column: column - 1), control: button & 16 != 0,
      alt: button & 8 != 0, shift: button & 4 != 0)
  }
}

extension Mouse.Action {
  fileprivate init?(_ number: Int, isRelease: Bool) {
    let isMotion = number & 32 != 0
    let buttons: [Mouse.Button?] = [.left, .middle, .right, nil]
    switch number & ~0b11_1111 {
    case 0:
      guard let button = buttons[number & 3] else {
        guard isMotion else { return nil }
        self = .move
        return
      }
      self = isMotion ? .drag(button) : isRelease ? .release(button) : .press(button)
    case 64 where !isMotion && !isRelease && number & 3 < 2:
      self = number & 3 == 0 ? .wheelUp : .wheelDown
    default: return nil
    }
  }
}
