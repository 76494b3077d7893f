import DuxJSON
import DuxTerminal

/// The line that is being typed on.
struct Prompt {
  /// What becomes of it.
  enum Purpose: Sendable {
    case dispatch, filter, jump, past

    /// What stands before it.
    var label: String {
      switch self {
      case .dispatch: ":"
      case .filter: "find"
      case .jump: "path"
      case .past: "seq"
      }
    }

    /// What stands in it while it is empty.
    var placeholder: String {
      switch self {
      case .dispatch: "an action's type and payload; Tab completes"
      case .filter: "names and values, or /paths"
      case .jump: "a JSON Pointer; Tab completes"
      case .past: "the number of a step"
      }
    }
  }

  let purpose: Purpose
  var draft: Draft
  /// Why the line was not taken.
  var problem: String?
  /// What Tab offers.
  private(set) var completion: Completion?
  /// The offer that stands in the line.
  private(set) var chosen: Int?

  /// Makes a line to be typed on.
  init(_ purpose: Purpose, _ text: String = "") {
    self.purpose = purpose
    draft = Draft(text)
  }

  /// Edits the line.
  ///
  /// - Returns: whether the key does anything here.
  mutating func take(_ key: Key) -> Bool {
    guard edit(key) else { return false }
    endCompletion()
    problem = nil
    return true
  }

  private mutating func edit(_ key: Key) -> Bool {
    if let character = key.typed {
      draft.insert(String(character))
      return true
    }
    switch (key.code, key.control || key.alt) {
    case (.backspace, false): draft.deleteBackward()
    case (.backspace, true): draft.deleteWordBackward()
    case (.delete, false): draft.deleteForward()
    case (.delete, true): draft.deleteWordForward()
    case (.left, false): draft.moveLeft()
    case (.right, false): draft.moveRight()
    case (.left, true): draft.moveWordLeft()
    case (.right, true): draft.moveWordRight()
    case (.home, _): draft.moveToStart()
    case (.end, _): draft.moveToEnd()
    case (.character(let character), true): return key.control && edit(control: character)
    default: return false
    }
    return true
  }

  private mutating func edit(control character: Character) -> Bool {
    switch character {
    case "a": draft.moveToStart()
    case "e": draft.moveToEnd()
    case "b": draft.moveLeft()
    case "f": draft.moveRight()
    case "d": draft.deleteForward()
    case "h": draft.deleteBackward()
    case "w": draft.deleteWordBackward()
    case "k": draft.deleteToEnd()
    case "u": draft.deleteToStart()
    default: return false
    }
    return true
  }

  /// Puts pasted text in.
  mutating func paste(_ text: String) {
    draft.insert(text)
    endCompletion()
    problem = nil
  }

  /// Shows another line, with the cursor at its end.
  mutating func show(_ text: String) {
    draft = Draft(text)
    endCompletion()
    problem = nil
  }

  /// Says why the line was not taken, and goes to the place, in bytes, where it is wrong.
  mutating func refuse(_ message: String, at offset: Int?) {
    problem = message
    guard let offset else { return }
    let bytes = draft.text.utf8.prefix(offset)
    // Cut at a byte, so what is left of a character is dropped.
    let place = String(decoding: bytes, as: UTF8.self).count
    draft.moveToStart()
    for _ in 0..<min(place, draft.text.count) { draft.moveRight() }
  }

  /// Completes what stands before the cursor: as far as all offers agree, then offer by offer.
  mutating func complete(types: some Sequence<String>, state: JSON?, step: Int) {
    if completion == nil {
      let head = String(draft.head)
      switch purpose {
      case .dispatch: completion = Completion(ofAction: head, types: types, state: state)
      case .jump: completion = Completion(ofPath: head, state: state)
      case .filter, .past: return
      }
      guard let completion, !completion.candidates.isEmpty else { return endCompletion() }
      let common = completion.commonPrefix
      let isOnlyOne = completion.candidates.count == 1
      if isOnlyOne || common.count > draft.cursor - completion.start {
        replace(from: completion.start, with: common)
        return isOnlyOne ? endCompletion() : ()
      }
    }
    choose(step)
  }

  private mutating func choose(_ step: Int) {
    guard let completion, !completion.candidates.isEmpty else { return }
    let count = completion.candidates.count
    let next = ((chosen.map { $0 + step } ?? (step > 0 ? 0 : -1)) + count) % count
    chosen = next
    replace(from: completion.start, with: completion.candidates[next])
  }

  private mutating func replace(from start: Int, with text: String) {
    while draft.cursor > start { draft.deleteBackward() }
    draft.insert(text)
  }

  private mutating func endCompletion() {
    completion = nil
    chosen = nil
  }
}
