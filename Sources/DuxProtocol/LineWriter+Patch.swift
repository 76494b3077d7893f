package import DuxLog

/// `patch`, the line that each step costs once for each path that it touches.
extension LineWriter {
  /// Writes `patch` of a step of one action.
  ///
  /// - Parameters:
  ///   - path: what is watched.
  ///   - entry: the step.
  ///   - type: the action's type.
  ///   - actions: the step's actions as JSON text, where they are told.
  ///   - patch: the change, relative to the path, as JSON text.
  package mutating func patch(
    path: String, _ entry: LogEntry, type: String, actions: [UInt8]?, patch: [UInt8]
  ) {
    let isWritten = path.withBytesAtHand { path in
      entry.client.withBytesAtHand { client in
        type.withBytesAtHand { type in
          append(entry, Texts(path: path, client: client, type: type), actions, patch)
        }
      }
    }
    guard !isWritten else { return }
    beginPatch(path, entry)
    member("type", type)
    endPatch(actions, patch)
  }

  /// Writes `patch` of a step of several actions.
  ///
  /// - Parameters:
  ///   - path: what is watched.
  ///   - entry: the step.
  ///   - types: the actions' types.
  ///   - actions: the step's actions as JSON text, where they are told.
  ///   - patch: the change, relative to the path, as JSON text.
  package mutating func patch(
    path: String, _ entry: LogEntry, types: [String], actions: [UInt8]?, patch: [UInt8]
  ) {
    beginPatch(path, entry)
    member("types", types)
    endPatch(actions, patch)
  }

  private mutating func beginPatch(_ path: String, _ entry: LogEntry) {
    begin("patch")
    member("path", path)
    member("seq", entry.seq.value)
    member("time", entry.time)
    member("client", entry.client)
    if let n = entry.n { member("n", n) }
  }

  private mutating func endPatch(_ actions: [UInt8]?, _ patch: [UInt8]) {
    if let actions { member("actions", text: actions) }
    member("patch", text: patch)
    end()
  }

  private struct Texts {
    let path: UnsafeBufferPointer<UInt8>
    let client: UnsafeBufferPointer<UInt8>
    let type: UnsafeBufferPointer<UInt8>

    var count: Int { path.count + client.count + type.count }
  }

  /// Writes the whole line at once.
  ///
  /// - Returns: whether it did: not when a text has to be escaped.
  private mutating func append(
    _ entry: LogEntry, _ texts: Texts, _ actions: [UInt8]?, _ patch: [UInt8]
  ) -> Bool {
    let count = Self.patchBytes + texts.count + (actions?.count ?? 0) + patch.count
    func write(_ piece: inout LinePiece) -> Bool {
      piece.put("{\"op\":\"patch\",\"path\":")
      guard piece.put(plain: texts.path) else { return false }
      piece.put(",\"seq\":")
      piece.put(entry.seq.value)
      piece.put(",\"time\":")
      piece.put(entry.time)
      piece.put(",\"client\":")
      guard piece.put(plain: texts.client) else { return false }
      if let n = entry.n {
        piece.put(",\"n\":")
        piece.put(n)
      }
      piece.put(",\"type\":")
      guard piece.put(plain: texts.type) else { return false }
      if let actions {
        piece.put(",\"actions\":")
        piece.put(actions)
      }
      piece.put(",\"patch\":")
      piece.put(patch)
      piece.put("}\n")
      return true
    }
    return bytes.appendIfTaken(upTo: count, write)
  }

  /// The most that the line takes beside its texts.
  private static let patchBytes = 3 * LinePiece.numberBytes + 128
}

extension String {
  /// Calls `body` with the bytes where they lie, if they lie together.
  ///
  /// - Returns: what `body` returned; false where it was not called.
  @inline(__always)
  fileprivate func withBytesAtHand(_ body: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
    utf8.withContiguousStorageIfAvailable(body) ?? false
  }
}
