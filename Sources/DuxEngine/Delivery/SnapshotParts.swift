package import DuxJSON
package import DuxLog
import DuxProtocol

/// What each part of one snapshot says of it.
package struct PartHeader: Sendable {
  package var path: String
  package var seq: SequenceNumber
}

/// The contents of a snapshot too big for one line, cut into `part` lines that are not.
///
/// The snapshot's own line holds an empty container; the parts fill it by `add` operations, in
/// order, an inner container that does not fit into a line being added empty and filled likewise.
package struct SnapshotParts {
  private let header: PartHeader
  private let maximumLineBytes: Int
  /// Bytes of a line before its first operation, at most.
  private let headerBytes: Int
  private var writer = LineWriter(reservingBytes: 65_536)
  private var lineStart = 0
  private var operationCount = 0

  private init(_ header: PartHeader, maximumLineBytes: Int) {
    self.header = header
    self.maximumLineBytes = maximumLineBytes
    self.headerBytes = 80 + JSON.string(header.path).encodedByteCount
  }

  /// The parts of a snapshot whose `state` does not fit into one line.
  ///
  /// A line is longer than `maximumLineBytes` only where a single scalar with its path is.
  ///
  /// - Complexity: O(bytes of the state).
  package static func text(
    _ header: PartHeader, state: JSON, maximumLineBytes: Int
  ) -> [UInt8] {
    var parts = SnapshotParts(header, maximumLineBytes: maximumLineBytes)
    parts.beginPart()
    parts.writeContents(of: state, at: "")
    parts.endPart(hasMore: false)
    return parts.writer.bytes
  }

  private mutating func beginPart() {
    lineStart = writer.bytes.count
    operationCount = 0
    writer.begin("part")
    writer.member("path", header.path)
    writer.member("seq", header.seq.value)
    writer.begin(member: "patch")
    writer.append("[")
  }

  private mutating func endPart(hasMore: Bool) {
    writer.append("]")
    writer.member("more", hasMore)
    writer.end()
  }

  private mutating func writeContents(of container: JSON, at pointer: String) {
    switch container {
    case .object(let object):
      for (key, value) in object { write(value, at: pointer + "/" + key.pointerToken) }
    case .array(let array):
      for (index, value) in array.enumerated() { write(value, at: pointer + "/" + String(index)) }
    default:
      break
    }
  }

  private mutating func write(_ value: JSON, at pointer: String) {
    let overhead = 46 + JSON.string(pointer).encodedByteCount
    let budget = maximumLineBytes - overhead - headerBytes
    let fits = value.encodedByteCount <= budget || value.depth == 0
    let written = fits ? value : value.emptied
    let lineBytes = writer.bytes.count - lineStart
    if operationCount > 0, lineBytes + overhead + written.encodedByteCount > maximumLineBytes {
      endPart(hasMore: true)
      beginPart()
    }
    if operationCount > 0 { writer.append(",") }
    operationCount += 1
    writer.append("{\"op\":\"add\"")
    writer.member("path", pointer)
    writer.member("value", written)
    writer.append("}")
    if !fits { writeContents(of: value, at: pointer) }
  }
}

extension JSON {
  /// The same kind of container without its contents; a scalar as it is.
  var emptied: JSON {
    switch self {
    case .object: .object([:])
    case .array: .array([])
    default: self
    }
  }
}

extension String {
  fileprivate var pointerToken: String {
    guard utf8.contains(where: { $0 == 0x7E || $0 == 0x2F }) else { return self }
    return String(
      decoding: utf8.flatMap { byte -> [UInt8] in
        switch byte {
        case 0x7E: [0x7E, 0x30]
        case 0x2F: [0x7E, 0x31]
        default: [byte]
        }
      }, as: UTF8.self)
  }
}
