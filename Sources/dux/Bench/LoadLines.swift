import DuxJSON
import Glibc

/// The lines of a load run: writes those of the actions, and recognises acks and deliveries cheaply.
///
/// A value is `g#<change>:xxx…`, always of the same length, so in a patch of one change it lies at a
/// known distance from the end. What looks otherwise is left to a reader of whole JSON.
struct LoadLines {
  /// A change as a subscriber is shown it.
  struct Delivery: Equatable {
    var seq: Int64
    var change: Int64
  }

  /// An action as its writer is told of it.
  struct Ack: Equatable {
    var n: Int64
    var seq: Int64
  }

  private let valueBytes: Int
  private let patchStart: [UInt8]
  private let beforePath: [UInt8]
  private let padding: [UInt8]

  private static let actionStart = Array(#"{"op":"dispatch","n":"#.utf8)
  private static let beforeValue = Array(#"/v","value":"g#"#.utf8)
  private static let actionEnd = Array("\"}}}\n".utf8)
  private static let ackStart = Array(#"{"op":"ack","n":"#.utf8)
  private static let beforeAckSeq = Array(#","seq":"#.utf8)
  /// Digits that a number of 64 bits has room for whatever they are.
  private static let longestNumber = 18
  /// What stands behind the value: `"}]}`.
  private static let patchEndBytes = 4
  /// Objects that a change may have made around the value: the item, the run's, its parents.
  private static let greatestNesting = 16

  /// Makes the lines for values of a size below a path.
  init(path: JSONPointer, valueBytes: Int) {
    self.valueBytes = valueBytes
    var text: [UInt8] = []
    JSON.write(string: path.description, into: &text)
    patchStart = Array(#"{"op":"patch","path":"#.utf8) + text + Array(#","seq":"#.utf8)
    // The quote that ends the path comes behind the item.
    beforePath =
      Array(#","action":{"type":"doc/set","payload":{"path":"#.utf8) + text.dropLast()
      + [UInt8(ascii: "/")]
    padding = [UInt8](repeating: UInt8(ascii: "x"), count: valueBytes)
  }

  /// Appends the action that writes a change into an item; its number is the change's and one.
  func append(change: Int64, item: Int, to bytes: inout [UInt8]) {
    bytes += Self.actionStart
    Self.append(change + 1, to: &bytes)
    bytes += beforePath
    Self.append(Int64(item), to: &bytes)
    bytes += Self.beforeValue
    let digits = Self.append(change, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    bytes += padding.prefix(max(0, valueBytes - 3 - digits))
    bytes += Self.actionEnd
  }

  /// The delivery that a line is; `nil` for any other line, and for one written in another way.
  func delivery(in line: UnsafeRawBufferPointer) -> Delivery? {
    guard Self.begins(line, with: patchStart) else { return nil }
    var place = patchStart.count
    guard let seq = Self.number(in: line, at: &place) else { return nil }
    var start = line.count - valueBytes - Self.patchEndBytes
    for _ in 0..<Self.greatestNesting {
      guard start > place else { return nil }
      if let change = Self.mark(in: line, at: start) { return Delivery(seq: seq, change: change) }
      start -= 1
    }
    return nil
  }

  /// The acknowledgement that a line is; `nil` for any other line, and for one written in another way.
  func ack(in line: UnsafeRawBufferPointer) -> Ack? {
    guard Self.begins(line, with: Self.ackStart) else { return nil }
    var place = Self.ackStart.count
    guard let n = Self.number(in: line, at: &place) else { return nil }
    let rest = UnsafeRawBufferPointer(rebasing: line[place...])
    guard Self.begins(rest, with: Self.beforeAckSeq) else { return nil }
    place = Self.beforeAckSeq.count
    return Self.number(in: rest, at: &place).map { Ack(n: n, seq: $0) }
  }

  /// The changes whose values stand anywhere in a text, in order.
  static func changes(in bytes: UnsafeRawBufferPointer) -> [Int64] {
    bytes.indices.compactMap { mark(in: bytes, at: $0) }
  }

  private static func mark(in line: UnsafeRawBufferPointer, at start: Int) -> Int64? {
    guard start >= 0, start + 2 < line.count, line[start] == UInt8(ascii: "g"),
      line[start + 1] == UInt8(ascii: "#")
    else { return nil }
    var place = start + 2
    guard let change = number(in: line, at: &place), place < line.count,
      line[place] == UInt8(ascii: ":")
    else { return nil }
    return change
  }

  private static func begins(_ line: UnsafeRawBufferPointer, with start: [UInt8]) -> Bool {
    guard line.count > start.count, let base = line.baseAddress else { return false }
    return start.withUnsafeBytes { bytes in
      bytes.baseAddress.map { memcmp(base, $0, bytes.count) == 0 } ?? true
    }
  }

  private static func number(in line: UnsafeRawBufferPointer, at place: inout Int) -> Int64? {
    let start = place
    var number: Int64 = 0
    while place < line.count, place - start < longestNumber {
      let digit = line[place] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      number = number &* 10 &+ Int64(digit)
      place += 1
    }
    return place > start ? number : nil
  }

  @discardableResult
  private static func append(_ number: Int64, to bytes: inout [UInt8]) -> Int {
    let start = bytes.count
    var rest = max(0, number)
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
    return bytes.count - start
  }
}
