public import DuxJSON
import Synchronization

/// A value that makes its own JSON in the time its last change took, as a collection that keeps
/// its JSON beside its elements.
///
/// A conforming type gets its `Codable` from here: ``StateCoder`` takes ``structuralJSON`` as it is
/// and hands the value decoded last time to ``init(structural:reusing:)``, any other coder sees
/// plain JSON.
public protocol StructuralLeaf: Codable, Sendable {
  /// The value as JSON, sharing storage with the JSON of the value it was made from.
  var structuralJSON: JSON { get throws }

  /// Reads a value.
  ///
  /// - Parameters:
  ///   - json: what ``structuralJSON`` was, or what a client or a checkpoint claims it to be.
  ///   - previous: a value at the same place of an earlier state. It may save work where its JSON
  ///     shares storage with `json`, and never changes the result.
  /// - Throws: ``CodingFailure`` with a path from this value on; other errors lose their place.
  init(structural json: JSON, reusing previous: Self?) throws
}

extension StructuralLeaf {
  /// Writes ``structuralJSON``.
  public func encode(to encoder: any Encoder) throws {
    guard let encoder = encoder as? ValueEncoder else {
      return try structuralJSON.encode(to: encoder)
    }
    try encoder.put(leaf: self)
  }

  /// Reads what ``structuralJSON`` wrote.
  public init(from decoder: any Decoder) throws {
    guard let decoder = decoder as? ValueDecoder else {
      try self.init(structural: JSON(from: decoder), reusing: nil)
      return
    }
    self = try decoder.leaf(Self.self)
  }
}

/// The structural leaves of one state by their places, so that the next state's JSON is decoded
/// only where it differs.
public struct StateLeaves: Sendable {
  private var leaves: [JSONPointer: any StructuralLeaf] = [:]

  /// Makes a collection of none.
  public init() {}

  /// The number of leaves.
  public var count: Int { leaves.count }

  mutating func insert(_ leaf: any StructuralLeaf, at path: [any CodingKey]) {
    leaves[JSONPointer(path)] = leaf
  }

  func leaf<Leaf: StructuralLeaf>(_ type: Leaf.Type, at path: [any CodingKey]) -> Leaf? {
    leaves[JSONPointer(path)] as? Leaf
  }
}

/// The leaves of two versions of one state, while the second is decoded.
final class LeafMemory: Sendable {
  @TaskLocal static var current: LeafMemory?

  private let former: StateLeaves
  private let latter = Mutex(StateLeaves())

  init(_ leaves: StateLeaves) {
    former = leaves
  }

  /// The leaves decoded so far.
  var found: StateLeaves { latter.withLock { $0 } }

  func leaf<Leaf: StructuralLeaf>(_ type: Leaf.Type, at path: [any CodingKey]) -> Leaf? {
    former.leaf(type, at: path)
  }

  func note(_ leaf: any StructuralLeaf, at path: [any CodingKey]) {
    latter.withLock { $0.insert(leaf, at: path) }
  }
}
