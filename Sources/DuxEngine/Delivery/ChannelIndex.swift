import DuxJSON
import DuxLog

/// Finds the channels that a change touches, without looking at the others.
///
/// A tree by path: a change walks down its own path, so its price is its depth and the channels it
/// reaches, however many there are elsewhere. The root's channels, which every change touches, are
/// not kept here.
struct ChannelIndex {
  private final class Node {
    var children: [ByteText: Node] = [:]
    var channels: [Channel] = []

    var isEmpty: Bool { children.isEmpty && channels.isEmpty }
  }

  private let root = Node()

  /// All channels.
  private(set) var count = 0

  func channel(at path: JSONPointer, withActions: Bool) -> Channel? {
    var node = root
    for token in path.tokens {
      guard let child = node.children[ByteText(token)] else { return nil }
      node = child
    }
    return node.channels.first { $0.withActions == withActions }
  }

  mutating func insert(_ channel: Channel) {
    var node = root
    for token in channel.path.tokens {
      let key = ByteText(token)
      if let child = node.children[key] {
        node = child
      } else {
        let child = Node()
        node.children[key] = child
        node = child
      }
    }
    node.channels.append(channel)
    count += 1
  }

  mutating func remove(_ channel: Channel) {
    if Self.remove(channel, below: root, tokens: channel.path.tokens[...]) { count -= 1 }
  }

  private static func remove(
    _ channel: Channel, below node: Node, tokens: ArraySlice<String>
  ) -> Bool {
    guard let token = tokens.first else {
      guard let index = node.channels.firstIndex(where: { $0 === channel }) else { return false }
      node.channels.remove(at: index)
      return true
    }
    let key = ByteText(token)
    guard let child = node.children[key] else { return false }
    let wasFound = remove(channel, below: child, tokens: tokens.dropFirst())
    if child.isEmpty { node.children[key] = nil }
    return wasFound
  }

  /// Puts the channels that `patch` may touch, each once, in place of what `touched` holds.
  ///
  /// They come in the order of their making, so that the same run gives the same effects. The state
  /// before the change is asked for only where it is needed.
  ///
  /// - Complexity: O(operations × depth + *k* log *k*), *k* = channels found.
  func collect(
    touchedBy patch: JSONPatch, before: @autoclosure () -> JSON, into touched: inout [Channel]
  ) {
    touched.removeAll(keepingCapacity: true)
    guard !root.children.isEmpty else { return }
    for operation in patch.operations { collect(operation, before(), into: &touched) }
    guard touched.count > 1 else { return }
    touched.sort { $0.number < $1.number }
    guard patch.operations.count > 1 else { return }
    var count = 1
    for channel in touched.dropFirst() where channel !== touched[count - 1] {
      touched[count] = channel
      count += 1
    }
    touched.removeSubrange(count...)
  }

  /// One operation finds a channel once.
  private func collect(
    _ operation: JSONPatchOperation, _ before: @autoclosure () -> JSON,
    into touched: inout [Channel]
  ) {
    var node = root
    let tokens = operation.path.tokens
    for (depth, token) in tokens.enumerated() {
      if depth == tokens.count - 1, !node.children.isEmpty, operation.mayShift(in: before()) {
        return collectAll(from: node, into: &touched)
      }
      touched.append(contentsOf: node.channels)
      guard let child = node.children[ByteText(token)] else { return }
      node = child
    }
    collectAll(from: node, into: &touched)
  }

  private func collectAll(from node: Node, into touched: inout [Channel]) {
    touched.append(contentsOf: node.channels)
    node.children.values.forEach { collectAll(from: $0, into: &touched) }
  }
}
