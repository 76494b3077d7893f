import DuxTerminal

/// Feeds one input to the decoder of what terminals send; a broken promise traps.
///
/// The first byte says into pieces of which size the rest is cut.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeRawBufferPointer(start: start, count: count))
  guard let first = bytes.first else { return 0 }
  let stream = Array(bytes.dropFirst())
  let events = decoded(stream, cutting: stream.count)
  precondition(events == decoded(stream, cutting: Int(first) + 1), "cuts make no difference")
  for case .paste(let text) in events { checkText(text) }
  return 0
}

/// The events of a stream that comes in pieces, and after it nothing more.
private func decoded(_ stream: [UInt8], cutting pieceBytes: Int) -> [InputEvent] {
  var decoder = InputDecoder()
  var events: [InputEvent] = []
  var rest = stream[...]
  while !rest.isEmpty {
    events += decoder.decode(rest.prefix(pieceBytes))
    rest = rest.dropFirst(pieceBytes)
  }
  events += decoder.timeOut()
  precondition(decoder.wait == nil, "nothing stays open")
  precondition(decoder.decode([0x71]) == [.key("q")], "what follows is read as always")
  return events
}

/// A paste holds no control character but ends of lines and tabs.
private func checkText(_ text: String) {
  precondition(!text.isEmpty, "an empty paste is no event")
  for scalar in text.unicodeScalars where scalar.properties.generalCategory == .control {
    precondition(scalar == "\n" || scalar == "\t", "a control character in a paste")
  }
}
