/// A value where it lies in memory, looked at without touching a reference count.
///
/// Valid while the value stays there as it is.
struct PlacedJSON {
  private let place: UnsafePointer<JSON>

  @inline(__always)
  init(_ place: UnsafePointer<JSON>) { self.place = place }

  @inline(__always)
  init(_ place: UnsafeMutablePointer<JSON>) { self.place = UnsafePointer(place) }

  /// What the value is, with the places of what counts references.
  enum Form {
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case string(UnsafePointer<String>)
    case array(Unmanaged<Node<ArrayKind>>?)
    case object(Unmanaged<Node<ObjectKind>>?)
  }

  /// What the value is.
  ///
  /// What a case carries lies at the start of an enum's memory.
  @inline(__always)
  var form: Form {
    let content = UnsafeRawPointer(place)
    return switch place.pointee {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .double(let value): .double(value)
    case .string: .string(content.assumingMemoryBound(to: String.self))
    case .array: .array(content.load(as: Unmanaged<Node<ArrayKind>>?.self))
    case .object: .object(content.load(as: Unmanaged<Node<ObjectKind>>?.self))
    }
  }

  /// The object that a value in memory is, to be changed where it lies.
  @inline(__always)
  static func object(at place: UnsafeMutablePointer<JSON>) -> UnsafeMutablePointer<JSONObject> {
    UnsafeMutableRawPointer(place).assumingMemoryBound(to: JSONObject.self)
  }

  /// The array that a value in memory is, to be changed where it lies.
  @inline(__always)
  static func array(at place: UnsafeMutablePointer<JSON>) -> UnsafeMutablePointer<JSONArray> {
    UnsafeMutableRawPointer(place).assumingMemoryBound(to: JSONArray.self)
  }

  /// Begins to fetch what the value has elsewhere in memory, as much as a small one has.
  @inline(__always)
  func prefetch() {
    switch form {
    case .null, .bool, .integer, .double: break
    case .string(let text):
      if let start = DuxJSON.bytes(ofStringAt: text)?.baseAddress {
        DuxJSON.prefetch(start - ShortText.headerBytes, bytes: 128)
      }
    case .array(let root):
      if let root { DuxJSON.prefetch(root.toOpaque(), bytes: 192) }
    case .object(let root):
      if let root { DuxJSON.prefetch(root.toOpaque(), bytes: 192) }
    }
  }

  /// The size of the value alone.
  @inline(__always)
  var size: TreeSize {
    switch form {
    case .null: TreeSize(bytes: 4, depth: 0)
    case .bool(let value): TreeSize(bytes: value ? 4 : 5, depth: 0)
    case .integer(let value): TreeSize(bytes: decimalLength(value), depth: 0)
    case .double(let value): TreeSize(bytes: textLength(of: value), depth: 0)
    case .string(let text): TreeSize(bytes: encodedLength(ofStringAt: text), depth: 0)
    case .array(let root): Self.size(ofContainer: root)
    case .object(let root): Self.size(ofContainer: root)
    }
  }

  @inline(__always)
  private static func size<Kind>(ofContainer root: Unmanaged<Node<Kind>>?) -> TreeSize {
    guard let root else { return TreeSize(bytes: 2, depth: 1) }
    let entries = root._withUnsafeGuaranteedRef { $0.head.pointee.size }
    return TreeSize(
      bytes: entries.bytes.addingSaturating(1), depth: entries.depth.addingSaturating(1))
  }
}
