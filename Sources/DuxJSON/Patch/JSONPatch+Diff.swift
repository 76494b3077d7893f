extension JSONPatch {
  /// The patch that leads from one value to another: only `add`, `remove` and `replace`.
  ///
  /// Small where that is cheap to find; a container for which the changes would be much longer than
  /// its new text is replaced.
  /// - Complexity: O(changes × log *n*) where the new value was made by changing the old one, since
  ///   storage that both share is not looked at; O(*n* log *n*) at worst.
  public static func diff(from old: JSON, to new: JSON) -> JSONPatch {
    var difference = Difference()
    difference.compare(old, new)
    return JSONPatch(operations: difference.operations)
  }
}

/// A patch in the making, which leads from one value to another.
struct Difference {
  private(set) var operations: [JSONPatchOperation] = []
  /// Entries and subtrees looked at so far: what the comparison costs.
  var work = 0
  /// The length of the patch's text so far.
  private var bytes = 0
  /// The length past which it is shorter to replace a container that is being compared.
  private var limit = Int.max
  /// The path to the values being compared.
  private var tokens: [String] = []
  /// The length of that path's text.
  private var pathBytes = 0

  /// The pointer that the comparison began at, with its text.
  private var start: JSONPointer?

  /// Begins with two whole values.
  init() {}

  /// Begins with two values that stand at a place.
  init(at place: JSONPointer) {
    start = place
    tokens = place.tokens
    for token in tokens { pathBytes &+= token.utf8.count &+ 1 }
  }

  /// The pointer to the values being compared.
  private var path: JSONPointer {
    if let start, start.tokens.count == tokens.count { return start }
    return JSONPointer(tokens: tokens)
  }

  /// Whether comparing on is of no use, since a container will be replaced.
  var isTooLong: Bool { bytes > limit }

  /// Appends what leads from one value to another at the current path.
  mutating func compare(_ old: JSON, _ new: JSON) {
    switch (old, new) {
    case (.object(let a), .object(let b)):
      if !a.isIdentical(to: b) { compare(within: new) { $0.compareMembers(a.tree, b.tree) } }
    case (.array(let a), .array(let b)):
      if !a.isIdentical(to: b) { compare(within: new) { $0.compareElements(a.tree, b.tree) } }
    default:
      if !old.isTriviallyIdentical(to: new) { appendReplace(new) }
    }
  }

  /// What the changes of a small container may take beyond its text: a change of a field says more
  /// than a new whole, to people and to whoever watches or undoes that field.
  private static let spareBytes = 512

  /// Compares two containers, and replaces the whole if that turns out much shorter.
  private mutating func compare(within new: JSON, _ body: (inout Difference) -> Void) {
    let count = operations.count
    let bytesBefore = bytes
    let limitBefore = limit
    let whole = Self.length(of: "replace", pathBytes, new)
    let worthwhile = whole.addingSaturating(whole).addingSaturating(Self.spareBytes)
    limit = min(limit, bytes.addingSaturating(worthwhile))
    body(&self)
    let isTooLong = self.isTooLong
    limit = limitBefore
    guard isTooLong else { return }
    operations.removeSubrange(count...)
    bytes = bytesBefore
    appendReplace(new)
  }
}

extension Difference {
  /// Calls `body` with the current path one token longer.
  mutating func at(_ token: String, _ body: (inout Difference) -> Void) {
    let bytesBefore = pathBytes
    pathBytes += token.utf8.count + 1
    tokens.append(token)
    body(&self)
    tokens.removeLast()
    pathBytes = bytesBefore
  }

  mutating func appendAdd(_ value: JSON) {
    bytes = bytes.addingSaturating(Self.length(of: "add", pathBytes, value))
    operations.append(.add(path: path, value: value))
  }

  mutating func appendRemove() {
    bytes = bytes.addingSaturating(#"{"op":"remove","path":""},"#.utf8.count + pathBytes)
    operations.append(.remove(path: path))
  }

  private mutating func appendReplace(_ value: JSON) {
    bytes = bytes.addingSaturating(Self.length(of: "replace", pathBytes, value))
    operations.append(.replace(path: path, value: value))
  }

  /// The length of an operation's text with a comma; escapes in its path are not counted.
  private static func length(of name: StaticString, _ pathBytes: Int, _ value: JSON) -> Int {
    value.encodedByteCount.addingSaturating(
      #"{"op":"","path":"","value":},"#.utf8.count + name.utf8CodeUnitCount + pathBytes)
  }
}
