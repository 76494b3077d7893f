import DuxJSON
import DuxLog
import DuxProtocol

/// Feeds one input to both sides' readers as a stream of lines; a broken promise traps.
///
/// The first byte says into pieces of which size the stream is cut.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeRawBufferPointer(start: start, count: count))
  guard let first = bytes.first else { return 0 }
  let stream = Array(bytes.dropFirst())
  let lines = found(in: stream, cutting: stream.count)
  precondition(lines == found(in: stream, cutting: Int(first) + 1), "cuts make no difference")
  for line in lines {
    checkRequest(line)
    checkMessage(line)
  }
  return 0
}

private let limits = Limits(
  maximumLineBytes: 4_096, maximumDepth: 32, maximumStateBytes: 1 << 20)

/// The lines of a stream that comes in pieces, up to the first that is too long.
private func found(in stream: [UInt8], cutting pieceBytes: Int) -> [[UInt8]] {
  var scanner = LineScanner()
  var lines: [[UInt8]] = []
  var kept: [UInt8] = []
  var rest = stream[...]
  while !rest.isEmpty {
    kept += rest.prefix(pieceBytes)
    rest = rest.dropFirst(pieceBytes)
    scanning: while true {
      let limit = limits.maximumLineBytes
      switch kept.withUnsafeBytes({ scanner.next(in: $0, maximumLineBytes: limit) }) {
      case .incomplete: break scanning
      case .tooLong: return lines
      case .line(let count, let next):
        precondition(count < next && next <= kept.count, "a line lies in what was given")
        precondition(!kept[..<count].contains(0x0A), "a line is one line")
        lines.append(Array(kept[..<count]))
        kept.removeFirst(next)
      }
    }
  }
  return lines
}

/// A list of effects that was taken is read as the same when it is written again.
private func checkMessage(_ line: [UInt8]) {
  guard let message = try? line.withUnsafeBytes({ try ServerMessage($0) }),
    case .answer(let id, _, let json, _) = message, let list = try? EffectList(json)
  else { return }
  var writer = LineWriter()
  writer.effects(list, id: id)
  let again = try? writer.bytes.withUnsafeBytes { try ServerMessage($0) }
  guard case .answer(_, "effects", let copy, true)? = again else {
    preconditionFailure("what was taken is no list when written again")
  }
  precondition((try? EffectList(copy)) == list, "the same list")
}

/// A request is taken or refused, the same each time; what is written of it is read as the same.
private func checkRequest(_ line: [UInt8]) {
  checkPlainReading(of: line)
  let decoded = line.withUnsafeBytes { Request.decode($0, limits: limits) }
  guard case .success(.dispatch(let dispatch)) = decoded.result else { return }
  var writer = LineWriter()
  let conditions = dispatch.preconditions.map { condition -> JSON in
    var object: JSONObject = ["path": .string(condition.path.description)]
    if let value = condition.value { object["value"] = value } else { object["missing"] = true }
    return .object(object)
  }
  writer.dispatch(n: dispatch.n, actions: dispatch.actions, preconditions: conditions)
  let again = Array(writer.bytes.dropLast())
  let second = again.withUnsafeBytes { Request.decode($0, limits: limits) }
  guard case .success(.dispatch(let copy)) = second.result else {
    preconditionFailure("what was taken is refused when written again")
  }
  precondition(copy.n == dispatch.n && copy.actions == dispatch.actions, "the same dispatch")
  precondition(copy.body.actions == dispatch.body.actions, "the same text")
}

/// What is read straight from its line is what the general reading makes of it.
private func checkPlainReading(of line: [UInt8]) {
  guard let plain = line.withUnsafeBytes({ Request.plainDispatch($0, limits: limits) }) else {
    return
  }
  let general = line.withUnsafeBytes { Request.decodeAny($0, limits: limits) }
  guard case .success(.dispatch(let dispatch)) = general.result else {
    preconditionFailure("what is refused was read from its line")
  }
  precondition(plain.id == general.id && plain.dispatch.n == dispatch.n, "the same numbers")
  precondition(plain.dispatch.actions == dispatch.actions, "the same actions")
  precondition(plain.dispatch.body.actions == dispatch.body.actions, "the same text")
  precondition(plain.dispatch.body.digest == dispatch.body.digest, "the same digest")
}
