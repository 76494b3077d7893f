import DuxJSON

extension Request {
  /// A dispatch read straight from its line.
  package struct PlainDispatch: Sendable {
    package var id: RequestID?
    package var dispatch: Dispatch
  }

  /// Reads a line of the form that nearly all lines have: a dispatch of one action without conditions,
  /// the action its last member.
  ///
  /// Only the action becomes a value, and of one that is a type and a payload only the payload. Whatever
  /// is not of this form, faults too, is left to the general reading, which knows what to say of it.
  ///
  /// - Returns: what ``decode(_:limits:)`` would, or `nil`.
  /// - Complexity: O(*n*), *n* = `line.count`.
  package static func plainDispatch(
    _ line: UnsafeRawBufferPointer, limits: Limits
  ) -> PlainDispatch? {
    var scanner = MemberScanner(line)
    guard scanner.skip("{") else { return nil }
    var isDispatch = false
    var id: RequestID?
    var n: Int64?
    while let member = scanner.requestMember() {
      switch member {
      case .op where !isDispatch:
        guard scanner.skip("\"dispatch\"") else { return nil }
        isDispatch = true
      case .n where n == nil:
        n = scanner.number()
        guard n != nil else { return nil }
      case .id where id == nil:
        id = scanner.number().map { .integer($0) }
        guard id != nil else { return nil }
      case .action where isDispatch:
        guard scanner.dropLast("}"),
          let dispatch = Dispatch(
            scanner, n: n, maximumDepth: limits.maximumDepth + Limits.requestDepth - 1)
        else { return nil }
        return PlainDispatch(id: id, dispatch: dispatch)
      default: return nil
      }
      guard scanner.skip(",") else { return nil }
    }
    return nil
  }
}

extension Request.Dispatch {
  /// Reads the one action of a dispatch without conditions.
  fileprivate init?(_ action: MemberScanner, n: Int64?, maximumDepth: Int) {
    if let plain = PlainAction(action, maximumDepth: maximumDepth) {
      self.init(plain, n: n)
    } else if let action = try? JSON(parsing: action.rest, maximumDepth: maximumDepth) {
      self.init([action], n: n)
    } else {
      return nil
    }
  }
}

/// The text of an action that is a type and perhaps a payload, each once, and nothing else.
struct PlainAction {
  /// What stands between the quotes: it needs no escapes, is not empty and begins with no `@`.
  let type: UnsafeRawBufferPointer
  let payload: JSON?
  /// The payload's text, where the line has it in canonical form.
  private let canonicalPayload: UnsafeRawBufferPointer?

  /// Reads an action, or gives up on it: whether it is none or of another form is not told.
  init?(_ text: MemberScanner, maximumDepth: Int) {
    var scanner = text
    guard scanner.skip("{"), scanner.dropLast("}") else { return nil }
    if scanner.skip("\"type\"") {
      guard scanner.skip(":"), let type = scanner.plainText() else { return nil }
      self.type = type
      guard !scanner.isAtEnd else {
        if type.first == UInt8(ascii: "@") { return nil }
        payload = nil
        canonicalPayload = nil
        return
      }
      guard scanner.skip(","), scanner.skip("\"payload\""), scanner.skip(":") else { return nil }
    } else {
      guard scanner.skip("\"payload\""), scanner.skip(":"), let type = scanner.lastPlainText(),
        scanner.dropLast(":"), scanner.dropLast("\"type\""), scanner.dropLast(",")
      else { return nil }
      self.type = type
    }
    if type.first == UInt8(ascii: "@") { return nil }
    // What is left is the payload only if it is one value: else there were other members.
    let rest = scanner.rest
    guard let parsed = try? JSON.parse(rest, maximumDepth: maximumDepth - 1) else { return nil }
    payload = parsed.value
    canonicalPayload = parsed.isCanonical ? rest : nil
  }

  /// The array of this action alone, as canonical JSON text.
  var textOfList: [UInt8] {
    var text: [UInt8] = []
    if let canonicalPayload {
      text.append(upTo: type.count + canonicalPayload.count + 32) { piece in
        piece.put("[{\"payload\":")
        piece.put(canonicalPayload)
        piece.put(",\"type\":\"")
        piece.put(type)
        piece.put("\"}]")
      }
      return text
    }
    text.reserveCapacity(type.count + (payload?.encodedByteCount ?? 0) + 32)
    if let payload {
      text.append(upTo: 16) { $0.put("[{\"payload\":") }
      payload.write(into: &text)
      text.append(upTo: 16) { $0.put(",\"type\":\"") }
    } else {
      text.append(upTo: 16) { $0.put("[{\"type\":\"") }
    }
    text.append(upTo: type.count + 3) { piece in
      piece.put(type)
      piece.put("\"}]")
    }
    return text
  }
}
