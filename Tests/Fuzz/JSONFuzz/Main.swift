import DuxJSON

/// Feeds one input to parser, writer and patches; a broken promise traps.
///
/// Any input is a text. One that is an object with `doc` and `patch` is also a document with a
/// patch, and one with `from` and `to` two documents between which there is a difference.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  guard let (value, isCanonical) = try? JSON.parse(bytes, maximumDepth: 128) else { return 0 }
  if isCanonical { precondition(value.bytes.elementsEqual(bytes), "the text is canonical") }
  checkText(of: value)
  if let document = value["doc"], let changes = value["patch"] {
    checkMerging(changes, into: document)
    if let patch = try? JSONPatch(changes) { check(patch, on: document) }
  }
  if let from = value["from"], let to = value["to"] { checkDifference(from, to) }
  return 0
}

/// A value is written in the length it claims and read back as itself.
private func checkText(of value: JSON) {
  let text = value.bytes
  precondition(text.count == value.encodedByteCount, "the claimed length")
  guard let parsed = try? JSON(parsing: text, maximumDepth: 1000) else {
    preconditionFailure("the parser refuses what the writer wrote")
  }
  precondition(parsed == value && parsed.bytes == text, "the value comes back")
  precondition(parsed.depth == value.depth && parsed.hashValue == value.hashValue)
  precondition(value.matches(parsed))
  var pretty: [UInt8] = []
  value.writePretty(into: &pretty, indent: 1)
  precondition((try? JSON(parsing: pretty, maximumDepth: 1000)) == value, "with white space, too")
}

/// A patch changes all or nothing, and its inverse leads back.
private func check(_ patch: JSONPatch, on document: JSON) {
  precondition((try? JSONPatch(patch.json)) == patch, "a patch is read as it was written")
  var state = document
  guard (try? patch.apply(to: &state, maximumDepth: 200, maximumBytes: 100_000)) != nil else {
    precondition(state == document, "a refused patch changes nothing")
    return
  }
  precondition(state.encodedByteCount <= 100_000 && state.depth <= 200, "within the limits")
  checkText(of: state)
  checkDifference(document, state)
  guard let inverse = try? patch.inverse(on: document),
    (try? inverse.apply(to: &state)) != nil
  else { preconditionFailure("an applied patch has an inverse") }
  precondition(state == document, "the inverse leads back")
}

/// A difference leads from one value to the other.
private func checkDifference(_ from: JSON, _ to: JSON) {
  var state = from
  let difference = JSONPatch.diff(from: from, to: to)
  precondition((try? difference.apply(to: &state)) != nil && state == to, "the difference")
  if from == to { precondition(difference.operations.isEmpty, "no difference to itself") }
}

/// Merging twice is merging once.
private func checkMerging(_ patch: JSON, into document: JSON) {
  var once = document
  once.merge(patch)
  checkText(of: once)
  var twice = once
  twice.merge(patch)
  precondition(once == twice, "merging again changes nothing")
}
